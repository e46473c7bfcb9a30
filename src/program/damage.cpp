#include "program/damage.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace mazurka::program {
namespace {

template <class Enumeration>
Enumeration at_most(Enumeration value, Enumeration last, const char* what) {
  if (value > last) throw DamagedSegment{what};
  return value;
}

}  // namespace

PossibleOperations::PossibleOperations(std::size_t processes) : processes_(processes) {
  for (const KindFacts& kind : kind_table::kRows)
    by_kind_[static_cast<std::size_t>(kind.kind)] = bound(kind, static_cast<std::uint32_t>(processes));
}

PossibleOperations::Bound PossibleOperations::bound(const KindFacts& kind, std::uint32_t processes) {
  constexpr std::uint64_t kLastAddress = UINT64_MAX - UINT8_MAX;  // whatever the size of an access
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48;    // of an address space
  if (kind.kind == OperationKind::None) return {};
  // `detail` is the upper half of the operation's first word.
  static_assert(offsetof(Operation, detail) == 4 && std::endian::native == std::endian::little);
  const auto detail = [&](std::uint64_t least, std::uint64_t most) {
    return Bound{least << 32, (most - least) << 32 | UINT32_MAX, 0, processes};
  };
  const auto object = [&](std::uint64_t most) { return Bound{0, most, offsetof(Operation, object), processes}; };
  switch (kind.carries) {
    case Carries::Action: return {};
    case Carries::Woken:
    case Carries::Waiter:
    case Carries::Wait: return detail(0, processes);
    case Carries::Message:
      return detail(0, std::min<std::uint64_t>(std::uint64_t{processes} << Operation::kSenderShift, UINT32_MAX));
    case Carries::Choices: return detail(1, UINT32_MAX);
    case Carries::Length: return {0, kMostBytes, offsetof(Operation, second), processes};
    case Carries::Call: return object(UINT64_MAX);
    case Carries::Nothing:
    case Carries::Released:
    case Carries::Arrival: break;
  }
  if (kind.family == Family::Thread) return object(std::uint64_t{processes} - 1);
  return object(kind.family == Family::Section ? UINT64_MAX : kLastAddress);
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
