// The search for a deadlock that runs before and beside the unfolding of a net, and instead of it where the net is not
// 1-safe.
#pragma once

#include <optional>

#include "net/deadlock_search.hpp"
#include "net/net.hpp"
#include "prefix/questions.hpp"

namespace mazurka::cli {

class QuickSearch {
 public:
  using Status = net::DeadlockSearch::Status;

  /// \pre `net` outlives it.
  QuickSearch(const net::Net& net, prefix::Ends ends, net::DeadlockSearch::Limits limits);

  /// Goes on for so long, unless it is done or the user interrupts.
  Status run_for(double seconds);
  Status run_to_the_end();
  /// Goes on for a moment if it has had less time than the unfolding.
  Status run_beside(double seconds_of_unfolding);

  const net::DeadlockSearch& search() const { return search_; }
  /// A `yes` whose witness the token game has replayed, or the `no` of a search that saw everything.
  std::optional<prefix::Answer> answer() const;

 private:
  bool is_end(std::span<const std::uint32_t> tokens) const;

  net::WeightedNet net_;
  prefix::Ends ends_;
  net::DeadlockSearch search_;
  double spent_ = 0;
};

}  // namespace mazurka::cli
