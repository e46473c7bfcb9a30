// The events of an execution by the objects they act on: whoever looks for what interferes with an operation looks at
// the events on its objects only, not at the whole execution.
//
// An object is a range of bytes as some operation accesses or frees it, a thread or a server. An operation acts on one
// object, a wait on a condition variable also on its mutex, an atomic section on those of its operations; it is related
// to all objects that share a byte with its own. Their chains hold every event that depends on it, except events that
// interfere with everything and those of the same process, and may hold others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

class ObjectChains {
 public:
  using ChainIndex = std::uint32_t;
  /// The chains that concern an operation.
  struct Set {
    std::vector<ChainIndex> related;  ///< of all objects that share a byte with its own, these included
    std::vector<ChainIndex> own;      ///< of the objects it acts on
  };

  /// The chains of an operation; makes those that are not there yet.
  void find(const Operation& operation, Set& set);
  /// The only chain of an operation, if find() was asked lately and there was no other; else kNone.
  ChainIndex only(const Operation& operation) const {
    if (operation.second != 0 && second_object(operation) != 0) return kNone;
    const std::size_t place = hash(operation.object);
    const auto is_it = [&](const Alone& alone) {
      return alone.object == operation.object && alone.end == operation.object + extent(operation) &&
             alone.family == family(operation.kind);
    };
    if (const Alone& alone = alone_[place % kAlone]; is_it(alone)) return alone.chain;
    const Alone& other = alone_[place / kAlone % kAlone];
    return is_it(other) ? other.chain : kNone;
  }
  static constexpr ChainIndex kNone = UINT32_MAX;

  /// The events of a chain, oldest first.
  const std::vector<EventIndex>& events(ChainIndex chain) const { return chains_[chain].events; }
  /// Whether all operations on this chain so far are of one family, or begin or end the object's life. They all access
  /// the whole object, so a write to it, say, interferes with each of them.
  bool uniform(ChainIndex chain) const { return chains_[chain].uniform; }
  /// Whether an operation of one of these kinds was ever on the chain.
  bool seen_any(ChainIndex chain, KindSet kinds) const { return (chains_[chain].kinds & kinds) != 0; }

  void push(ChainIndex chain, EventIndex event, const Operation& operation);
  /// Takes the last event off a chain.
  void pop(ChainIndex chain) { chains_[chain].events.pop_back(); }

 private:
  struct Chain {
    std::uint64_t object = 0;
    std::uint64_t end = 0;  // the first byte behind it
    std::vector<EventIndex> events;
    KindSet kinds = 0;  // seen
    Family family = Family::Local;
    bool uniform = true;
  };
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t granule = kNone;
  };

  /// An object that shares its bytes with no other, so that its chain is all there is to find.
  struct Alone {
    std::uint64_t object = 0;
    std::uint64_t end = 0;  // 0: none
    Family family = Family::Local;
    ChainIndex chain = 0;
  };
  static constexpr std::size_t kAlone = 64;  // a power of two

  static std::size_t hash(std::uint64_t key) { return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32); }
  /// Each has two places, so that two objects that share one do not take it from each other at every step.
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
  std::vector<std::vector<ChainIndex>> granules_;  // the objects with a byte in these eight
  std::vector<ChainIndex> wide_;                   // objects of more granules than are worth listing
  std::vector<Slot> slots_;                        // open addressing; a power of two, at most half full
  std::array<Alone, kAlone> alone_;                // found lately, by a part of the hash
};

}  // namespace mazurka
