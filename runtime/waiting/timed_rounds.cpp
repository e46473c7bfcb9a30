#include "runtime/waiting/timed_rounds.hpp"

#include "core/dependence.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/waiting/local_state.hpp"
#include "runtime/waiting/locked_rounds.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
using protocol::WaitKind;

void forget_visits(Thread& thread) { thread.timed_visit_count = thread.segment_count = 0; }

/// Checks the steps of a thread from a timed wait on, one by one.
struct TimedRound {
  std::uint64_t mutex;  ///< held before the wait
  bool is_locked = true;
  bool is_queued = false;  ///< the next step must be the time-out

  /// Whether a step of the thread may be part of an idle round.
  bool take(const Event& event) {
    const Operation& operation = event.operation;
    if (is_queued) {
      is_queued = false;
      return operation.kind == ConditionTimeout || operation.kind == FutexTimeout;
    }
    switch (operation.kind) {
      case ConditionWait:
        is_queued = true;
        if (!is_locked || operation.released_mutex() != mutex) return false;
        is_locked = false;
        return true;
      case FutexWait: is_queued = !operation.failed(); return true;
      case MutexLock:
      case MutexUnlock:
        if (operation.object != mutex || is_locked == (operation.kind == MutexLock)) return false;
        is_locked = !is_locked;
        return true;
      case Load:
      case Await:
      case ReadModifyWrite:
      case AwaitModify:
      case CompareExchange: return !writes_memory(operation) || event.written == event.value;
      case Yield: return (operation.flags & kGivesWay) == 0;
      default: return false;
    }
  }
};

/// Whether the thread runs its own code between this step and the next: not while it is in a queue, nor before it has
/// relocked its mutex.
bool begins_segment(const Operation& operation) {
  return operation.kind != ConditionWait && operation.kind != ConditionTimeout &&
         (operation.kind != FutexWait || operation.failed());
}

/// Whether everything the thread did since a visit may be an idle round. With `is_under_way` the last step has no
/// answer yet. Without `has_answers`, as during learning, only the steps count.
bool is_quiet_since(const Thread& thread, const Thread::TimedVisit& visit, bool has_answers, bool is_under_way) {
  TimedRound round{thread.timed_mutex};
  std::uint32_t segment = visit.segment;
  std::uint32_t missing = 0;
  for (std::uint32_t i = visit.step; i < scheduling.step; ++i) {
    const Event& event = worker.channel->journal[i];
    if (event.process != thread.index) {
      if (round.mutex != 0 && round.is_locked && sees_lock(event, round.mutex)) return false;
      continue;
    }
    if (!round.take(event) || missing != 0) return false;
    if (!has_answers || !begins_segment(event.operation)) continue;
    if (segment < thread.segment_count && thread.segments[segment].step == i + 1)
      ++segment;
    else
      ++missing;
  }
  return missing == (is_under_way ? 1U : 0U);
}

/// The number of the answer that nothing happens before the thread's next step; 0 if something may.
std::uint32_t find_segment(Thread& thread, StateNumber state) {
  for (std::uint64_t variant = 0;; ++variant) {  // one variant per relevant memory contents
    const std::uint32_t number = find_answer(state, kSegmentVariants, variant);
    Answer& answer = known->answers[number];
    if (answer.answer == TrialAnswer::Unknown) {
      const TrialAnswer found = try_segment(thread, state);
      if (found == TrialAnswer::InTrial) return 0;
      answer.answer = found;
      note_reads(answer);
    } else if (!holds(answer)) {
      continue;
    }
    return answer.answer == TrialAnswer::IdleToo ? number : 0;
  }
}

/// A thread that timed out and comes back to the same wait twice, without an effect in its steps, may be in a waiting
/// loop.
void look_for_timed_loop(Thread& thread, const Operation& wait) {
  const bool is_back = thread.timed_access == thread.access && thread.timed_object == wait.object &&
                       thread.timed_step < scheduling.step &&
                       is_quiet_since(thread, {0, thread.timed_step, 0}, false, false);
  thread.timed_looks = is_back ? thread.timed_looks + 1 : 0;
  thread.timed_access = thread.access;
  thread.timed_object = wait.object;
  thread.timed_step = scheduling.step;
  if (thread.timed_looks == 2) learn(site_of_access(thread), WaitKind::Timed);
}

}  // namespace

bool may_time_out(Thread& thread, const Operation& wait, std::uint64_t operand, std::uint64_t mutex,
                  std::uint64_t deadline, std::uint64_t site) {
  if (scheduling.in_trial || plain_accesses_are_steps() || !takes_steps(thread, site)) return true;
  thread.access = return_address(site);
  if (!image.has_code(thread.access)) return true;
  const WaitKind kind = scheduling.knows_waits ? kind_of(site_of_access(thread)) : WaitKind::None;
  if (thread.timed_mutex != mutex) forget_visits(thread);
  thread.timed_mutex = mutex;
  if (kind != WaitKind::Timed) {
    if (scheduling.learns_waits) look_for_timed_loop(thread, wait);
    return true;
  }
  thread.pending = wait;
  thread.site = site;
  thread.operand = operand;
  thread.deadline = deadline;
  const StateNumber state = local_state(thread);
  thread.deadline = 0;
  if (state == 0) {
    forget_visits(thread);
    return true;
  }
  for (std::uint32_t i = thread.timed_visit_count; i > 0; --i) {
    const Thread::TimedVisit& visit = thread.timed_visits[i - 1];
    if (visit.state != state || !is_quiet_since(thread, visit, true, false)) continue;
    thread.spin_begin = visit.step;
    thread.spin_end = scheduling.step;
    thread.timed_segments = visit.segment;
    return false;
  }
  if (thread.timed_visit_count == Thread::kMostTimedVisits) forget_visits(thread);
  thread.timed_visits[thread.timed_visit_count++] = {state, scheduling.step, thread.segment_count};
  return true;
}

void ask_about_segment(Thread& thread, std::uint64_t result) {
  if (scheduling.in_trial || !takes_steps(thread, thread.site)) return;
  if (thread.segment_count == Thread::kMostSegments ||
      !is_quiet_since(thread, thread.timed_visits[thread.timed_visit_count - 1], true, true))
    return forget_visits(thread);
  thread.access = return_address(thread.site);
  thread.operand = result;
  // The caller's step is still being executed, and the unwinder performs operations of its own.
  Event* const record = scheduling.record;
  const bool failed = thread.failed;
  const std::uint32_t alternative = thread.alternative;
  const StateNumber state = image.has_code(thread.access) ? local_state(thread) : 0;
  scheduling.record = record;
  thread.failed = failed;
  thread.alternative = alternative;
  const std::uint32_t answer = state == 0 ? 0 : find_segment(thread, state);
  if (answer == 0) return forget_visits(thread);
  thread.segments[thread.segment_count++] = {scheduling.step, answer};
}

bool times_out_in_vain(const Thread& thread) {
  for (std::uint32_t i = thread.timed_segments; i < thread.segment_count; ++i)
    if (!holds(known->answers[thread.segments[i].answer])) return false;
  return true;
}

}  // namespace mazurka::runtime
