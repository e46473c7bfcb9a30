// Why an execution failed, as data. report/failure_text.hpp turns it into sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/event.hpp"
#include "core/failure_kind.hpp"

namespace mazurka {

/// Sites (return addresses), innermost call first.
using CallStack = std::vector<std::uint64_t>;

struct MemoryUse {
  Use use = Use::None;
  unsigned bytes = 0;
  ProcessIndex process = kNoProcess;
  CallStack stack;

  bool operator==(const MemoryUse&) const = default;
};

/// A heap block and where it was allocated.
struct AllocatedBlock {
  std::uint64_t address = 0;  ///< 0 if there is none
  std::uint64_t bytes = 0;
  ProcessIndex process = kNoProcess;
  CallStack stack;

  bool operator==(const AllocatedBlock&) const = default;
};

/// A data race or a memory error: the failing access, the earlier one it conflicts with, and the heap block.
struct MemoryClash {
  std::uint64_t address = 0;
  MemoryUse now;
  MemoryUse before;
  AllocatedBlock block;

  bool operator==(const MemoryClash&) const = default;
};

/// Blocks that were neither freed nor reachable at the end.
struct LeakedBlocks {
  std::uint32_t count = 0;
  AllocatedBlock first;

  bool operator==(const LeakedBlocks&) const = default;
};

/// How the worker process died.
struct ProcessDeath {
  bool by_signal = false;
  int number = 0;  ///< the signal number or the exit status

  bool operator==(const ProcessDeath&) const = default;
};
/// `signal 11 (Segmentation fault)`
std::string to_string(const ProcessDeath& death);

/// A thread that does not return from a system call.
struct StuckInSystemCall {
  std::string name;

  bool operator==(const StuckInSystemCall&) const = default;
};

/// A thread that runs on without a visible operation.
struct WithoutProgress {
  std::uint64_t milliseconds = 0;
  bool in_plain_loop = false;  ///< it keeps accessing plain memory, and no other thread can make it stop

  bool operator==(const WithoutProgress&) const = default;
};

/// The first event that differs from the recorded one.
struct Difference {
  std::size_t index = 0;
  Event before;
  Event now;
};

/// The first step of a schedule that was not enabled.
struct ImpossibleStep {
  std::size_t index = 0;
  ProcessIndex process = kNoProcess;
  std::uint32_t alternative = 0;

  bool operator==(const ImpossibleStep&) const = default;
};

/// Text from the program: the message of an assertion, the type of an exception, the name of a function.
using GivenWords = std::string;

/// Empty if the kind and the execution say everything, as the pending operations of a deadlock do.
using FailureDetail =
    std::variant<std::monostate, GivenWords, MemoryClash, LeakedBlocks, ObjectMisuse, BlockedAlone, RaisedSignal,
                 ProcessDeath, StuckInSystemCall, WithoutProgress, Difference, ImpossibleStep>;

struct Failure {
  FailureKind kind = FailureKind::None;
  ProcessIndex process = kNoProcess;  ///< the process that failed, if it was one
  std::uint64_t site = 0;             ///< where in the code, 0 if unknown
  FailureDetail detail;
  CallStack stack{};     ///< for a crash inside a library: the program's own calls that led there
  std::string inside{};  ///< and the calls inside the library, one per line, innermost first
  CallStack nearby{};    ///< if `site` is unknown: candidates, the likeliest first; a report picks one

  /// Whether the execution failed. (A schedule that cannot be followed is not a failure of the program:
  /// Outcome::Diverged.)
  explicit operator bool() const { return kind != FailureKind::None; }
  /// The detail, if it is text.
  std::string_view words() const {
    const auto* given = std::get_if<GivenWords>(&detail);
    return given == nullptr ? std::string_view{} : *given;
  }
};

}  // namespace mazurka
