// States of local configurations without hashing (--exact), to distinguish states whose hashes collide.
//
// Each event stores its differences (core/state_difference.hpp). A state is represented by the accumulated differences
// of a configuration, by location. Equal states have the same number. This takes memory for the differences of the
// events of U and for the states that Cutoffs remembers; it is measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/huge_vector.hpp"
#include "core/state_difference.hpp"
#include "core/state_hash.hpp"
#include "unfolding/event_structure.hpp"

namespace mazurka::unfolding {

/// The number of a state; 0 if states are compared by hash.
using StateNumber = std::uint32_t;

class ExactStates {
 public:
  ExactStates();

  /// Stores the differences of an event, given in any order of locations.
  void set_differences(EventId e, std::span<const StateDifference> differences);
  /// Whether the event has these differences.
  bool has_differences(EventId e, std::span<const StateDifference> differences);

  /// Starts a configuration; its events follow in any order.
  void begin() { sum_.clear(); }
  void add(EventId e);
  /// The number of the state to which the configuration leads. `hash` is the hash of the state.
  StateNumber end(const StateHash& hash);

  /// Takes over the states of another exploration of the same system, with their numbers.
  void adopt(ExactStates& other);
  /// The events of the structure were renumbered.
  void renumber(const std::vector<EventId>& renumbered);
  /// Forgets the states that are not used; `used` is indexed by state number.
  void forget(const std::vector<char>& used);
  std::size_t numbers() const { return states_.size(); }

  /// How often two distinct states had the same hash.
  std::uint64_t collisions() const { return collisions_; }
  /// Peak memory of states and differences.
  std::uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  using Differences = std::vector<StateDifference>;
  struct State {
    StateHash hash;
    Differences differences;  ///< from the initial state, sorted by location
    bool is_used = false;
  };
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
  };

  /// Sorts by location, merges equal locations, and drops unchanged ones.
  static void normalise(Differences& differences);
  void measure();

  HugeVector<Range> ranges_;  // per event, in all_
  HugeVector<StateDifference> all_;
  Differences sum_;
  std::vector<State> states_;  // by number
  std::vector<StateNumber> free_;
  std::unordered_multimap<StateHash, StateNumber, HashOfStateHash> by_hash_;
  std::uint64_t bytes_ = 0;  // memory of the states
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t collisions_ = 0;
};

}  // namespace mazurka::unfolding
