#include "prefix/history_order.hpp"

#include <algorithm>

namespace mazurka::prefix {
namespace {

constexpr std::uint32_t kLastRound = 0x7fffffff;

}  // namespace

void HistoryGraph::begin() {
  found_.clear();
  if (++round_ == kLastRound) {
    for (Node& node : nodes_) node.seen = 0;
    round_ = 1;
  }
  if (!nodes_.empty()) nodes_[0].seen = 2 * round_ + 1;  // ⊥ is never listed
}

void HistoryGraph::close() {
  direct_ = found_.size();
  const std::uint32_t direct = 2 * round_;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const HistoryId at = found_[i];
    const HistoryId* const end =
        sources_.data() + (at + 1 < nodes_.size() ? nodes_[at + 1].first_source : sources_.size());
    for (const HistoryId* source = sources_.data() + nodes_[at].first_source; source != end; ++source) {
      Node& node = nodes_[*source];
      if (node.seen < direct) found_.push_back(*source);
      node.seen = direct + 1;
    }
  }
}

const std::vector<HistoryId>& HistoryGraph::below(std::span<const EnrichedId> enriched) {
  begin();
  for (EnrichedId link : enriched) {
    prefix_.for_each_source(link, [&](HistoryId history) {
      if (nodes_[history].seen >= 2 * round_) return;
      nodes_[history].seen = 2 * round_;
      found_.push_back(history);
    });
  }
  close();
  return found_;
}

void HistoryGraph::add(TransitionId label) {
  nodes_.push_back({label, static_cast<std::uint32_t>(sources_.size()), 0});
  for (std::size_t i = 0; i < direct_; ++i)
    if (nodes_[found_[i]].seen == 2 * round_) sources_.push_back(found_[i]);
}

const std::vector<HistoryId>& HistoryGraph::of(HistoryId history) {
  begin();
  nodes_[history].seen = 2 * round_;
  found_.push_back(history);
  close();
  return found_;
}

std::vector<TransitionId> firing_sequence(const Prefix& prefix, std::vector<HistoryId> configuration) {
  // If e ↗ e' within a configuration, the history of e in it is a proper subset of that of e': so sorting by size is
  // topological.
  std::sort(configuration.begin(), configuration.end(), [&](HistoryId a, HistoryId b) {
    return std::pair(prefix.histories()[a].size, a) < std::pair(prefix.histories()[b].size, b);
  });
  std::vector<TransitionId> sequence;
  sequence.reserve(configuration.size());
  for (HistoryId history : configuration) sequence.push_back(prefix.events()[prefix.histories()[history].event].label);
  return sequence;
}

void HistoryOrder::load(HistoryId history, std::vector<LevelledLabel>& labels) {
  labels.clear();
  for (HistoryId h : graph_.of(history)) labels.push_back({prefix_.histories()[h].level, graph_.label(h)});
}

std::weak_ordering HistoryOrder::compare_parikh(std::vector<LevelledLabel>& a, std::vector<LevelledLabel>& b) {
  const auto by_label = [](const LevelledLabel& x, const LevelledLabel& y) { return x.label < y.label; };
  std::sort(a.begin(), a.end(), by_label);
  std::sort(b.begin(), b.end(), by_label);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].label != b[i].label) return a[i].label <=> b[i].label;
  return std::weak_ordering::equivalent;
}

std::weak_ordering HistoryOrder::compare_foata(std::vector<LevelledLabel>& a, std::vector<LevelledLabel>& b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  for (std::size_t start = 0; start < a.size();) {
    const std::uint32_t level = a[start].level;
    const auto width = [&](const std::vector<LevelledLabel>& labels) {
      std::size_t end = start;
      while (end < labels.size() && labels[end].level == level) ++end;
      return end - start;
    };
    const std::size_t in_a = width(a);
    if (const auto order = in_a <=> width(b); std::is_neq(order)) return order;
    for (std::size_t i = start; i < start + in_a; ++i)
      if (a[i].label != b[i].label) return a[i].label <=> b[i].label;
    start += in_a;
  }
  return std::weak_ordering::equivalent;
}

std::weak_ordering HistoryOrder::compare(HistoryId a, HistoryId b) {
  if (const auto order = prefix_.histories()[a].size <=> prefix_.histories()[b].size; std::is_neq(order)) return order;
  if (order_ == Order::McMillan || a == b) return std::weak_ordering::equivalent;
  load(a, left_);
  load(b, right_);
  if (const auto order = compare_parikh(left_, right_); std::is_neq(order)) return order;
  return compare_foata(left_, right_);
}

}  // namespace mazurka::prefix
