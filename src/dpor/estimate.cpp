#include "dpor/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace mazurka::dpor {
namespace {

/// The explored share of the tree, if all below the current path counts as explored up to its end.
double explored_share(const SearchTree& tree, std::span<const SearchTree::Index> path) {
  double share = 0;
  double weight = 1;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const SearchTree::Node& node = tree[path[i]];
    const std::size_t begun = node.children.size();
    std::size_t known = begun;
    for (auto child = node.planned; child != WakeupTrees::kNone; child = tree.trees[child].sibling) ++known;
    share +=
        weight * static_cast<double>(begun - std::min<std::size_t>(begun, node.users)) / static_cast<double>(known);
    weight /= static_cast<double>(known);
  }
  return share + weight;
}

}  // namespace

void Estimator::observe(const SearchTree& tree, std::span<const SearchTree::Index> path, Statistics& statistics) {
  if (++seen_ % interval_ != 0) return;
  if (count_ == kSamples) {
    for (count_ = 0; count_ < kSamples / 2; ++count_) samples_[count_] = samples_[2 * count_ + 1];
    interval_ *= 2;
  }
  const double so_far = static_cast<double>(statistics.executions + statistics.cut);
  const double estimate = std::max(so_far / explored_share(tree, path), so_far);
  samples_[count_++] = estimate;
  double squares = 0;
  for (std::size_t i = 0; i < count_; ++i) squares += (samples_[i] - estimate) * (samples_[i] - estimate);
  statistics.estimate = estimate;
  statistics.estimate_deviation = std::sqrt(squares / static_cast<double>(count_));
}

}  // namespace mazurka::dpor
