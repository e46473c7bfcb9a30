// The search of reachability.hpp by several explorers, with the same result: states, transitions, and the deadlocks in
// the same order with the same runs, for any number of explorers.
//
// A state belongs to the explorer that its hash names. Each expands a part of the states of a level and sends the
// successors to their owners; all take turns in this, a batch at a time, so nothing is shared while it changes.
// Breadth-first search numbers states in the order in which they are found: by the number of their parent, then by its
// enabled actions. So once a level is complete, each of its states takes its first parent, and their numbers follow
// from how many children each parent has.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "network/product.hpp"
#include "network/reachability.hpp"
#include "network/state_store.hpp"

namespace mazurka::network {

class ParallelReachability {
 public:
  static constexpr std::size_t kBatch = 1U << 13;
  /// `batch`: about how many successors an explorer sends before all take in what was sent. \pre `explorers` > 0.
  ParallelReachability(const Product& product, ReachabilityLimits limits, std::uint32_t explorers,
                       std::size_t batch = kBatch);
  ~ParallelReachability();
  ParallelReachability(const ParallelReachability&) = delete;
  ParallelReachability& operator=(const ParallelReachability&) = delete;

  /// Runs to the end, to a limit, or until interrupted; calls `progress` now and then. Throws what an explorer throws.
  void run(const std::function<void(const ReachabilityProgress&)>& progress = {});

  bool complete() const { return complete_; }
  std::uint64_t states() const;
  std::uint64_t transitions() const;
  /// How many states have no successor although some client still has an edge.
  std::size_t deadlocks() const { return deadlocks_.size(); }
  std::size_t bytes() const;

  /// A shortest run from the initial state to the i-th of the deadlocks, in breadth-first order.
  std::vector<ActionId> run_to_deadlock(std::size_t i) const;

 private:
  /// A state: its owner, and its number in the owner's store.
  struct Place {
    std::uint32_t owner = 0;
    StateId id = 0;
  };
  /// How a state was found: its order is that of breadth-first search.
  struct Found {
    std::uint64_t parent;  ///< its number
    std::uint32_t action;  ///< which of those enabled there
    Place from;            ///< the parent
    bool operator<(const Found& other) const {
      return parent != other.parent ? parent < other.parent : action < other.action;
    }
  };
  struct Deadlock {
    std::uint64_t number;
    Place place;
  };
  /// Successors on their way to their owner.
  struct Batch {
    std::size_t size = 0;
    std::vector<std::uint64_t> states;
    std::vector<std::uint64_t> hashes;
    std::vector<Found> found;

    void resize(std::size_t room, std::size_t words) {
      states.resize(room * words);
      hashes.resize(room);
      found.resize(room);
    }
  };
  struct Explorer;
  class Turns;

  std::uint32_t owner(std::uint64_t hash) const;
  void explore(std::uint32_t number, Turns& turns, const std::function<void(const ReachabilityProgress&)>& progress);
  void decide(Turns& turns, const std::function<void(const ReachabilityProgress&)>& progress);
  void expand(std::uint32_t number);
  void make_successors(Explorer& me);
  void receive(std::uint32_t number);
  void prepare_marks();
  void mark_children(std::uint32_t number);
  void count_children(std::uint32_t number);
  void add_children_before(std::uint32_t number);
  void number_children(std::uint32_t number);
  void begin_level();
  std::uint64_t share_begin(std::uint32_t number) const;
  std::uint64_t* marks_of(std::uint64_t parent) { return marks_.data() + (parent - level_begin_) * words_per_parent_; }

  const Product* product_;
  ReachabilityLimits limits_;
  std::size_t batch_;
  std::vector<std::unique_ptr<Explorer>> explorers_;
  std::uint64_t level_begin_ = 0;  ///< the numbers of the states that are being expanded
  std::uint64_t level_end_ = 1;
  std::size_t words_per_parent_;
  std::vector<Place> level_;                    ///< these states, by their numbers
  std::vector<std::uint64_t> marks_;            ///< for each state of the level, which of its actions lead to a new one
  std::vector<std::uint64_t> children_before_;  ///< for each, how many new states those before it have
  std::vector<Deadlock> deadlocks_;
  bool complete_ = false;
};

}  // namespace mazurka::network
