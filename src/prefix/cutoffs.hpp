// Decides which histories are cutoffs (Def. 7 with an adequate order): those whose marking is the initial one or that
// of a smaller history. Markings are compared exactly.
//
// Each history is judged when it is found, not when it is dequeued. For each marking we keep the smallest history so
// far, whether in the prefix or still queued; a larger one is a cutoff at once. A queued history that is beaten later
// is recognised when it is dequeued. So Parikh vectors and Foata forms are compared only between histories of equal
// size and equal marking, and the queue needs to be ordered by size only.
#pragma once

#include <span>
#include <vector>

#include "net/marking_set.hpp"
#include "prefix/history_order.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::prefix {

class Cutoffs {
 public:
  Cutoffs(const Prefix& prefix, HistoryGraph& graph, Order order);

  /// The number of the marking that `history` reaches, and whether `history` may be part of the prefix.
  struct Decision {
    std::uint32_t marking;
    bool cutoff;
  };
  Decision judge(HistoryId history, std::span<const net::Word> marking);

  /// The final decision on a queued history: was a smaller one found since?
  bool beaten(HistoryId history, std::uint32_t marking);

 private:
  const Prefix& prefix_;
  Order order_;
  HistoryOrder compare_;
  net::MarkingSet markings_;
  std::vector<HistoryId> smallest_;  ///< per marking
};

}  // namespace mazurka::prefix
