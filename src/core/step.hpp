// The elements of a schedule. Plain data: the runtime inside a program under test and the protocol use it too.
#pragma once

#include <compare>
#include <cstdint>

#include "core/operation.hpp"
#include "core/process.hpp"

namespace mazurka {

/// One element of a schedule: which process moves, and by which of its alternatives (0 unless it has a choice).
struct Step {
  ProcessIndex process = 0;
  std::uint32_t alternative = 0;

  auto operator<=>(const Step&) const = default;
};

/// A step that would only lead to executions already seen; it wakes when a dependent operation happens.
struct Sleeper {
  Step step;
  Operation operation;
};

/// How an execution goes on after its prefix.
enum class Continuation : std::uint8_t {
  Stop,    ///< not at all: the answer tells what is enabled here
  First,   ///< the process that moved last as long as it can, else the one with the smallest index; where that would
           ///< go on for long, as in a loop that waits for another process, sometimes another one
  Random,  ///< uniformly among the enabled steps, from the job's seed
  // By priorities from the job's seed and guidance (priorities.hpp):
  Pct,        ///< of processes, which fall at certain steps
  Pos,        ///< of steps
  ReadsFrom,  ///< of steps, after those that bring about what the job aims at
};

constexpr bool is_sampled(Continuation continuation) { return continuation >= Continuation::Random; }
constexpr bool goes_by_priority(Continuation continuation) { return continuation >= Continuation::Pct; }

}  // namespace mazurka
