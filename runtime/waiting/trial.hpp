// Trials: a child process continues with one thread alone, to see whether it comes back to the same state without an
// effect. The thread's stack and thread-local storage are part of its local state. All other memory is protected while
// the program's code runs, so that accesses of uninstrumented code are noticed too: the answer depends on what they
// read. Values written by read-modify-writes are compared with the old ones at the end; other writes end the trial.
#pragma once

#include <ucontext.h>

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/local_state.hpp"

namespace mazurka::runtime {

/// A round: the events of one thread among those with these numbers.
struct Round {
  std::uint32_t begin;
  std::uint32_t end;
};

enum class TrialAnswer : std::uint8_t {
  Unknown,
  Busy,     ///< it had an effect, or did not come back
  Idle,     ///< it came back, and only accessed the one location
  IdleToo,  ///< it came back, and accessed other memory too
  Assumed,  ///< it reached a failing assumption without another access
  InTrial,  ///< returned in the child: the thread runs on
};

/// A plain access of a thread to its own stack.
struct StackAccess {
  std::uint64_t address;
  std::uint64_t site;
  std::uint32_t bytes;
  bool write;
};
/// The stack accesses of the last trial.
const StackAccess* stack_accesses();
std::uint32_t stack_access_count();

/// Up to eight bytes read by a round without a scheduling point, and not part of the thread's local state.
struct PlainRead {
  std::uint64_t address;
  std::uint64_t value;
  std::uint32_t bytes;
};
/// The plain reads of the last trial. Its answer is valid as long as they have these values.
const PlainRead* plain_reads();
std::uint32_t plain_read_count();

/// Allocates the memory shared with trials. Call once.
void prepare_trials();

/// Trial of a round: does the thread come back to the access it is about to make, in this state, with memory as it is
/// and no accesses to other locations?
TrialAnswer try_round(Thread& thread, StateNumber state);
/// The running thread has come back: would the same round, reading the same values, have no effect?
TrialAnswer try_again(Thread& thread, StateNumber state, Round round);

/// The running thread has just locked a mutex: does it come back to this point by only unlocking and relocking it, with
/// memory as it is?
TrialAnswer try_locked_round(Thread& thread, StateNumber state);
/// The running thread has just taken a step: does it reach its next one without an effect?
TrialAnswer try_segment(Thread& thread, StateNumber state);
/// In a trial: the thread has locked a mutex.
void lock_in_trial(Thread& thread);

/// On the driver's stack: forks the requested trial. In the child the thread under trial becomes the running one.
void fork_trial();

/// In a trial: the thread has announced an operation.
void continue_trial(Thread& thread);
/// In a trial: the thread has an effect, so the round is not idle.
[[noreturn]] void end_trial();
inline void no_trial() {
  if (scheduling.in_trial) [[unlikely]]
    end_trial();
}
/// In a trial: handles a signal. If it is a fault by a permitted access, the access is repeated.
void signal_in_trial(int number, std::uint64_t address, bool is_write, ucontext_t& context);

/// A try to take a mutex, a read-write lock or a semaphore.
constexpr bool is_try(OperationKind kind) {
  const Family objects = family(kind);
  return may_fail(kind) && (objects == Family::Mutex || objects == Family::RwLock || objects == Family::Semaphore);
}
/// Whether an operation may be part of an idle round, if it changes nothing.
bool may_be_idle(const Operation& operation);
/// The value at the location of an access.
std::uint64_t value_at(const Operation& operation);

}  // namespace mazurka::runtime
