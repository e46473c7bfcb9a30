// A set of packed markings of one width, numbered in order of insertion: open addressing over an arena, with exact
// comparison (hashes only preselect).
#pragma once

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "net/marking.hpp"

namespace mazurka::net {

class MarkingSet {
 public:
  explicit MarkingSet(std::size_t words) : words_(words), slots_(kFirstSlots, kEmpty) {}

  /// The number of the marking, and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::span<const Word> marking) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    const std::uint64_t hash = hash_marking(marking);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1))
      if (equal((*this)[slots_[slot]], marking)) return {slots_[slot], false};
    slots_[slot] = size_;
    arena_.insert(arena_.end(), marking.begin(), marking.end());
    return {size_++, true};
  }

  bool contains(std::span<const Word> marking) const {
    std::size_t slot = hash_marking(marking) & (slots_.size() - 1);
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1))
      if (equal((*this)[slots_[slot]], marking)) return true;
    return false;
  }

  std::span<const Word> operator[](std::uint32_t number) const { return {arena_.data() + number * words_, words_}; }
  std::uint32_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  static constexpr std::size_t kFirstSlots = 1024;

  static bool equal(std::span<const Word> a, std::span<const Word> b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kEmpty);
    for (std::uint32_t number = 0; number < size_; ++number) {
      std::size_t slot = hash_marking((*this)[number]) & (slots_.size() - 1);
      while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }

  std::size_t words_;
  std::uint32_t size_ = 0;
  std::vector<Word> arena_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace mazurka::net
