// The events of an execution. Plain data: shared with the runtime inside a program under test, and part of the
// protocol.
#pragma once

#include <cstdint>

#include "core/step.hpp"

namespace mazurka {

using EventIndex = std::uint32_t;
inline constexpr EventIndex kNoEvent = UINT32_MAX;

/// An executed step: it extends from one visible operation of a process to just before its next.
struct Event {
  Operation operation;
  ProcessIndex process = 0;
  std::uint32_t alternative = 0;
  std::uint32_t offers_begin = 0;  ///< into Execution::offers: all alternatives of the process at this point,
  std::uint32_t offers_count = 0;  ///< enabled or not; empty if there was only the one taken
  std::uint64_t value = 0;    ///< what the operation found: the value read or overwritten, 1 if a try succeeded, …
  std::uint64_t written = 0;  ///< what it left in memory; for a failed exchange or wait, the expected value
  std::uint64_t site = 0;     ///< where in the code, 0 for systems without code

  Step step() const { return {process, alternative}; }
  /// The part that a replay of the step must reproduce. For a store, that excludes the overwritten value, which may be
  /// uninitialised.
  std::uint64_t observed() const { return operation.kind == OperationKind::Store ? written : value; }
};

/// Event::value of an unlock by a process that does not hold the mutex.
inline constexpr std::uint64_t kNotHeld = 1;

/// One alternative for the next step of a process.
struct Offer {
  Operation operation;
  ProcessIndex process = 0;
  std::uint32_t alternative = 0;
  bool enabled = false;
  bool stopped = false;              ///< the process has reached the exploration's bound (core/bound.hpp)
  bool assumed = false;              ///< disabled because an assumption would fail after it; waits for nobody
  ProcessIndex holder = kNoProcess;  ///< holder of what a disabled operation waits for, if known
  std::uint64_t site = 0;

  Step step() const { return {process, alternative}; }
};

// Bits of Execution::stopped_by: why enabled processes did not continue.
inline constexpr std::uint32_t kStoppedByLength = 1;   ///< the execution reached its maximum length
inline constexpr std::uint32_t kStoppedBySteps = 2;    ///< a process reached its maximum number of steps
inline constexpr std::uint32_t kStoppedByThreads = 4;  ///< a thread was not created: its rank exceeds the bound
inline constexpr std::uint32_t kStoppedByTable = 8;    ///< a thread was not created: the thread table is full
inline constexpr std::uint32_t kStoppedByAny = 15;
inline constexpr std::uint32_t kStoppedByInterrupt =
    16;  ///< the explorer was interrupted and ended the execution; never set by workers

enum class Outcome : std::uint8_t {
  Finished,      ///< every process has terminated
  Deadlock,      ///< nothing is enabled, but some process has not terminated
  SleepBlocked,  ///< all enabled steps are in the sleep set: redundant
  Stopped,       ///< the job ended here
  Cut,           ///< an assumption failed
  Limit,         ///< stopped by a limit or a bound; Execution::stopped_by says which
  Error,         ///< the program failed; the execution says how
  Diverged,      ///< the prefix could not be replayed: uncontrolled nondeterminism, or a wrong schedule
  Unsupported,   ///< the program did something that Mazurka cannot control
};

}  // namespace mazurka
