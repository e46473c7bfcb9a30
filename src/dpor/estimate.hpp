// How many executions there will be, estimated while they are explored: Knuth's method (*Estimating the efficiency of
// backtrack programs*, 1975) over the path of a depth-first search.
//
// At a node with n steps known, d of them explored, the share d/n of what lies below it is taken to be behind us, and
// 1/n of it lies below the current step. The sum along the path is the explored share of the tree; executions so far
// divided by it is the estimate. Steps are added to nodes later, so the share is a guess, and what is printed beside
// the estimate is how far it has moved since the beginning.
#pragma once

#include <cstdint>
#include <span>

#include "core/statistics.hpp"
#include "dpor/search_tree.hpp"

namespace mazurka::dpor {

class Estimator {
 public:
  /// Looks at the path of an execution now and then; `statistics` gets the estimate.
  void observe(const SearchTree& tree, std::span<const SearchTree::Index> path, Statistics& statistics);

 private:
  static constexpr std::size_t kSamples = 32;

  double samples_[kSamples] = {};
  std::size_t count_ = 0;
  std::uint64_t interval_ = 64;  // executions between two looks; doubles when there are enough samples
  std::uint64_t seen_ = 0;
};

}  // namespace mazurka::dpor
