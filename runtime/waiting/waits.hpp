// Loops that wait. A round of a loop is *idle* if its thread comes back to the same access in the same local state and
// had no effect in between: cut out of an execution, it leaves one that is the same for everybody else. So no thread
// needs to do more than one of them.
//
// Where the round accesses a single location, its access is made an *await*: possible only while the location holds a
// value for which the round is not idle. Otherwise the thread does one such round and stops there for the rest of the
// execution (OperationKind::Spin), as after an assumption that does not hold; other orders of its loads and others'
// stores are other executions.
//
// The places in the code where threads wait are learnt (protocol::Wait): whenever one is found, executions before are
// worth nothing any more, and the explorer begins anew. Whether a round is idle a trial finds out (trial.hpp).
#pragma once

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// To be called once, before the snapshot is taken.
void prepare_waits();

/// The part of arrive() that looks closer.
bool arrive_and_look(Thread& thread);

/// A thread in exploration has announced an atomic access, which may be one that waits: it is made an await or a Spin
/// then. True in a trial of this thread, which goes on at once.
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

/// Sees to it that is_idle() can be answered for all threads. True in a trial of the running thread, which then goes
/// on.
bool settle_awaits();

/// Whether a step changes anything that others could see.
bool has_effect(const Event& event);

/// Whether local states are captured at the access that a thread has announced.
bool may_wait(const Thread& thread);

/// What is known of the thread's await and the value of its location. \pre settle_awaits()
TrialAnswer answer_of(const Thread& thread);

/// Whether the location of the thread's await holds a value for which its round is idle, or an assumption
/// fails. \pre settle_awaits()
bool is_idle(const Thread& thread);

/// Whether all that a thread read in the round before its Spin, or its wait without time-out, is still there, so that
/// it would read it for ever.
bool waits_for_ever(const Thread& thread);

/// Does the time that passes for a thread make a difference?
bool time_matters();
/// The program asks for the time: it does.
void note_time();
/// The C++ library asks for it because of a wait. Whether nobody else ever asks, so that it may be told anything that
/// fits that wait.
bool may_stop_time();

}  // namespace mazurka::runtime
