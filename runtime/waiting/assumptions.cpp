#include "runtime/waiting/assumptions.hpp"

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/waiting/waits.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
using protocol::WaitKind;

/// The last step of a thread; null if it has taken none.
const Event* last_step(const Thread& thread) {
  for (std::uint32_t i = scheduling.step; i > 0; --i)
    if (const Event& event = worker.channel->journal[i - 1]; event.process == thread.index) return &event;
  return nullptr;
}

bool is_listed(std::uint64_t site) {
  const protocol::Channel& channel = *worker.channel;
  for (std::uint32_t i = 0; i < channel.wait_count; ++i)
    if (channel.waits[i].site == site) return true;
  return false;
}

}  // namespace

void learn_assumption(Thread& thread) {
  if (!scheduling.reduces_waits || !scheduling.learns_waits || scheduling.in_trial || !scheduling.exploring ||
      thread.atomic_depth > 0 || thread.site == kInvisible)
    return;
  const Event* last = last_step(thread);
  if (last == nullptr || last->site != thread.site || has_effect(*last) || !may_wait(thread)) return;
  const std::uint64_t site = site_of_access(thread);
  const OperationKind kind = thread.pending.kind;
  // It failed after an await because the trial found an effect in between: an await does not help here.
  if (kind == Await || kind == AwaitModify) {
    if (kind_of(site) == WaitKind::Assumed) learn(site, WaitKind::None);
  } else if ((kind == Load || kind == ReadModifyWrite || kind == CompareExchange) &&
             (thread.pending.flags & kPlain) == 0 && !is_listed(site)) {
    learn(site, WaitKind::Assumed);
  }
}

bool is_assumed_away(const Thread& thread) {
  if (thread.pending.kind != Await && thread.pending.kind != AwaitModify) return false;
  return answer_of(thread) == TrialAnswer::Assumed;
}

}  // namespace mazurka::runtime
