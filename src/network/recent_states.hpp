// About half of all successors are duplicates of recent ones. A table of those that fits into the second-level cache
// saves most accesses to the store of all states.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace mazurka::network {

class RecentStates {
 public:
  /// Each entry is this state at first, which has been seen.
  explicit RecentStates(const std::vector<std::uint64_t>& initial) : words_(initial.size()) {
    constexpr std::size_t kBytes = std::size_t{1} << 18;
    constexpr unsigned kHashBits = 64;
    const auto bits = std::max(static_cast<unsigned>(std::bit_width(kBytes / (words_ * sizeof(std::uint64_t)))), 1U);
    shift_ = kHashBits - bits;
    for (std::size_t i = 0; i < std::size_t{1} << bits; ++i)
      states_.insert(states_.end(), initial.begin(), initial.end());
  }

  /// The last state whose hash begins with the same bits.
  std::uint64_t* operator[](std::uint64_t hash) { return states_.data() + (hash >> shift_) * words_; }
  /// Remembers a state. False if it was the last one already.
  bool replace(std::uint64_t hash, const std::uint64_t* state) {
    std::uint64_t* const last = (*this)[hash];
    std::uint64_t different = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      different |= last[w] ^ state[w];
      last[w] = state[w];
    }
    return different != 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> states_;
  unsigned shift_ = 0;
};

}  // namespace mazurka::network
