// The history graph, and the adequate orders on histories (Def. 15). McMillan's order compares sizes only. The total
// order of Esparza, Römer and Vogler then compares Parikh vectors, and then Foata normal forms, level by level, sizes
// before contents. Transitions are ordered as in the input.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "prefix/prefix.hpp"

namespace mazurka::prefix {

enum class Order { McMillan, Erv };

/// The history graph (Def. 13), transitively reduced: a node links to the histories it was built from, without those
/// below another of them. An unfolder spends most of its time on walks over this graph, so a node is one small record.
class HistoryGraph {
 public:
  explicit HistoryGraph(const Prefix& prefix) : prefix_(prefix) { add(kNoId); }

  /// The union of the histories of some enriched conditions: one node per event, without ⊥. Valid until the next walk.
  const std::vector<HistoryId>& below(std::span<const EnrichedId> enriched);
  /// Adds the next history of the prefix. \pre It is built from the argument of the last call of `below`.
  void add(TransitionId label);
  /// All nodes of one history, including itself.
  const std::vector<HistoryId>& of(HistoryId history);

  TransitionId label(HistoryId history) const { return nodes_[history].label; }

 private:
  struct Node {
    TransitionId label;
    std::uint32_t first_source;  ///< its sources end where those of the next node start
    std::uint32_t seen;          ///< 2·round for a direct source of the walk, 2·round+1 for others
  };
  void begin();
  void close();

  const Prefix& prefix_;
  std::vector<Node> nodes_;
  std::vector<HistoryId> sources_;
  std::vector<HistoryId> found_;
  std::size_t direct_ = 0;  ///< how many of `found_` are direct sources
  std::uint32_t round_ = 0;
};

/// The labels of the events of some histories, in an order in which they can fire.
std::vector<TransitionId> firing_sequence(const Prefix& prefix, std::vector<HistoryId> configuration);

class HistoryOrder {
 public:
  HistoryOrder(const Prefix& prefix, HistoryGraph& graph, Order order)
      : prefix_(prefix), graph_(graph), order_(order) {}

  /// Compares two histories; `equivalent` is possible for different histories under McMillan's order only.
  std::weak_ordering compare(HistoryId a, HistoryId b);

 private:
  /// Labels with their levels, as needed for Parikh vectors and Foata forms.
  struct LevelledLabel {
    std::uint32_t level;
    TransitionId label;
    bool operator<(const LevelledLabel& other) const {
      return level != other.level ? level < other.level : label < other.label;
    }
  };
  void load(HistoryId history, std::vector<LevelledLabel>& labels);
  static std::weak_ordering compare_parikh(std::vector<LevelledLabel>& a, std::vector<LevelledLabel>& b);
  static std::weak_ordering compare_foata(std::vector<LevelledLabel>& a, std::vector<LevelledLabel>& b);

  const Prefix& prefix_;
  HistoryGraph& graph_;
  Order order_;
  std::vector<LevelledLabel> left_;
  std::vector<LevelledLabel> right_;
};

}  // namespace mazurka::prefix
