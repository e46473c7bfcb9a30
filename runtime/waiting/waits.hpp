// Waiting loops. A round of a loop is *idle* if its thread comes back to the same access in the same local state and
// had no effect in between. Removing it from an execution makes no difference to any other thread, so no thread needs
// to do more than one idle round.
//
// If the round accesses a single location, its access is turned into an *await*: it is enabled only if the location
// holds a value for which the round is not idle. Otherwise the thread does one such round and stops for the rest of the
// execution (OperationKind::Spin), as after a failed assumption; other orders of its loads and the stores of others are
// other executions.
//
// Waiting sites are learnt (protocol::Wait): whenever one is found, all earlier executions are void, and the explorer
// starts again. A trial finds out whether a round is idle (trial.hpp).
#pragma once

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// Call once, before take_snapshot().
void prepare_waits();

/// The slow path of arrive().
bool arrive_and_look(Thread& thread);

/// The running thread has announced an atomic access. If the thread waits there, turns the access into an await or a
/// Spin. True in a trial of this thread, which then continues at once.
inline bool arrive(Thread& thread) {
  thread.access = scheduling.reporting ? scheduling.return_address : thread.site + image.base;
  if (!scheduling.knows_waits && !scheduling.learns_waits) return false;
  const bool is_back = thread.access == thread.mark && thread.pending.object == thread.mark_object;
  if (!is_back) ++thread.since_mark;
  const bool may_learn = scheduling.learns_waits && (is_back || thread.since_mark >= thread.mark_after);
  if (!scheduling.knows_waits && !may_learn) [[likely]]
    return false;
  return arrive_and_look(thread);
}

/// Runs the trials that is_idle() needs. True in a trial of the running thread, which then continues at once.
/// \post is_idle() can be answered for all threads.
bool settle_awaits();

/// Whether a step changes anything that others could observe.
bool has_effect(const Event& event);

/// Whether the local state can be captured at the access that a thread has announced.
bool may_wait(const Thread& thread);

/// The answer for the thread's await and the current value of its location. \pre settle_awaits()
TrialAnswer answer_of(const Thread& thread);

/// Whether the thread's await is disabled: with the current value its round is idle, or an assumption fails.
/// \pre settle_awaits()
bool is_idle(const Thread& thread);

/// Whether everything that the thread read in the round before its Spin, or its wait without time-out, is unchanged, so
/// that it would read the same forever.
bool waits_for_ever(const Thread& thread);

/// Whether the program can observe the virtual time of threads.
bool time_matters();
/// The program reads the clock.
void note_time();
/// The C++ library reads the clock for a timed wait. Whether nothing else ever reads it, so that any time that is
/// consistent with the wait will do.
bool may_stop_time();

}  // namespace mazurka::runtime
