#include "dpor/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace mazurka::dpor {
namespace {

/// The explored fraction of the tree, if everything below the current path counts as explored.
double explored_share(const SearchPath& path) {
  double share = 0;
  double weight = 1;
  for (std::size_t i = 0; i < path.size(); ++i) {
    std::uint32_t known = path[i].explored + 1;
    for (auto child = path[i].planned; child != WakeupTrees::kNoNode; child = path.trees[child].sibling) ++known;
    share += weight * path[i].explored / known;
    weight /= known;
  }
  return share + weight;
}

}  // namespace

void Estimator::observe(const SearchPath& path, std::uint64_t executions, Statistics& statistics) {
  if (++seen_ % interval_ != 0) return;
  if (count_ == kSamples) {
    for (count_ = 0; count_ < kSamples / 2; ++count_) samples_[count_] = samples_[2 * count_ + 1];
    interval_ *= 2;
  }
  const double so_far = static_cast<double>(executions);
  const double estimate = std::max(so_far / explored_share(path), so_far);
  samples_[count_++] = estimate;
  double squares = 0;
  for (std::size_t i = 0; i < count_; ++i) squares += (samples_[i] - estimate) * (samples_[i] - estimate);
  statistics.estimate = estimate;
  statistics.estimate_deviation = std::sqrt(squares / static_cast<double>(count_));
}

}  // namespace mazurka::dpor
