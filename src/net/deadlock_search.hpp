// Depth-first search for a deadlock, a marking in which no transition is enabled, reduced by strong stubborn sets (A.
// Valmari, Stubborn Sets for Reduced State Space Generation, 1991). In each marking it follows only the enabled
// transitions of a set that contains an enabled transition and is closed as follows:
//
//   for a disabled transition, choose a place on which it lacks tokens: all transitions that add tokens there;
//   for an enabled one: all transitions that take tokens it needs, and all that need tokens it takes.
//
// Every reachable deadlock remains reachable. It is usually found long before a prefix is complete, and the search
// handles arc weights and several tokens on a place. The algorithm is that of the paper; of visited markings, only 128
// bits of hash are stored.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "net/weighted_net.hpp"

namespace mazurka::net {

class DeadlockSearch {
 public:
  enum class Status {
    Running,
    Found,      ///< path() leads to a deadlock
    Exhausted,  ///< there is no deadlock
    GaveUp,     ///< too many markings, or too many tokens
  };
  struct Limits {
    std::size_t markings = std::size_t{1} << 26;  ///< each up to 64 bytes
    std::size_t depth = std::size_t{1} << 24;
  };
  /// Whether a marking without successors is a deadlock rather than a proper end.
  using IsDeadlock = std::function<bool(std::span<const std::uint32_t> tokens)>;

  explicit DeadlockSearch(WeightedNet net, IsDeadlock is_deadlock = {});
  DeadlockSearch(WeightedNet net, IsDeadlock is_deadlock, Limits limits);

  /// Continues the search for this many steps.
  Status run(std::uint64_t steps);
  Status status() const { return status_; }
  /// The firing sequence to the current marking.
  std::vector<TransitionId> path() const;
  std::size_t markings() const { return seen_.size(); }
  std::uint64_t edges() const { return edges_; }

 private:
  using Hash = std::pair<std::uint64_t, std::uint64_t>;
  /// A set of hashes, by open addressing; zero: empty.
  class HashSet {
   public:
    bool insert(const Hash& hash);
    std::size_t size() const { return size_; }

   private:
    Hash& slot_of(const Hash& hash);
    std::vector<Hash> slots_ = std::vector<Hash>(1024);
    std::size_t size_ = 0;
  };
  struct Need {
    TransitionId transition;
    std::uint32_t tokens;
  };
  /// One marking of the path.
  struct Level {
    TransitionId entered_by;
    std::uint32_t begin;  ///< first of its transitions in choices_; those from `next` on are still to be fired
    std::uint32_t next;
  };

  void set_tokens(PlaceId place, std::uint32_t tokens);
  bool fire(TransitionId transition);
  void unfire(TransitionId transition);
  /// Whether the marking is new; if so, it becomes the last level.
  bool enter(TransitionId by);
  void leave();
  bool is_enabled(TransitionId transition) const { return lacking_[transition] == 0; }
  /// Appends the enabled transitions of a small stubborn set to `choices_`.
  void choose();
  /// The number of enabled transitions in the closure of `seed`; stops at `most`.
  std::size_t close(TransitionId seed, std::size_t most);
  void close_disabled(TransitionId transition);
  void close_enabled(TransitionId transition);
  void include(TransitionId transition);

  WeightedNet net_;
  IsDeadlock is_deadlock_;
  Limits limits_;
  std::vector<std::vector<Need>> needed_by_;       ///< by place
  std::vector<std::vector<TransitionId>> givers_;  ///< by place: transitions that increase its tokens
  std::vector<std::vector<TransitionId>> takers_;  ///< by place: transitions that decrease them
  std::vector<std::vector<PlaceId>> loses_;        ///< by transition: places whose tokens it decreases

  std::vector<std::uint32_t> tokens_;
  std::vector<std::uint32_t> lacking_;  ///< by transition: number of unsatisfied inputs
  std::vector<TransitionId> enabled_;
  std::vector<std::uint32_t> place_in_enabled_;
  Hash hash_{};
  HashSet seen_;
  std::vector<Level> path_;
  std::vector<TransitionId> choices_;
  Status status_ = Status::Running;
  bool incomplete_ = false;
  std::uint64_t edges_ = 0;

  std::vector<std::uint32_t> included_;  ///< by transition: the closure that contains it
  std::uint32_t closure_ = 0;
  std::vector<TransitionId> members_;
  std::vector<TransitionId> best_;
};

}  // namespace mazurka::net
