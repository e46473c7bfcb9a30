#include "program/damage.hpp"

#include <cstring>

namespace mazurka::program {
namespace {

template <class Enumeration>
Enumeration at_most(Enumeration value, Enumeration last, const char* what) {
  if (value > last) throw DamagedSegment{what};
  return value;
}

}  // namespace

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
