#include "runtime/detector/object_use.hpp"

#include "runtime/detector/atomic_checks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

namespace {

void refuse_destroyed(const void* object, std::uint32_t mark, ObjectKind kind, std::uint64_t site) {
  if (mark != kDestroyed) [[likely]]
    return;
  fail(FailureKind::UseAfterDestroy, {reinterpret_cast<std::uint64_t>(object), kind}, site);
}

void announce(OperationKind kind, const void* object, std::uint64_t site) {
  if (detector.guarding && lives_may_race()) perform(operation(kind, object), site);
}

}  // namespace

void use_object(const void* object, std::uint32_t mark, ObjectKind kind, std::uint64_t site) {
  if (detector.guarding) return;
  // Uses do not race with each other, only with the begin and end of the lifetime. Check the memory first: a freed
  // object may hold any value.
  if (detector.checking) [[unlikely]] {
    note_in_segment(object, 1, Touch::AtomicRead);
    touch_plain(object, 1, Touch::AtomicRead, place_of(site));
  }
  refuse_destroyed(object, mark, kind, site);
}

void object_used(const void* object, std::uint32_t mark, ObjectKind kind, std::uint64_t site) {
  if (!detector.guarding) [[likely]]
    return;
  guard(object, 1, Touch::AtomicRead, place_of(site));
  refuse_destroyed(object, mark, kind, site);
}

void announce_initialisation(const void* object, std::uint64_t site) {
  announce(OperationKind::ObjectInit, object, site);
}
void announce_destruction(const void* object, std::uint64_t site) {
  announce(OperationKind::ObjectDestroy, object, site);
}

void write_object(const void* object, std::uint64_t site) {
  if (detector.guarding) guard(object, 1, Touch::Write, place_of(site));
  if (detector.checking) [[unlikely]] {
    note_in_segment(object, 1, Touch::Write);
    touch_plain(object, 1, Touch::Write, place_of(site));
  }
}

}  // namespace mazurka::runtime
