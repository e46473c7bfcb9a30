// Questions about the reachable markings of a net, answered over its complete prefix with a SAT solver. A `yes` comes
// with a firing sequence of the net, which the token game has replayed before it is returned.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "net/marking.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::prefix {

struct Answer {
  enum class Verdict { Yes, No, Interrupted };
  Verdict verdict;
  std::vector<TransitionId> witness;  ///< for `Yes`: leads to the marking asked for
};

/// Which markings without successors are ends rather than deadlocks.
struct Ends {
  std::vector<PlaceId> unfinished;            ///< if there are any: those that mark none of these
  std::optional<std::vector<PlaceId>> final;  ///< the one that marks exactly these

  bool is_end(std::span<const net::Word> marking, std::size_t places) const;
};

/// Is a marking reachable in which no transition is enabled, and which is not an end?
Answer find_deadlock(const Prefix& prefix, const Ends& ends = {});
/// Is a marking reachable that marks all these places?
Answer find_cover(const Prefix& prefix, std::span<const PlaceId> places);
/// Is the marking reachable that marks exactly these places?
Answer find_marking(const Prefix& prefix, std::span<const PlaceId> places);
/// Can the transition fire? The witness ends with it.
Answer find_firing(const Prefix& prefix, TransitionId transition);

}  // namespace mazurka::prefix
