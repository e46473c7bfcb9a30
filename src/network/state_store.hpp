// A set of packed states that numbers them in order of arrival: states lie in an arena of fixed blocks, and an
// open-addressing table finds their numbers. The arena in order is a breadth-first queue at no extra cost.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace mazurka::network {

using StateId = std::uint32_t;

class StateStore {
 public:
  explicit StateStore(std::uint32_t words);

  struct Inserted {
    StateId id;
    bool fresh;
  };
  /// `state` may not point into the store. Throws std::length_error beyond 2^32 - 2 states.
  Inserted insert(const std::uint64_t* state) { return insert(state, hash(state)); }
  Inserted insert(const std::uint64_t* state, std::uint64_t hash);

  std::uint64_t hash(const std::uint64_t* state) const;
  /// Brings the slot that `insert` will look at into the cache.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&table_[hash & (table_.size() - 1)]); }

  const std::uint64_t* operator[](StateId id) const {
    return blocks_[id >> kBlockBits].get() + std::size_t{id & (kBlockStates - 1)} * words_;
  }
  StateId size() const { return size_; }
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kBlockBits = 14;
  static constexpr std::uint32_t kBlockStates = 1U << kBlockBits;

  // A slot holds the state's number + 1 (0: empty) and 32 bits of its hash, which spare most looks into the arena.
  struct Slot {
    std::uint32_t number = 0;
    std::uint32_t tag = 0;
  };

  void grow();

  std::uint32_t words_;
  StateId size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<Slot> table_;
};

}  // namespace mazurka::network
