// Sets of actions and of processes as bits in 64-bit words: dense ones, of which a search keeps a few, and sparse ones,
// of which the tables of local facts contain thousands.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace mazurka::stateful {

using Word = std::uint64_t;
inline constexpr std::uint32_t kWordBits = 64;

inline std::uint32_t words_for(std::size_t bits) {
  return static_cast<std::uint32_t>((bits + kWordBits - 1) / kWordBits);
}

inline bool has_bit(const Word* set, std::uint32_t i) { return ((set[i / kWordBits] >> (i % kWordBits)) & 1U) != 0; }
inline void set_bit(Word* set, std::uint32_t i) { set[i / kWordBits] |= Word{1} << (i % kWordBits); }
inline void clear_bit(Word* set, std::uint32_t i) { set[i / kWordBits] &= ~(Word{1} << (i % kWordBits)); }

/// Calls `visit(i)` for the members in one word of a set, in order; `word` is the index of the word.
template <typename Visit>
void for_each_bit_of_word(std::uint32_t word, Word bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

/// Calls `visit(i)` for the members of a set, in order.
template <typename Visit>
void for_each_bit(std::span<const Word> set, Visit&& visit) {
  for (std::uint32_t w = 0; w < set.size(); ++w) for_each_bit_of_word(w, set[w], visit);
}

inline std::uint32_t count_bits(std::span<const Word> set) {
  std::uint32_t count = 0;
  for (Word word : set) count += static_cast<std::uint32_t>(std::popcount(word));
  return count;
}

inline bool none(std::span<const Word> set) {
  for (Word word : set)
    if (word != 0) return false;
  return true;
}

/// a ⊆ b, both of `words` words.
inline bool subset(const Word* a, const Word* b, std::uint32_t words) {
  for (std::uint32_t w = 0; w < words; ++w)
    if ((a[w] & ~b[w]) != 0) return false;
  return true;
}

/// The words of a set that are not zero.
struct SparseWord {
  std::uint32_t word;
  Word bits;
};
using SparseSet = std::span<const SparseWord>;

/// Many sparse sets in one array.
class SparseSets {
 public:
  using Id = std::uint32_t;

  /// \pre `members` is sorted.
  Id add(std::span<const std::uint32_t> members) {
    for (std::uint32_t member : members) {
      const std::uint32_t word = member / kWordBits;
      if (words_.size() == begin_.back() || words_.back().word != word) words_.push_back({word, 0});
      words_.back().bits |= Word{1} << (member % kWordBits);
    }
    begin_.push_back(static_cast<std::uint32_t>(words_.size()));
    return static_cast<Id>(begin_.size() - 2);
  }

  SparseSet operator[](Id id) const { return std::span(words_).subspan(begin_[id], begin_[id + 1] - begin_[id]); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  std::size_t bytes() const {
    return words_.capacity() * sizeof(SparseWord) + begin_.capacity() * sizeof(std::uint32_t);
  }

 private:
  std::vector<SparseWord> words_;
  std::vector<std::uint32_t> begin_{0};
};

inline bool subset(SparseSet a, const Word* b) {
  for (const SparseWord& word : a)
    if ((word.bits & ~b[word.word]) != 0) return false;
  return true;
}

inline bool intersects(SparseSet a, const Word* b) {
  for (const SparseWord& word : a)
    if ((word.bits & b[word.word]) != 0) return true;
  return false;
}

inline void remove(Word* from, SparseSet set) {
  for (const SparseWord& word : set) from[word.word] &= ~word.bits;
}

inline void insert(Word* into, SparseSet set) {
  for (const SparseWord& word : set) into[word.word] |= word.bits;
}

}  // namespace mazurka::stateful
