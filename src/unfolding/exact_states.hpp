// States of local configurations without hashing (--exact): what tells those apart whose hashes are equal by chance.
//
// Each event has the differences that it makes (core/state_difference.hpp), and a state is what the differences of a
// configuration add up to, by place. Equal states have one number. The memory is that of the differences of the events
// of U and of the states that Cutoffs remembers; it is measured.
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

/// The number of a state; 0 where states are told apart by their hashes.
using StateNumber = std::uint32_t;

class ExactStates {
 public:
  ExactStates();

  /// Notes what an event changes, in any order of places.
  void set_differences(EventId e, std::span<const StateDifference> differences);
  /// Whether that is what it was noted to change.
  bool has_differences(EventId e, std::span<const StateDifference> differences);

  /// Begins a configuration; its events follow in any order.
  void begin() { sum_.clear(); }
  void add(EventId e);
  /// The number of the state that it leads to, which has this hash.
  StateNumber end(const StateHash& hash);

  /// Takes over the states of another exploration of the same system, with their numbers.
  void adopt(ExactStates& other);
  /// The events of the structure have new numbers.
  void renumber(const std::vector<EventId>& renumbered);
  /// Forgets all states that are not used: by number, 1 if it is.
  void forget(const std::vector<char>& used);
  std::size_t numbers() const { return states_.size(); }

  /// How often two different states had the same hash.
  std::uint64_t collisions() const { return collisions_; }
  /// What states and differences take, at most so far.
  std::uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  using Differences = std::vector<StateDifference>;
  struct State {
    StateHash hash;
    Differences differences;  ///< from the initial state, by place
    bool is_used = false;
  };
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
  };

  /// By place, each place once, and none that is as it was.
  static void normalise(Differences& differences);
  void measure();

  HugeVector<Range> ranges_;  // per event, in all_
  HugeVector<StateDifference> all_;
  Differences sum_;
  std::vector<State> states_;  // by number
  std::vector<StateNumber> free_;
  std::unordered_multimap<StateHash, StateNumber, HashOfStateHash> by_hash_;
  std::uint64_t bytes_ = 0;  // of the states
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t collisions_ = 0;
};

}  // namespace mazurka::unfolding
