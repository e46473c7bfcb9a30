// The events of an execution by the objects they act on: whoever looks for what interferes with an operation looks at
// the events on its objects only, not at the whole execution.
//
// An object is a granule of eight bytes, a thread or a server. An operation acts on few of them: an access may span
// several granules, a wait on a condition variable also acts on its mutex. The chains of an operation hold every event
// that depends on it, except events of Family::World and of the same process, and may hold others.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

static_assert(static_cast<int>(OperationKind::Count) <= 64);

class ObjectChains {
 public:
  using ChainIndex = std::uint32_t;
  /// The chains of one operation.
  struct Set {
    static constexpr std::uint32_t kMax = 34;  ///< a range of 255 bytes spans 33 granules; a second object is one more
    ChainIndex chains[kMax];
    std::uint32_t count = 0;

    const ChainIndex* begin() const { return chains; }
    const ChainIndex* end() const { return chains + count; }
  };

  /// The chains of an operation; makes those that are not there yet.
  void find(const Operation& operation, Set& set);

  /// The events of a chain, oldest first.
  const std::vector<EventIndex>& events(ChainIndex chain) const { return chains_[chain].events; }
  /// Whether all operations on this chain so far acted on one and the same object of one family, bytes included: then a
  /// write to it, say, interferes with each of them.
  bool uniform(ChainIndex chain) const { return chains_[chain].uniform; }

  /// Whether an operation of this kind was ever on the chain.
  bool seen(ChainIndex chain, OperationKind kind) const {
    return (chains_[chain].kinds >> static_cast<int>(kind) & 1) != 0;
  }

  void push(const Set& set, EventIndex event, const Operation& operation);
  /// Takes the last event off its chains.
  void pop(const Set& set) {
    for (const ChainIndex chain : set) chains_[chain].events.pop_back();
  }

 private:
  struct Chain {
    std::vector<EventIndex> events;
    std::uint64_t kinds = 0;  // seen, as bits
    bool uniform = true;
    Family family = Family::Local;
    std::uint64_t object = 0;
    std::uint8_t size = 0;
  };
  struct Slot {
    std::uint64_t key = 0;
    ChainIndex chain = kNone;
  };
  static constexpr ChainIndex kNone = UINT32_MAX;

  ChainIndex chain_of(std::uint64_t key);
  void grow();

  std::vector<Chain> chains_;
  std::vector<Slot> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace mazurka
