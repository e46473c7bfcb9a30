// The elements of a schedule. Plain data: shared with the runtime inside a program under test, and part of the
// protocol.
#pragma once

#include <compare>
#include <cstdint>

#include "core/operation.hpp"
#include "core/process.hpp"

namespace mazurka {

/// One element of a schedule: which process moves, and with which of its alternatives (0 unless it has a choice).
struct Step {
  ProcessIndex process = 0;
  std::uint32_t alternative = 0;

  auto operator<=>(const Step&) const = default;
};

/// A step in a sleep set: executions that begin with it have been explored already. It wakes when a dependent operation
/// is executed.
struct Sleeper {
  Step step;
  Operation operation;
};

/// How an execution continues after its prefix.
enum class Continuation : std::uint8_t {
  Stop,   ///< not at all: the answer tells what is enabled here
  First,  ///< the process that moved last while it is enabled, else the enabled one with the smallest index; preempts a
          ///< process that runs for long, as in a loop that waits for another process
  Random,  ///< uniformly among the enabled steps, from the job's seed
  // By priorities, from the job's seed and guidance (priorities.hpp):
  Pct,        ///< of processes, lowered at certain steps
  Pos,        ///< of pending steps
  ReadsFrom,  ///< of pending steps, after those that bring about the job's aims
};

constexpr bool is_sampled(Continuation continuation) { return continuation >= Continuation::Random; }
constexpr bool goes_by_priority(Continuation continuation) { return continuation >= Continuation::Pct; }

}  // namespace mazurka
