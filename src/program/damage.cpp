#include "program/damage.hpp"

#include <cstring>

namespace mazurka::program {
namespace {

bool is_process_or_nobody(std::uint32_t process, std::size_t processes) {
  return process == Operation::kNobody || process < processes;
}

template <class Enumeration>
Enumeration at_most(Enumeration value, Enumeration last, const char* what) {
  if (value > last) throw DamagedSegment{what};
  return value;
}

}  // namespace

bool is_possible(const Operation& operation, std::size_t processes) {
  if (operation.kind == OperationKind::None || operation.kind >= OperationKind::Count) return false;
  const KindFacts& kind = facts(operation.kind);
  switch (kind.carries) {
    case Carries::Action: return false;  // of a network
    case Carries::Woken: return is_process_or_nobody(operation.woken(), processes);
    case Carries::Waiter:
    case Carries::Wait: return is_process_or_nobody(operation.waiter(), processes);
    case Carries::Choices: return operation.alternatives() > 0;
    default: break;
  }
  if (kind.family == Family::Thread) return operation.object < processes;
  return kind.family == Family::Section || operation.object + extent(operation) >= operation.object;
}

Outcome checked(Outcome outcome) { return at_most(outcome, Outcome::Unsupported, "the outcome"); }
FailureKind checked(FailureKind kind) { return at_most(kind, kLastFailureKind, "the kind of failure"); }
protocol::Phase checked(protocol::Phase phase) { return at_most(phase, protocol::Phase::Restoring, "the phase"); }
Use checked(Use use) { return at_most(use, Use::Free, "the use of memory"); }

std::string checked_message(const protocol::Channel& channel) {
  const std::size_t length = strnlen(channel.message, protocol::kMessageBytes);
  if (length == protocol::kMessageBytes) throw DamagedSegment{"the message"};
  return {channel.message, length};
}

}  // namespace mazurka::program
