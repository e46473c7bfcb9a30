// The ThreadSanitizer interface for programs: dynamic annotations (Annotate…), and the part of
// <sanitizer/tsan_interface.h> that is not about locks (announced_locks.cpp). Libraries use them if the compiler
// defines __SANITIZE_THREAD__. Each has the effect that it has there; docs/races.md has the table.
#include "runtime/hooks/annotations.hpp"

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/intended_races.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/plain.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {

void annotate_acquire(const volatile void* address, std::uint64_t site) {
  if (!detector.checking) return;
  const void* name = const_cast<const void*>(address);
  perform(operation(OperationKind::AnnotateAcquire, name), site);
  acquire(name, kAnnotated);
}

void annotate_release(const volatile void* address, std::uint64_t site) {
  if (!detector.checking) return;
  const void* name = const_cast<const void*>(address);
  perform(operation(OperationKind::AnnotateRelease, name), site);
  release(name, kAnnotated);
}

void begin_ignoring(std::uint32_t& depth) {
  if (detector.checking) ++depth;
}
void end_ignoring(std::uint32_t& depth) {
  if (detector.checking && depth > 0) --depth;
}

namespace {

/// An access that the program announces because instrumented code does not make it.
void told_access(const void* address, std::uint64_t bytes, bool write, const void* place, std::uint64_t site) {
  if (detector.checking)
    touch_range(address, bytes, write ? Touch::Write : Touch::Read, place);
  else if (detector.hooked && scheduling.exploring)
    visible_range(write, address, bytes, site);
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

// Scheduling points: which accesses are ordered depends on whether the release comes before the acquire, so both orders
// must be explored.
MAZURKA_EXPORT void __tsan_acquire(void* address) { annotate_acquire(address, MAZURKA_SITE); }
MAZURKA_EXPORT void __tsan_release(void* address) { annotate_release(address, MAZURKA_SITE); }
MAZURKA_REPLACEABLE void AnnotateHappensBefore(const char*, int, const volatile void* address) {
  annotate_release(address, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE void AnnotateHappensAfter(const char*, int, const volatile void* address) {
  annotate_acquire(address, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE void WTFAnnotateHappensBefore(const char*, int, const volatile void* address) {
  annotate_release(address, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE void WTFAnnotateHappensAfter(const char*, int, const volatile void* address) {
  annotate_acquire(address, MAZURKA_SITE);
}

// Races of ignored accesses are intended.
MAZURKA_EXPORT void __tsan_ignore_thread_begin() {
  begin_ignoring(self().ignored_reads);
  begin_ignoring(self().ignored_writes);
}
MAZURKA_EXPORT void __tsan_ignore_thread_end() {
  end_ignoring(self().ignored_reads);
  end_ignoring(self().ignored_writes);
}
MAZURKA_REPLACEABLE void AnnotateIgnoreReadsBegin(const char*, int) { begin_ignoring(self().ignored_reads); }
MAZURKA_REPLACEABLE void AnnotateIgnoreReadsEnd(const char*, int) { end_ignoring(self().ignored_reads); }
MAZURKA_REPLACEABLE void AnnotateIgnoreWritesBegin(const char*, int) { begin_ignoring(self().ignored_writes); }
MAZURKA_REPLACEABLE void AnnotateIgnoreWritesEnd(const char*, int) { end_ignoring(self().ignored_writes); }
MAZURKA_REPLACEABLE void AnnotateIgnoreSyncBegin(const char*, int) { begin_ignoring(self().ignored_synchronisation); }
MAZURKA_REPLACEABLE void AnnotateIgnoreSyncEnd(const char*, int) { end_ignoring(self().ignored_synchronisation); }

MAZURKA_REPLACEABLE void AnnotateBenignRaceSized(const char*, int, const volatile void* address, unsigned long bytes,
                                                 const char*) {
  add_benign_range(address, bytes, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE void WTFAnnotateBenignRaceSized(const char*, int, const volatile void* address, unsigned long bytes,
                                                    const char*) {
  add_benign_range(address, bytes, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE void AnnotateBenignRace(const char*, int, const volatile void* address, const char*) {
  add_benign_range(address, 1, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE void AnnotateExpectRace(const char*, int, const volatile void* address, const char*) {
  add_benign_range(address, 1, MAZURKA_SITE);
}

// No-ops in ThreadSanitizer too: condition variables and queues order by their locks and atomics.
MAZURKA_REPLACEABLE void AnnotateCondVarSignal(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotateCondVarSignalAll(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotateCondVarWait(const char*, int, const volatile void*, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotateMutexIsNotPHB(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotateMutexIsUsedAsCondVar(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotatePCQCreate(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotatePCQDestroy(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotatePCQPut(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotatePCQGet(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotateNewMemory(const char*, int, const volatile void*, unsigned long) {}
MAZURKA_REPLACEABLE void AnnotateTraceMemory(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotateFlushState(const char*, int) {}
MAZURKA_REPLACEABLE void AnnotateFlushExpectedRaces(const char*, int) {}
MAZURKA_REPLACEABLE void AnnotateNoOp(const char*, int, const volatile void*) {}
MAZURKA_REPLACEABLE void AnnotateEnableRaceDetection(const char*, int, int) {}
MAZURKA_REPLACEABLE void AnnotatePublishMemoryRange(const char*, int, const volatile void*, unsigned long) {}
MAZURKA_REPLACEABLE void AnnotateUnpublishMemoryRange(const char*, int, const volatile void*, unsigned long) {}
MAZURKA_REPLACEABLE void AnnotateThreadName(const char*, int, const char*) {}
MAZURKA_REPLACEABLE void AnnotateMemoryIsInitialized(const char*, int, const volatile void*, unsigned long) {}
MAZURKA_REPLACEABLE void AnnotateMemoryIsUninitialized(const char*, int, const volatile void*, unsigned long) {}
MAZURKA_REPLACEABLE int RunningOnValgrind() { return 0; }
MAZURKA_REPLACEABLE double ValgrindSlowdown() { return 10; }
MAZURKA_REPLACEABLE const char* ThreadSanitizerQuery(const char* question) {
  const char* known = "pure_happens_before";
  while (*known != 0 && *question == *known) ++known, ++question;
  return *known == *question ? "1" : "0";
}
MAZURKA_EXPORT void __tsan_flush_memory() {}

// Objects that a library manages as a whole: one byte represents each.
MAZURKA_EXPORT void* __tsan_external_register_tag(const char* name) { return const_cast<char*>(name); }
MAZURKA_EXPORT void __tsan_external_register_header(void*, const char*) {}
MAZURKA_EXPORT void __tsan_external_assign_tag(void*, void*) {}
MAZURKA_EXPORT void __tsan_external_read(void* address, void*, void*) {
  told_access(address, 1, false, __builtin_return_address(0), MAZURKA_SITE);
}
MAZURKA_EXPORT void __tsan_external_write(void* address, void*, void*) {
  told_access(address, 1, true, __builtin_return_address(0), MAZURKA_SITE);
}
MAZURKA_EXPORT void __tsan_read_range_pc(void* address, unsigned long bytes, void*) {
  told_access(address, bytes, false, __builtin_return_address(0), MAZURKA_SITE);
}
MAZURKA_EXPORT void __tsan_write_range_pc(void* address, unsigned long bytes, void*) {
  told_access(address, bytes, true, __builtin_return_address(0), MAZURKA_SITE);
}

// This runtime does not know user-level fibers: the stack would change without a thread switch.
#define MAZURKA_REFUSE_FIBER(RESULT, NAME, PARAMETERS) \
  MAZURKA_EXPORT RESULT NAME PARAMETERS { unsupported(#NAME "()", MAZURKA_SITE); }
MAZURKA_REFUSE_FIBER(void*, __tsan_get_current_fiber, ())
MAZURKA_REFUSE_FIBER(void*, __tsan_create_fiber, (unsigned))
MAZURKA_REFUSE_FIBER(void, __tsan_destroy_fiber, (void*))
MAZURKA_REFUSE_FIBER(void, __tsan_switch_to_fiber, (void*, unsigned))
MAZURKA_REFUSE_FIBER(void, __tsan_set_fiber_name, (void*, const char*))
