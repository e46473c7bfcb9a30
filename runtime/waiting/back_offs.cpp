#include "runtime/waiting/back_offs.hpp"

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/waiting/library_code.hpp"
#include "runtime/waiting/locked_rounds.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
using protocol::WaitKind;

/// Whether the thread's last steps unlocked mutexes because a try-lock of this one failed; `tried` is then the step of
/// the try.
bool has_backed_off(const Thread& thread, std::uint64_t object, std::uint32_t& tried) {
  for (std::uint32_t i = scheduling.step; i > 0; --i) {
    const Event& event = worker.channel->journal[i - 1];
    if (event.process != thread.index) continue;
    const Operation& operation = event.operation;
    if (operation.kind == MutexTryLock && operation.failed() && operation.object == object) {
      tried = i - 1;
      return true;
    }
    if (operation.kind != MutexUnlock && operation.kind != Yield) return false;
  }
  return false;
}

}  // namespace

void prepare_back_offs() {
  scheduling.stops_after_back_off = scheduling.has_back_offs && scheduling.knows_waits &&
                                    kind_of(protocol::kBackOffSite) != WaitKind::None &&
                                    kind_of(protocol::kTrySite) == WaitKind::None;
}

bool stops_after_back_off(Thread& thread, std::uint64_t object, std::uint64_t site) {
  if (!scheduling.has_back_offs || scheduling.in_trial || !takes_steps(thread, site) || !in_back_off(site))
    return false;
  std::uint32_t tried = 0;
  if (!has_backed_off(thread, object, tried)) return false;
  if (!scheduling.stops_after_back_off) {
    if (scheduling.learns_waits && kind_of(protocol::kBackOffSite) == WaitKind::None)
      learn(protocol::kBackOffSite, WaitKind::Several);
    return false;
  }
  thread.spin_begin = tried;
  thread.spin_end = tried + 1;
  thread.spin_answer = 0;
  return true;
}

bool has_backed_off(const Thread& thread) {
  const Operation& first = worker.channel->journal[thread.spin_begin].operation;
  return first.kind == MutexTryLock && first.object == thread.pending.object;
}

void note_try(std::uint64_t site) {
  if (!scheduling.stops_after_back_off || scheduling.in_trial || !scheduling.exploring || in_back_off(site)) return;
  if (!scheduling.learns_waits) return;  // replaying a schedule
  learn(protocol::kTrySite, WaitKind::Several);
  unsupported("a program with too many waiting loops", site);  // the table of waits is full
}

}  // namespace mazurka::runtime
