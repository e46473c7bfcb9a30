// What is wrong with an execution, as data. report/failure_text.hpp turns it into words.
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

/// Where a thread was, innermost call first, as sites.
using CallStack = std::vector<std::uint64_t>;

struct MemoryUse {
  Use use = Use::None;
  unsigned bytes = 0;
  ProcessIndex process = kNoProcess;
  CallStack stack;

  bool operator==(const MemoryUse&) const = default;
};

/// A block of the heap and who allocated it.
struct AllocatedBlock {
  std::uint64_t address = 0;  ///< 0 where there is none
  std::uint64_t bytes = 0;
  ProcessIndex process = kNoProcess;
  CallStack stack;

  bool operator==(const AllocatedBlock&) const = default;
};

/// A data race or a memory error: the use that failed, the earlier one that it clashes with, and the block.
struct MemoryClash {
  std::uint64_t address = 0;
  MemoryUse now;
  MemoryUse before;
  AllocatedBlock block;

  bool operator==(const MemoryClash&) const = default;
};

/// Blocks that were not freed and are out of reach at the end.
struct LeakedBlocks {
  std::uint32_t count = 0;
  AllocatedBlock first;

  bool operator==(const LeakedBlocks&) const = default;
};

/// What the process that ran the program died of.
struct ProcessDeath {
  bool by_signal = false;
  int number = 0;  ///< of the signal, or the exit status

  bool operator==(const ProcessDeath&) const = default;
};
/// `signal 11 (Segmentation fault)`
std::string to_string(const ProcessDeath& death);

/// A system call that a thread does not come back from.
struct StuckInSystemCall {
  std::string name;

  bool operator==(const StuckInSystemCall&) const = default;
};

/// A thread that goes on without a visible operation.
struct WithoutProgress {
  std::uint64_t milliseconds = 0;
  bool in_plain_loop = false;  ///< it accesses plain memory all the time, and no other thread can end that

  bool operator==(const WithoutProgress&) const = default;
};

/// The first event that was not what it was before.
struct Difference {
  std::size_t index = 0;
  Event before;
  Event now;
};

/// The step of a schedule that could not be taken.
struct ImpossibleStep {
  std::size_t index = 0;
  ProcessIndex process = kNoProcess;
  std::uint32_t alternative = 0;

  bool operator==(const ImpossibleStep&) const = default;
};

/// Words that the program gave: what an assertion says, the type of an exception, what it calls.
using GivenWords = std::string;

/// Nothing where the kind and the rest of the execution say everything, as the pending operations of a deadlock do.
using FailureDetail =
    std::variant<std::monostate, GivenWords, MemoryClash, LeakedBlocks, ObjectMisuse, BlockedAlone, RaisedSignal,
                 ProcessDeath, StuckInSystemCall, WithoutProgress, Difference, ImpossibleStep>;

struct Failure {
  FailureKind kind = FailureKind::None;
  ProcessIndex process = kNoProcess;  ///< who failed, where it was one process
  std::uint64_t site = 0;             ///< where in the code, 0 where that is not known
  FailureDetail detail;
  CallStack stack{};     ///< of a crash inside a library: the calls of the program that led there
  std::string inside{};  ///< and those inside, a line each, innermost first
  CallStack nearby{};    ///< where it may have been if `site` is not known, the likeliest first; a report picks one

  /// Whether anything is wrong. (A schedule that cannot be followed is not the program's failure: Outcome::Diverged.)
  explicit operator bool() const { return kind != FailureKind::None; }
  /// The detail, where it is words.
  std::string_view words() const {
    const auto* given = std::get_if<GivenWords>(&detail);
    return given == nullptr ? std::string_view{} : *given;
  }
};

}  // namespace mazurka
