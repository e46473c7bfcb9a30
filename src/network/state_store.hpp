// A set of packed states, numbered in order of insertion. States lie in an arena of fixed blocks, and an
// open-addressing table maps them to their numbers. The arena doubles as the breadth-first queue.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/huge_memory.hpp"

namespace mazurka::network {

using StateId = std::uint32_t;

inline constexpr StateId kNoState = std::numeric_limits<StateId>::max();

class StateStore {
 public:
  explicit StateStore(std::uint32_t words);

  struct Inserted {
    StateId id;
    bool fresh;
  };
  /// \pre `state` does not point into the store. Throws std::length_error beyond 2^32 - 2 states.
  Inserted insert(const std::uint64_t* state) { return insert(state, hash(state)); }
  Inserted insert(const std::uint64_t* state, std::uint64_t hash);

  /// The number of `state`, or kNoState.
  StateId find(const std::uint64_t* state, std::uint64_t hash) const;

  std::uint64_t hash(const std::uint64_t* state) const {
    if (words_ > kShort) return long_hash(state);
    std::uint64_t h = 0x9e3779b97f4a7c15U;
    for (std::uint32_t w = 0; w < words_; ++w) {
      h = (h ^ state[w]) * 0xd6e8feb86659fd93U;
      h ^= h >> 32;
    }
    h *= 0xd6e8feb86659fd93U;
    return h ^ (h >> 29);
  }
  /// Prefetches the slot that `insert` will access.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&table()[hash & mask_]); }
  /// Prefetches the state that `insert` will compare with, if there is one. \pre The slot is in the cache.
  void prefetch_state(std::uint64_t hash) const {
    const Slot& slot = table()[hash & mask_];
    if (slot.number != 0 && slot.tag == static_cast<std::uint32_t>(hash >> 32))
      __builtin_prefetch((*this)[slot.number - 1]);
  }

  const std::uint64_t* operator[](StateId id) const {
    return static_cast<const std::uint64_t*>(blocks_[id >> block_bits_].get()) +
           std::size_t{id & ((1U << block_bits_) - 1)} * words_;
  }
  StateId size() const { return size_; }
  std::size_t bytes() const;

 private:
  // A slot holds the state's number + 1 (0: empty) and 32 bits of its hash, which save most accesses to the arena.
  struct Slot {
    std::uint32_t number = 0;
    std::uint32_t tag = 0;
  };

  static constexpr std::uint32_t kShort = 8;  // states up to this many words are hashed inline

  std::uint64_t long_hash(const std::uint64_t* state) const;
  bool equal(StateId id, const std::uint64_t* state) const {
    const std::uint64_t* own = (*this)[id];
    for (std::uint32_t w = 0; w < words_; ++w)
      if (own[w] != state[w]) return false;
    return true;
  }
  void grow();

  const Slot* table() const { return static_cast<const Slot*>(table_.get()); }
  Slot* table() { return static_cast<Slot*>(table_.get()); }
  void allocate_table(std::size_t slots);

  std::uint32_t words_;
  std::uint32_t block_bits_;  // a block has 2^block_bits_ states
  StateId size_ = 0;
  std::vector<HugeMemory> blocks_;
  HugeMemory table_;
  std::size_t mask_ = 0;  // slots - 1
};

}  // namespace mazurka::network
