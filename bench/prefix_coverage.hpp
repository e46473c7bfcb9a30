// Proves a complete prefix complete: its configurations have exactly the reachable markings.
//
// Of the configurations with one marking only the least in the order of Esparza, Römer and Vogler is followed. That is
// enough: take the last event away from a least configuration, and what remains is least for its own marking, or else
// something smaller followed by that event would be smaller than the whole (adequate orders are preserved by
// extensions). So the search goes through the sizes of configurations, one after the other, and needs one configuration
// per marking. Nothing of the unfolder's own orders is used. A mistake here can only make a prefix look incomplete:
// each marking counted is that of a configuration which was built event by event.
#pragma once

#include <cstdint>
#include <vector>

#include "net/marking_set.hpp"
#include "net/reachability.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::bench {

/// Of a plain net: whether no two events have the same label and preset, and each of them, cutoffs included, can
/// happen: its causes consume no condition twice.
bool events_are_distinct_and_possible(const prefix::Prefix& prefix);

class PrefixCoverage {
 public:
  /// Without events that are only cutoffs.
  PrefixCoverage(const prefix::Prefix& prefix, const net::ReachabilityGraph& graph);

  /// Whether all reachable markings, and no others, are markings of configurations.
  bool complete();

 private:
  /// How the configuration kept for a marking came about.
  struct Kept {
    std::uint32_t parent;     ///< the number of the marking before
    net::TransitionId event;  ///< and the event then, of the occurrence net
    std::uint32_t size;
    std::size_t cut;  ///< where its conditions start in cuts_
  };
  struct Labelled {
    std::uint32_t level;
    net::TransitionId label;
    auto operator<=>(const Labelled&) const = default;
  };

  bool expand(std::uint32_t number);
  bool reach(std::uint32_t parent, net::TransitionId event);
  bool enabled(const net::Transition& event) const;
  bool smaller(std::uint32_t parent, net::TransitionId event, const Kept& than);
  void load(std::uint32_t parent, net::TransitionId event, std::vector<Labelled>& word);

  const prefix::Prefix& prefix_;
  const net::ReachabilityGraph& graph_;
  net::Net occurrence_;
  std::vector<net::TransitionId> labels_;  // of the events of the occurrence net
  net::MarkingSet markings_;
  std::vector<Kept> kept_;  // per marking
  std::vector<net::PlaceId> cuts_;
  std::vector<net::PlaceId> cut_;  // of the marking being expanded
  std::vector<net::PlaceId> next_;
  std::vector<bool> marked_;
  std::vector<net::Word> marking_;
  std::vector<net::TransitionId> sequence_;
  std::vector<std::uint32_t> produced_;  // per condition: the level of its producer, then of its readers
  std::vector<std::uint32_t> read_;
  std::vector<Labelled> left_;
  std::vector<Labelled> right_;
};

}  // namespace mazurka::bench
