// Packed 1-safe markings and the token game on them. A marking is a sequence of 64-bit words, one bit per place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/net.hpp"

namespace mazurka::net {

using Word = std::uint64_t;

inline std::size_t words_for(std::size_t places) { return (places + 63) / 64; }
inline bool holds(std::span<const Word> marking, PlaceId place) { return (marking[place / 64] >> (place % 64)) & 1; }
inline void put(std::span<Word> marking, PlaceId place) { marking[place / 64] |= Word{1} << (place % 64); }
inline void take(std::span<Word> marking, PlaceId place) { marking[place / 64] &= ~(Word{1} << (place % 64)); }
inline void flip(std::span<Word> marking, PlaceId place) { marking[place / 64] ^= Word{1} << (place % 64); }

std::uint64_t hash_marking(std::span<const Word> marking);

/// A place that would get a second token.
struct Overflow {
  PlaceId place;
};

/// The token game of a net: the definition against which everything else is checked.
class Simulator {
 public:
  explicit Simulator(const Net& net);

  std::vector<Word> initial() const { return initial_; }
  bool enabled(std::span<const Word> marking, TransitionId transition) const;
  bool deadlocked(std::span<const Word> marking) const;

  /// Fires an enabled transition. If it returns an overflow, the marking is meaningless.
  std::optional<Overflow> fire(std::span<Word> marking, TransitionId transition) const;

  /// Fires the whole sequence; none if a transition is not enabled or a place overflows.
  std::optional<std::vector<Word>> replay(std::span<const TransitionId> sequence) const;

 private:
  const Net& net_;
  std::vector<Word> initial_;
};

}  // namespace mazurka::net
