// Queries about the reachable markings of a net, answered on its complete prefix by a SAT solver. A `yes` comes with a
// firing sequence of the net, which is replayed in the token game before it is returned.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "net/marking.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::prefix {

struct Answer {
  enum class Reply { Yes, No, Interrupted };
  Reply reply;
  std::vector<TransitionId> witness;  ///< for `Yes`: leads to the queried marking
};

/// Which markings without successors are proper ends rather than deadlocks.
struct Ends {
  std::vector<PlaceId> unfinished;            ///< if not empty: the markings that contain none of these
  std::optional<std::vector<PlaceId>> final;  ///< the marking of exactly these

  bool is_end(std::span<const net::Word> marking, std::size_t places) const;
};

/// Is a marking reachable in which no transition is enabled, and which is not a proper end?
Answer find_deadlock(const Prefix& prefix, const Ends& ends = {});
/// Is a marking reachable that contains all these places?
Answer find_cover(const Prefix& prefix, std::span<const PlaceId> places);
/// Is the marking of exactly these places reachable?
Answer find_marking(const Prefix& prefix, std::span<const PlaceId> places);
/// Can the transition fire? The witness ends with it.
Answer find_firing(const Prefix& prefix, TransitionId transition);

}  // namespace mazurka::prefix
