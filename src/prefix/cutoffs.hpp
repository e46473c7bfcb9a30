// Decides which histories are cutoffs (Def. 7 with an adequate order): those whose marking is the initial one or that
// of a smaller history. Markings are compared exactly.
//
// Every history is judged when it is found, not when its turn comes: for each marking the smallest history so far is
// kept, whether it is part of the prefix yet or still waits, and one that is larger is a cutoff at once. A waiting
// history that is beaten later is recognised when its turn comes. So Parikh words and Foata forms are compared only
// between histories of equal size and equal marking, and the queue needs no more order than the size.
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

  /// The number of a marking and whether `history`, which reaches it, may be part of the prefix.
  struct Verdict {
    std::uint32_t marking;
    bool cutoff;
  };
  Verdict judge(HistoryId history, std::span<const net::Word> marking);

  /// The final word on a history that waited: has a smaller one turned up?
  bool beaten(HistoryId history, std::uint32_t marking);

 private:
  const Prefix& prefix_;
  Order order_;
  HistoryOrder compare_;
  net::MarkingSet markings_;
  std::vector<HistoryId> smallest_;  ///< per marking
};

}  // namespace mazurka::prefix
