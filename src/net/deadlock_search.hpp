// A search in depth for a marking in which no transition is enabled, reduced by strong stubborn sets (A. Valmari,
// Stubborn Sets for Reduced State Space Generation, 1991): in each marking it follows only transitions of a set that
// holds an enabled one and is closed under
//
//   a disabled transition lacks tokens on some place: all that bring tokens there;
//   an enabled one: all that take tokens it needs, and all that need tokens it takes.
//
// Every reachable deadlock is then still reachable. One is usually found long before a prefix is complete, and neither
// weights nor several tokens on a place make a difference. Deviates from the paper in nothing; of the markings seen
// only 128 bits of hash are kept.
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
    Exhausted,  ///< there is none
    GaveUp,     ///< too many markings, or too many tokens
  };
  struct Limits {
    std::size_t markings = std::size_t{1} << 26;  ///< of up to 64 bytes each
    std::size_t depth = std::size_t{1} << 24;
  };
  /// Says of a marking without successors whether that is a deadlock, not an end.
  using IsDeadlock = std::function<bool(std::span<const std::uint32_t> tokens)>;

  explicit DeadlockSearch(WeightedNet net, IsDeadlock is_deadlock = {});
  DeadlockSearch(WeightedNet net, IsDeadlock is_deadlock, Limits limits);

  /// Goes on for so many steps.
  Status run(std::uint64_t steps);
  Status status() const { return status_; }
  /// The transitions that lead to where it is.
  std::vector<TransitionId> path() const;
  std::size_t markings() const { return seen_.size(); }
  std::uint64_t edges() const { return edges_; }

 private:
  using Hash = std::pair<std::uint64_t, std::uint64_t>;
  /// Hashes of markings, by open addressing; zeros stand for no entry.
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
    std::uint32_t begin;  ///< of its transitions in choices_; those from `next` on are still to be taken
    std::uint32_t next;
  };

  void set_tokens(PlaceId place, std::uint32_t tokens);
  bool fire(TransitionId transition);
  void unfire(TransitionId transition);
  /// Whether the marking is new; then it becomes the last level.
  bool enter(TransitionId by);
  void leave();
  bool is_enabled(TransitionId transition) const { return lacking_[transition] == 0; }
  /// Puts the enabled transitions of a small stubborn set into `choices_`.
  void choose();
  /// The enabled ones of the closure of one transition, as long as they are fewer than `most`.
  std::size_t close(TransitionId seed, std::size_t most);
  void close_disabled(TransitionId transition);
  void close_enabled(TransitionId transition);
  void include(TransitionId transition);

  WeightedNet net_;
  IsDeadlock is_deadlock_;
  Limits limits_;
  std::vector<std::vector<Need>> needed_by_;       ///< by place
  std::vector<std::vector<TransitionId>> givers_;  ///< by place: those that leave it with more tokens
  std::vector<std::vector<TransitionId>> takers_;  ///< with fewer
  std::vector<std::vector<PlaceId>> loses_;        ///< by transition: where it leaves fewer

  std::vector<std::uint32_t> tokens_;
  std::vector<std::uint32_t> lacking_;  ///< by transition: inputs that are not satisfied
  std::vector<TransitionId> enabled_;
  std::vector<std::uint32_t> place_in_enabled_;
  Hash hash_{};
  HashSet seen_;
  std::vector<Level> path_;
  std::vector<TransitionId> choices_;
  Status status_ = Status::Running;
  bool incomplete_ = false;
  std::uint64_t edges_ = 0;

  std::vector<std::uint32_t> included_;  ///< by transition: in which closure
  std::uint32_t closure_ = 0;
  std::vector<TransitionId> members_;
  std::vector<TransitionId> best_;
};

}  // namespace mazurka::net
