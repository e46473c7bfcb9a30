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

  /// Prefetches what drop() will access for a state with this hash.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(states_.data() + place(hash)); }
  /// Removes recent duplicates from a batch of states, one after the other, with what is beside each of them. Returns
  /// how many are left. Branch-free, since the outcome is unpredictable.
  template <typename Source>
  std::size_t drop(std::uint64_t* states, std::uint64_t* hashes, Source* sources, std::size_t size) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < size; ++i) {
      std::uint64_t* const last = states_.data() + place(hashes[i]);
      std::uint64_t different = 0;
      for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t word = states[i * words_ + w];
        different |= last[w] ^ word;
        last[w] = word;
        states[left * words_ + w] = word;
      }
      hashes[left] = hashes[i];
      sources[left] = sources[i];
      left += different != 0 ? 1 : 0;
    }
    return left;
  }

 private:
  std::size_t place(std::uint64_t hash) const { return (hash >> shift_) * words_; }

  std::size_t words_;
  std::vector<std::uint64_t> states_;
  unsigned shift_ = 0;
};

}  // namespace mazurka::network
