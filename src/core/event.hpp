// The elements of an execution. Plain data: the runtime inside a program under test and the protocol use it too.
#pragma once

#include <cstdint>

#include "core/step.hpp"

namespace mazurka {

using EventIndex = std::uint32_t;

/// A step that was taken: from one visible operation of a process to just before its next.
struct Event {
  Operation operation;
  ProcessIndex process = 0;
  std::uint32_t alternative = 0;
  std::uint32_t offers_begin = 0;  ///< into Execution::offers: all alternatives the process had at this point,
  std::uint32_t offers_count = 0;  ///< enabled or not; none listed where there was just the one taken
  std::uint64_t value = 0;         ///< what it found: the value read or overwritten, 1 if a try succeeded, …
  std::uint64_t written = 0;       ///< what it left there; of an exchange or wait that failed, what it expected
  std::uint64_t site = 0;          ///< where in the code it was performed, 0 where there is no code

  Step step() const { return {process, alternative}; }
  /// What a repetition of the step must find again. A store does not look at what it overwrites, which may be rubbish.
  std::uint64_t observed() const { return operation.kind == OperationKind::Store ? written : value; }
};

/// The value of an operation that was to give a mutex back and found that its process does not hold it.
inline constexpr std::uint64_t kNotHeld = 1;

/// An alternative that a process has for its next step.
struct Offer {
  Operation operation;
  ProcessIndex process = 0;
  std::uint32_t alternative = 0;
  bool enabled = false;
  bool stopped = false;              ///< the process goes no further in this exploration (core/bound.hpp)
  bool assumed = false;              ///< it is disabled because an assumption would not hold after it: nobody waits
  ProcessIndex holder = kNoProcess;  ///< who has what a disabled operation waits for, where that is known
  std::uint64_t site = 0;

  Step step() const { return {process, alternative}; }
};

// What kept processes that could move from going on: bits of Execution::stopped_by.
inline constexpr std::uint32_t kStoppedByLength = 1;   ///< the whole execution was as long as it may be
inline constexpr std::uint32_t kStoppedBySteps = 2;    ///< a process had taken as many steps as each of them may
inline constexpr std::uint32_t kStoppedByThreads = 4;  ///< a thread was not created: it needs more than there may be
inline constexpr std::uint32_t kStoppedByTable = 8;    ///< a thread was not created: there is no place for another one
inline constexpr std::uint32_t kStoppedByAny = 15;
inline constexpr std::uint32_t kStoppedByInterrupt =
    16;  ///< the explorer was told to stop, and ended it; not of workers

enum class Outcome : std::uint8_t {
  Finished,      ///< every process has ended
  Deadlock,      ///< some process waits and nothing is enabled
  SleepBlocked,  ///< only sleeping processes are enabled: redundant
  Stopped,       ///< the job asked to stop here
  Cut,           ///< an assumption failed
  Limit,         ///< a limit or a bound kept it from going on: the execution says which (kStoppedBy…)
  Error,         ///< the program failed; the execution says how
  Diverged,      ///< the prefix could not be followed: uncontrolled nondeterminism, or a wrong schedule
  Unsupported,   ///< the program did something that cannot be controlled
};

}  // namespace mazurka
