// Validation of the shared segment. A program under test can write anywhere, also into the memory shared with the
// explorer. So nothing read from there is trusted: counts are read once, and counts, indices and enumerations are
// checked before use. A value that the runtime cannot have written was written by the program, and the execution is
// reported as such.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/event.hpp"
#include "core/failure_kind.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

/// Thrown if a value in the segment is impossible.
struct DamagedSegment {
  const char* what;  ///< which part of the segment
};

/// Reads a count or index of the segment; throws if it exceeds `most`.
inline std::uint32_t checked_count(const std::uint32_t& count, std::size_t most, const char* what) {
  const std::uint32_t value = __atomic_load_n(&count, __ATOMIC_RELAXED);
  if (value > most) throw DamagedSegment{what};
  return value;
}

/// The validity condition of an operation, by kind.
enum class Condition : std::uint8_t { None, OnBytes, OnLength, OnProcess, NamesProcess, NamesSender, Chooses, Never };
inline constexpr auto kConditions = [] {
  std::array<Condition, 256> conditions;
  conditions.fill(Condition::Never);
  for (const KindFacts& kind : kind_table::kRows) {
    const auto condition = [&] {
      if (kind.kind == OperationKind::None || kind.carries == Carries::Action) return Condition::Never;
      if (kind.carries == Carries::Woken || kind.carries == Carries::Waiter || kind.carries == Carries::Wait)
        return Condition::NamesProcess;
      if (kind.carries == Carries::Message) return Condition::NamesSender;
      if (kind.carries == Carries::Choices) return Condition::Chooses;
      if (kind.carries == Carries::Length) return Condition::OnLength;
      if (kind.carries == Carries::Call) return Condition::None;
      if (kind.family == Family::Thread) return Condition::OnProcess;
      return kind.family == Family::Section ? Condition::None : Condition::OnBytes;
    };
    conditions[static_cast<std::size_t>(kind.kind)] = condition();
  }
  return conditions;
}();

/// Whether a program with this many processes can perform the operation. All conditions are evaluated and the kind
/// selects one: which one it is, is random in a random schedule, so a branch would be mispredicted.
[[gnu::always_inline]] inline bool is_possible(const Operation& operation, std::size_t processes) {
  const std::uint64_t bytes = operation.size + (operation.size == 0 ? 1U : 0U);
  const auto when = [](bool holds, Condition condition) {
    return static_cast<std::uint32_t>(holds) << static_cast<std::uint32_t>(condition);
  };
  const std::uint32_t hold =
      when(true, Condition::None) |  //
      when(operation.object + bytes >= operation.object, Condition::OnBytes) |
      when(operation.object + operation.length() >= operation.object, Condition::OnLength) |
      when(operation.object < processes, Condition::OnProcess) |
      when(operation.woken() + 1 <= processes, Condition::NamesProcess) |  // woken() is -1 for nobody
      when(operation.message() == 0, Condition::NamesSender) |
      when(operation.sender() < processes, Condition::NamesSender) |
      when(operation.alternatives() > 0, Condition::Chooses);
  return (hold >> static_cast<std::uint32_t>(kConditions[static_cast<std::uint8_t>(operation.kind)]) & 1) != 0;
}
inline bool is_possible(const Event& event, std::size_t processes) {
  return event.process < processes && is_possible(event.operation, processes);
}
inline bool is_possible(const Offer& offer, std::size_t processes) {
  return offer.process < processes && is_possible(offer.operation, processes);
}

/// Validate enumerations of the segment: throw DamagedSegment if the value is out of range.
Outcome checked(Outcome outcome);
FailureKind checked(FailureKind kind);
protocol::Phase checked(protocol::Phase phase);
Use checked(Use use);
/// The text of a failure, from the program or the runtime.
std::string checked_message(const protocol::Channel& channel);

}  // namespace mazurka::program
