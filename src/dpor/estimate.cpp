#include "dpor/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace mazurka::dpor {
namespace {

/// The explored share of the tree, if all below the current path counts as explored up to its end.
double explored_share(const SearchPath& path) {
  double share = 0;
  double weight = 1;
  for (std::size_t i = 0; i < path.size(); ++i) {
    std::uint32_t known = path[i].explored + 1;
    for (auto child = path[i].planned; child != WakeupTrees::kNone; child = path.trees[child].sibling) ++known;
    share += weight * path[i].explored / known;
    weight /= known;
  }
  return share + weight;
}

}  // namespace

void Estimator::observe(const SearchPath& path, Statistics& statistics) {
  if (++seen_ % kInterval != 0) return;
  const double so_far = static_cast<double>(statistics.executions + statistics.cut);
  const double estimate = so_far / explored_share(path);
  samples_[looks_++ % kSamples] = estimate;
  const std::size_t count = std::min<std::uint64_t>(looks_, kSamples);
  double mean = 0;
  for (std::size_t i = 0; i < count; ++i) mean += samples_[i] / static_cast<double>(count);
  double variance = 0;
  for (std::size_t i = 0; i < count; ++i)
    variance += (samples_[i] - mean) * (samples_[i] - mean) / static_cast<double>(count);
  statistics.estimate = std::max(mean, so_far);
  statistics.estimate_deviation = std::sqrt(variance);
}

}  // namespace mazurka::dpor
