// The events of an execution, grouped by the objects they act on, so that a search for interfering events visits only
// the events on the same objects, not the whole execution.
//
// An object is a range of bytes as accessed or freed by some operation, or a thread, or a server. An operation acts on
// one object; a condition wait acts on its mutex too, and an atomic section on the objects of all its operations. An
// operation is related to every object that overlaps one of its own. The chains of the related objects contain every
// event that depends on the operation, except those of the same process and those that interfere with everything; they
// may contain others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

class ObjectChains {
 public:
  using ChainIndex = std::uint32_t;
  /// The chains for one operation.
  struct Set {
    std::vector<ChainIndex> related;  ///< of all objects that overlap its own, including these
    std::vector<ChainIndex> own;      ///< of the objects it acts on
  };

  /// Finds the chains of an operation, and creates missing ones.
  void find(const Operation& operation, Set& set);
  /// Fast path: the only chain of the operation, if a recent find() found just one; else kNoChain.
  ChainIndex only(const Operation& operation) const {
    if (operation.second != 0 && second_object(operation) != 0) return kNoChain;
    const std::size_t place = hash(operation.object);
    const auto is_it = [&](const Alone& alone) {
      return alone.object == operation.object && alone.end == operation.object + extent(operation) &&
             alone.family == family(operation.kind);
    };
    if (const Alone& alone = alone_[place % kAlone]; is_it(alone)) return alone.chain;
    const Alone& other = alone_[place / kAlone % kAlone];
    return is_it(other) ? other.chain : kNoChain;
  }
  static constexpr ChainIndex kNoChain = UINT32_MAX;

  /// The events of a chain, oldest first.
  const std::vector<EventIndex>& events(ChainIndex chain) const { return chains_[chain].events; }
  /// Whether all operations on this chain so far are of one family, or begin or end the object's lifetime. Then all of
  /// them access the whole object, so that a write, say, interferes with each of them.
  bool uniform(ChainIndex chain) const { return chains_[chain].uniform; }
  /// Whether an operation of one of these kinds has ever been on the chain.
  bool seen_any(ChainIndex chain, KindSet kinds) const { return (chains_[chain].kinds & kinds) != 0; }

  void push(ChainIndex chain, EventIndex event, const Operation& operation);
  /// Removes the last event of a chain.
  void pop(ChainIndex chain) { chains_[chain].events.pop_back(); }

 private:
  struct Chain {
    std::uint64_t object = 0;
    std::uint64_t end = 0;  // one past its last byte
    std::vector<EventIndex> events;
    KindSet kinds = 0;  // all kinds seen so far
    Family family = Family::Local;
    bool uniform = true;
  };
  static constexpr std::uint32_t kNoGranule = UINT32_MAX;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t granule = kNoGranule;
  };

  /// An object that overlaps no other, so that its own chain is the only related one.
  struct Alone {
    std::uint64_t object = 0;
    std::uint64_t end = 0;  // 0: empty
    Family family = Family::Local;
    ChainIndex chain = 0;
  };
  static constexpr std::size_t kAlone = 64;  // a power of two

  static std::size_t hash(std::uint64_t key) { return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32); }
  /// Two-way associative: two objects that share a slot do not evict each other at every step.
  Alone& alone_place(const Operation& operation) {
    const std::size_t place = hash(operation.object);
    Alone& first = alone_[place % kAlone];
    Alone& second = alone_[place / kAlone % kAlone];
    return first.end != 0 && second.end == 0 ? second : first;
  }

  void add(const Operation& operation, Set& set);
  ChainIndex find_range(std::uint64_t object, std::uint64_t end, std::uint64_t space, Set& set);
  std::uint32_t granule(std::uint64_t key);
  void grow();

  std::vector<Chain> chains_;
  std::vector<std::vector<ChainIndex>> granules_;  // the objects that overlap this granule of eight bytes
  std::vector<ChainIndex> wide_;                   // objects with too many granules to list in each
  std::vector<Slot> slots_;                        // open addressing; its size is a power of two, at most half full
  std::array<Alone, kAlone> alone_;                // recently found, by a part of the hash
};

}  // namespace mazurka
