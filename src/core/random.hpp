// SplitMix64: small, fast, and the same on every machine and with every standard library, so that a seed printed today
// means the same schedule tomorrow.
#pragma once

#include <cstdint>

namespace mazurka {

/// SplitMix64's output function: a bijection after which near numbers are far apart, as hashes need it.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15U); }

  /// A number below `bound`, which must not be 0; the bias is below 2^-32 for bounds below 2^32.
  constexpr std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

}  // namespace mazurka
