// Trials: a child process goes on with one thread alone, to see whether it comes back to where it is without any
// effect. Its stack and its thread-local storage are part of its local state. Other memory is out of reach while the
// program's own code runs, so that accesses of code without instrumentation are noticed too: the answer depends on what
// it reads. What read-modify-writes write is compared in the end with what was there; other writes end the trial.
#pragma once

#include <ucontext.h>

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/local_state.hpp"

namespace mazurka::runtime {

/// What one thread did: its own events among those with these numbers.
struct Round {
  std::uint32_t begin;
  std::uint32_t end;
};

enum class TrialAnswer : std::uint8_t {
  Unknown,
  Busy,     ///< it had an effect, or did not come back
  Idle,     ///< it came back, and accessed nothing but the one location
  IdleToo,  ///< it came back, and accessed something else as well
  Assumed,  ///< it came to an assumption that does not hold, with no other access before
  InTrial,  ///< said in the trial itself, where the thread is the running one and goes on
};

/// A plain access of a thread to its own stack.
struct StackAccess {
  std::uint64_t address;
  std::uint64_t site;
  std::uint32_t bytes;
  bool write;
};
/// Those of the last trial.
const StackAccess* stack_accesses();
std::uint32_t stack_access_count();

/// Eight bytes or less that a round reads without any step, and which are no part of its thread's local state.
struct PlainRead {
  std::uint64_t address;
  std::uint64_t value;
  std::uint32_t bytes;
};
/// Those of the last trial. Its answer holds as long as they have these values.
const PlainRead* plain_reads();
std::uint32_t plain_read_count();

/// Makes room for what trials know, in memory that they share with us. To be called once.
void prepare_trials();

/// Tries whether a thread that stands before an access in this state comes back, with memory as it is and no accesses
/// but of that location.
TrialAnswer try_round(Thread& thread, StateNumber state);
/// The running thread is back where the round began: tries whether that round, reading the same, has no effect.
TrialAnswer try_again(Thread& thread, StateNumber state, Round round);

/// The running thread has just locked a mutex: tries whether it comes back to that, having done nothing with others but
/// unlock it and lock it again, with memory as it is.
TrialAnswer try_locked_round(Thread& thread, StateNumber state);
/// The running thread has just taken a step: tries whether it comes to the next one without an effect.
TrialAnswer try_segment(Thread& thread, StateNumber state);
/// In a trial: the thread has locked a mutex.
void lock_in_trial(Thread& thread);

/// On the driver's stack: forks the trial that was asked for. In the child the tried thread is the running one then.
void fork_trial();

/// In a trial: the thread has announced an operation.
void continue_trial(Thread& thread);
/// In a trial: something happens that is an effect.
[[noreturn]] void end_trial();
inline void no_trial() {
  if (scheduling.in_trial) [[unlikely]]
    end_trial();
}
/// In a trial: a signal came. Where it was an access of memory that the thread may make, it is made again.
void signal_in_trial(int number, std::uint64_t address, bool is_write, ucontext_t& context);

/// Whether an operation may be part of an idle round, if it changes nothing.
bool may_be_idle(const Operation& operation);
/// What the location of an access holds.
std::uint64_t value_at(const Operation& operation);

}  // namespace mazurka::runtime
