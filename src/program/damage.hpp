// Validation of the shared segment. A program under test can write anywhere, also into the memory shared with the
// explorer. So nothing read from there is trusted: counts are read once, and counts, indices and enumerations are
// checked before use. A value that the runtime cannot have written was written by the program, and the execution is
// reported as such.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Which operations, events and offers a program with so many processes can have. Each kind has a field whose value is
/// bounded. There is no branch on the kind: in a random schedule it is random too, so it would be mispredicted.
class PossibleOperations {
 public:
  explicit PossibleOperations(std::size_t processes);
  std::size_t processes() const { return processes_; }

  [[gnu::always_inline]] bool contain(const Operation& operation, ProcessIndex process = 0) const {
    const Bound& bound = by_kind_[static_cast<std::uint8_t>(operation.kind)];
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const unsigned char*>(&operation) + bound.offset, sizeof word);
    return ((process < bound.processes) & (word - bound.least <= bound.more)) != 0;
  }
  bool contain(const Event& event) const { return contain(event.operation, event.process); }
  bool contain(const Offer& offer) const { return contain(offer.operation, offer.process); }

 private:
  /// The bounded word: in [least, least + more].
  struct Bound {
    std::uint64_t least = 0;
    std::uint64_t more = UINT64_MAX;
    std::uint32_t offset = 0;     ///< into the operation
    std::uint32_t processes = 0;  ///< 0: no program has such operations
  };
  static Bound bound(const KindFacts& kind, std::uint32_t processes);

  std::size_t processes_;
  std::array<Bound, 256> by_kind_{};
};

/// Validate enumerations of the segment: throw DamagedSegment if the value is out of range.
Outcome checked(Outcome outcome);
FailureKind checked(FailureKind kind);
protocol::Phase checked(protocol::Phase phase);
Use checked(Use use);
/// The text of a failure, from the program or the runtime.
std::string checked_message(const protocol::Channel& channel);

}  // namespace mazurka::program
