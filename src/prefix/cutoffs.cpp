#include "prefix/cutoffs.hpp"

#include <compare>

#include "core/invariant.hpp"

namespace mazurka::prefix {

Cutoffs::Cutoffs(const Prefix& prefix, HistoryGraph& graph, Order order)
    : prefix_(prefix),
      order_(order),
      compare_(prefix, graph, order),
      markings_(net::words_for(prefix.net().places().size())) {
  markings_.insert(net::Simulator(prefix.net()).initial());
  smallest_.push_back(0);
}

Cutoffs::Decision Cutoffs::judge(HistoryId history, std::span<const net::Word> marking) {
  const auto [number, fresh] = markings_.insert(marking);
  if (fresh) {
    smallest_.push_back(history);
    return {number, false};
  }
  const auto order = compare_.compare(history, smallest_[number]);
  if (std::is_lt(order)) {
    smallest_[number] = history;
    return {number, false};
  }
  MZ_INVARIANT(std::is_gt(order) || order_ == Order::McMillan,
               "the order of Esparza, Römer and Vogler is total: two histories of the prefix are never equivalent");
  return {number, std::is_gt(order)};
}

bool Cutoffs::beaten(HistoryId history, std::uint32_t marking) {
  const HistoryId smallest = smallest_[marking];
  if (smallest == history) return false;
  return order_ == Order::Erv || prefix_.histories()[smallest].size < prefix_.histories()[history].size;
}

}  // namespace mazurka::prefix
