// The number of full runs from each node of a reduced graph: most fit in a word, the others lie aside.
#pragma once

#include <vector>

#include "stateful/big_natural.hpp"
#include "stateful/node_store.hpp"

namespace mazurka::stateful {

class PathCounts {
 public:
  void set(NodeId n, const BigNatural& count) {
    if (n >= counts_.size()) counts_.resize(n + 1, 0);
    if (count.fits() && (count.low() & kBig) == 0) {
      counts_[n] = count.low();
    } else {
      counts_[n] = kBig | big_.size();
      big_.push_back(count);
    }
  }
  void add_to(BigNatural& sum, NodeId n) const {
    if ((counts_[n] & kBig) == 0)
      sum += counts_[n];
    else
      sum += big_[counts_[n] & ~kBig];
  }
  std::size_t bytes() const { return counts_.capacity() * sizeof(std::uint64_t) + big_.capacity() * sizeof(BigNatural); }

 private:
  static constexpr std::uint64_t kBig = std::uint64_t{1} << 63;
  std::vector<std::uint64_t> counts_;
  std::vector<BigNatural> big_;
};

}  // namespace mazurka::stateful
