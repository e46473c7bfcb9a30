// Estimates the number of executions while they are explored, by Knuth's method (*Estimating the efficiency of
// backtrack programs*, 1975) on the path of a depth-first search.
//
// At a node with n known steps, d of them explored, we assume that the fraction d/n of its subtree is explored and that
// 1/n of it lies below the current step. The sum along the path is the explored fraction of the tree; executions so far
// divided by it is the estimate. Nodes gain steps later, so the fraction is a guess; the estimate is printed together
// with how far it has moved since the beginning.
#pragma once

#include <cstdint>

#include "core/statistics.hpp"
#include "dpor/search_path.hpp"

namespace mazurka::dpor {

class Estimator {
 public:
  /// Looks at the path now and then, where so many executions were explored; `statistics` gets the estimate.
  void observe(const SearchPath& path, std::uint64_t executions, Statistics& statistics);

 private:
  static constexpr std::size_t kSamples = 32;

  double samples_[kSamples] = {};
  std::size_t count_ = 0;
  std::uint64_t interval_ = 64;  // executions between two samples; doubles once there are enough samples
  std::uint64_t seen_ = 0;
};

}  // namespace mazurka::dpor
