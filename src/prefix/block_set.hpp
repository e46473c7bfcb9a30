// Sets of enriched conditions as sorted sequences of (key, mask): bit b of the mask stands for the element 32·key + b.
//
// Concurrent conditions come in bursts (all conditions of one event get consecutive numbers). So a block holds several
// elements if the relation is dense, and costs eight bytes if it is sparse.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace mazurka::prefix {

struct Block {
  std::uint32_t key;
  std::uint32_t mask;
};

using BlockVector = std::vector<Block>;
using BlockSpan = std::span<const Block>;

inline constexpr std::uint32_t kBlockBits = 32;

inline std::uint32_t key_of(std::uint32_t element) { return element / kBlockBits; }
inline std::uint32_t bit_of(std::uint32_t element) { return std::uint32_t{1} << (element % kBlockBits); }

/// Appends a block. \pre The key is new, or that of the last block.
inline void append(BlockVector& set, Block block) {
  if (!set.empty() && set.back().key == block.key)
    set.back().mask |= block.mask;
  else
    set.push_back(block);
}

inline bool contains(BlockSpan set, std::uint32_t element) {
  const std::uint32_t key = key_of(element);
  const Block* first = set.data();
  for (std::size_t length = set.size(); length > 0;) {
    const std::size_t half = length / 2;
    const bool right = first[half].key < key;
    first = right ? first + half + 1 : first;
    length = right ? length - half - 1 : half;
  }
  return first != set.data() + set.size() && first->key == key && (first->mask & bit_of(element)) != 0;
}

template <typename Visit>
void for_each(BlockSpan set, Visit&& visit) {
  for (const Block& block : set)
    for (std::uint32_t mask = block.mask; mask != 0; mask &= mask - 1)
      visit(block.key * kBlockBits + static_cast<std::uint32_t>(std::countr_zero(mask)));
}

/// Removes an element, if it is there; an empty block may remain.
inline void erase(BlockVector& set, std::uint32_t element) {
  const auto at = std::lower_bound(set.begin(), set.end(), key_of(element),
                                   [](const Block& block, std::uint32_t key) { return block.key < key; });
  if (at != set.end() && at->key == key_of(element)) at->mask &= ~bit_of(element);
}

}  // namespace mazurka::prefix
