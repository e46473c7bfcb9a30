// Walks through the history graph, and the adequate orders on histories (Def. 15): McMillan's compares sizes only; the
// total order of Esparza, Römer and Vogler goes on with the Parikh words and then with the Foata normal forms, where
// the size of each level is compared before its content. Transitions are ordered as in the input.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "prefix/prefix.hpp"

namespace mazurka::prefix {

enum class Order { McMillan, Erv };

/// The union of histories as a list of history nodes, one per event, without ⊥.
class HistoryWalk {
 public:
  explicit HistoryWalk(const Prefix& prefix) : prefix_(prefix) {}

  /// Everything below the given enriched conditions; valid until the next walk.
  const std::vector<HistoryId>& below(std::span<const EnrichedId> enriched);
  /// The same, with the history itself.
  const std::vector<HistoryId>& of(HistoryId history);

 private:
  void begin();
  void visit(HistoryId history) {
    if (seen_[history] == round_) return;
    seen_[history] = round_;
    found_.push_back(history);
  }
  void close();

  const Prefix& prefix_;
  std::vector<HistoryId> found_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t round_ = 0;
};

/// The labels of the events of some histories in an order in which they can fire.
std::vector<TransitionId> firing_sequence(const Prefix& prefix, std::vector<HistoryId> configuration);

class HistoryOrder {
 public:
  HistoryOrder(const Prefix& prefix, Order order) : prefix_(prefix), order_(order), walk_(prefix) {}

  /// Compares two histories; `equivalent` is possible for different histories under McMillan's order only.
  std::weak_ordering compare(HistoryId a, HistoryId b);

 private:
  /// Labels with their levels, as needed for both words.
  struct Step {
    std::uint32_t level;
    TransitionId label;
    auto operator<=>(const Step&) const = default;
  };
  void load(HistoryId history, std::vector<Step>& steps);
  static std::weak_ordering compare_parikh(std::vector<Step>& a, std::vector<Step>& b);
  static std::weak_ordering compare_foata(std::vector<Step>& a, std::vector<Step>& b);

  const Prefix& prefix_;
  Order order_;
  HistoryWalk walk_;
  std::vector<Step> left_;
  std::vector<Step> right_;
};

}  // namespace mazurka::prefix
