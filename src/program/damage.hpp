// A program under test can write anywhere, also into the memory that it shares with the explorer. So nothing read from
// there is trusted: counts are read once, and they, indices and enumerations are checked before anything relies on
// them. What cannot have been written by the runtime was written by the program, and the execution is reported as such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/event.hpp"
#include "core/failure_kind.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

/// Thrown by whoever reads something impossible.
struct DamagedSegment {
  const char* what;  ///< which part of the segment
};

/// A count or index of the segment, if it is at most `most`.
inline std::uint32_t checked_count(const std::uint32_t& count, std::size_t most, const char* what) {
  const std::uint32_t value = __atomic_load_n(&count, __ATOMIC_RELAXED);
  if (value > most) throw DamagedSegment{what};
  return value;
}

/// Whether a program with that many processes can perform such an operation.
inline bool is_possible(const Operation& operation, std::size_t processes) {
  if (operation.kind == OperationKind::None || operation.kind >= OperationKind::Count) return false;
  const auto is_process_or_nobody = [&](std::uint32_t process) {
    return process == Operation::kNobody || process < processes;
  };
  const KindFacts& kind = facts(operation.kind);
  switch (kind.carries) {
    case Carries::Action: return false;  // of a network
    case Carries::Woken: return is_process_or_nobody(operation.woken());
    case Carries::Waiter:
    case Carries::Wait: return is_process_or_nobody(operation.waiter());
    case Carries::Choices: return operation.alternatives() > 0;
    default: break;
  }
  if (kind.family == Family::Thread) return operation.object < processes;
  return kind.family == Family::Section || operation.object + extent(operation) >= operation.object;
}
inline bool is_possible(const Event& event, std::size_t processes) {
  return event.process < processes && is_possible(event.operation, processes);
}
inline bool is_possible(const Offer& offer, std::size_t processes) {
  return offer.process < processes && is_possible(offer.operation, processes);
}

Outcome checked(Outcome outcome);
FailureKind checked(FailureKind kind);
protocol::Phase checked(protocol::Phase phase);
Use checked(Use use);
/// What the program or the runtime says about a failure.
std::string checked_message(const protocol::Channel& channel);

}  // namespace mazurka::program
