// Incremental state hashes.
//
// The hash of a state is the exclusive or of the hashes of its locations, each with its value. A step that changes some
// locations changes the hash by a *delta*, whatever the other locations hold. So the deltas of the events of a
// configuration, in any order, lead from the hash of the initial state to the hash of the configuration's state.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

struct StateHash {
  std::uint64_t words[2] = {};

  constexpr StateHash& operator^=(const StateHash& other) {
    words[0] ^= other.words[0];
    words[1] ^= other.words[1];
    return *this;
  }
  bool operator==(const StateHash&) const = default;
};

struct HashOfStateHash {
  std::size_t operator()(const StateHash& hash) const noexcept { return hash.words[0]; }
};

/// The hash of a location that holds a value.
constexpr StateHash hash_of(std::uint64_t place, std::uint64_t value) {
  const auto mix = [](std::uint64_t x) {  // the finaliser of SplitMix64, a bijection
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  };
  const std::uint64_t first = mix(mix(place + 0x9e3779b97f4a7c15ULL) + value);
  const std::uint64_t second = mix(mix(place + 0x3c6ef372fe94f82aULL) ^ (value * 0xd1342543de82ef95ULL));
  return {{first, mix(second + first)}};
}

/// The delta of a change of one location.
constexpr StateHash hash_of_change(std::uint64_t place, std::uint64_t before, std::uint64_t after) {
  StateHash delta = hash_of(place, before);
  delta ^= hash_of(place, after);
  return delta;
}

}  // namespace mazurka
