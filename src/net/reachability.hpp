// Explicit breadth-first reachability of a net over packed markings: the oracle for prefixes, and `unfold --explicit`.
// Its firing sequences are shortest.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "net/marking.hpp"
#include "net/marking_set.hpp"
#include "net/net.hpp"

namespace mazurka::net {

/// A firing sequence that puts a second token on a place: the certificate that the net is not 1-safe.
struct Unsafe {
  PlaceId place;
  std::vector<TransitionId> sequence;  ///< the last transition adds the second token
};

/// The message for a net that is refused because of `unsafe`.
std::string unsafe_message(const Net& net, const Unsafe& unsafe);

class ReachabilityGraph {
 public:
  struct Limits {
    std::uint32_t markings = std::numeric_limits<std::uint32_t>::max() - 1;
    std::function<void(const ReachabilityGraph&)> watch = nullptr;  ///< called now and then, for progress
    /// Whether a marking without successors is a proper end rather than a deadlock.
    std::function<bool(std::span<const Word> marking)> is_end = nullptr;
  };

  /// Explores everything, unless it reaches a limit, the user interrupts, or the net turns out not to be 1-safe.
  explicit ReachabilityGraph(const Net& net) : ReachabilityGraph(net, Limits{}) {}
  ReachabilityGraph(const Net& net, const Limits& limits);

  bool complete() const { return complete_; }
  const std::optional<Unsafe>& unsafe() const { return unsafe_; }
  const MarkingSet& markings() const { return markings_; }
  std::uint64_t edges() const { return edges_; }
  std::uint32_t deadlocks() const { return deadlocks_; }
  const std::vector<bool>& fired() const { return fired_; }  ///< per transition: is it ever enabled?

  /// A shortest firing sequence to a marking of the graph.
  std::vector<TransitionId> path_to(std::uint32_t marking) const;

 private:
  struct Origin {
    std::uint32_t marking;
    TransitionId transition;
  };

  void explore(const Net& net, const Limits& limits);

  MarkingSet markings_;
  std::vector<Origin> origins_;
  std::vector<bool> fired_;
  std::optional<Unsafe> unsafe_;
  std::uint64_t edges_ = 0;
  std::uint32_t deadlocks_ = 0;
  bool complete_ = false;
};

}  // namespace mazurka::net
