#include "runtime/waiting/locked_rounds.hpp"

#include "core/footprint.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/waiting/local_state.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
using protocol::WaitKind;

bool is_failed_try(const Operation& operation, std::uint64_t mutex) {
  return operation.kind == MutexTryLock && operation.failed() && operation.object == mutex;
}

}  // namespace

bool sees_lock(const Event& event, std::uint64_t mutex) {
  if (event.operation.kind != AtomicSection) return is_failed_try(event.operation, mutex);
  const protocol::Channel& channel = *worker.channel;
  const Footprint& footprint = channel.footprints[event.operation.object];
  for (std::uint32_t i = 0; i < footprint.count; ++i)
    if (is_failed_try(channel.footprint_operations[footprint.begin + i], mutex)) return true;
  return false;
}

namespace {

/// Whether the thread has come back to the same lock: it has unlocked the mutex before step `until` and had no other
/// effect since it locked it.
bool is_round(const Thread& thread, std::uint64_t access, std::uint64_t object, std::uint32_t until) {
  if (thread.locked_access != access || thread.locked_object != object) return false;
  bool is_locked = true;
  for (std::uint32_t i = thread.locked_step; i < until; ++i) {
    const Event& event = worker.channel->journal[i];
    if (event.process != thread.index) {
      if (is_locked && sees_lock(event, thread.locked_object)) return false;
    } else if (event.operation.kind == MutexUnlock && event.operation.object == thread.locked_object && is_locked) {
      is_locked = false;
    } else if (event.operation.kind != Yield && event.operation.kind != Fence) {
      return false;
    }
  }
  return !is_locked;
}

}  // namespace

bool takes_steps(const Thread& thread, std::uint64_t site) {
  if (scheduling.keeps_states) return false;  // the history of a thread is not part of states
  return scheduling.reduces_waits && scheduling.exploring && thread.atomic_depth == 0 && site != kInvisible;
}

namespace {

/// The number of the answer that the round from here is idle; 0 if it is not.
std::uint32_t find_idle_round(Thread& thread, StateNumber state) {
  for (std::uint64_t variant = 0;; ++variant) {  // one variant per relevant memory contents
    const std::uint32_t number = find_answer(state, kLockedVariants, variant);
    Answer& answer = known->answers[number];
    if (answer.answer == TrialAnswer::Unknown) {
      const TrialAnswer found = try_locked_round(thread, state);
      if (found == TrialAnswer::InTrial) return 0;
      answer.answer = found;
      note_reads(answer);
    } else if (!holds(answer)) {
      continue;
    }
    return answer.answer == TrialAnswer::IdleToo ? number : 0;
  }
}

/// Detects loops like look_for_loop(): three rounds, of which the last two must end in the same state.
void look_for_locked_loop(Thread& thread, bool is_back) {
  if (!is_back) {
    thread.locked_looks = 0;
    return;
  }
  if (thread.locked_suspect == kNoSuspect) thread.locked_suspect = suspect_at(site_of_access(thread));
  if (thread.locked_looks == 0 && !is_worth_a_look(thread.locked_suspect)) return;
  scheduling.cleans_stack = Cleans::All;
  if (++thread.locked_looks == 1) return;
  const StateNumber state = local_state(thread);
  const bool is_same = state != 0 && thread.locked_looks == 3 && state == thread.locked_state;
  thread.locked_state = state;
  if (thread.locked_looks == 3) thread.locked_looks = 0;
  if (is_same && find_idle_round(thread, state) != 0) learn(site_of_access(thread), WaitKind::Locked);
}

}  // namespace

bool stops_before_lock(Thread& thread, std::uint64_t object, std::uint64_t site) {
  if (!scheduling.knows_waits || scheduling.in_trial || !takes_steps(thread, site) || thread.locked_answer == 0)
    return false;
  if (!is_round(thread, return_address(site), object, scheduling.step)) return false;
  thread.spin_begin = thread.locked_step;
  thread.spin_end = scheduling.step;
  thread.spin_answer = thread.locked_answer;
  return true;
}

void look_at_lock(Thread& thread) {
  if (!takes_steps(thread, thread.site)) return;
  thread.access = return_address(thread.site);
  thread.operand = 0;
  if (scheduling.in_trial) return lock_in_trial(thread);
  if (!image.has_code(thread.access)) return;
  const WaitKind kind = scheduling.knows_waits ? kind_of(site_of_access(thread)) : WaitKind::None;
  const std::uint64_t object = thread.pending.object;
  const bool learns = kind != WaitKind::Locked && scheduling.learns_waits;
  const bool is_back = learns && is_round(thread, thread.access, object, scheduling.step - 1);
  if (thread.locked_access != thread.access) thread.locked_suspect = kNoSuspect;
  thread.locked_access = thread.access;
  thread.locked_object = object;
  thread.locked_step = scheduling.step;
  thread.locked_answer = 0;
  if (kind == WaitKind::Locked) {
    if (const StateNumber state = local_state(thread); state != 0)
      thread.locked_answer = find_idle_round(thread, state);
  } else if (learns) {
    look_for_locked_loop(thread, is_back);
  }
}

}  // namespace mazurka::runtime
