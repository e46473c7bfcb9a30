// Alternatives: how to go on from C without the events of D (Def. 4 and 5 of *Quasi-Optimal POR*).
//
// An alternative to D after C is a set J of known events that extends C to a configuration and has, for every d in D,
// an event in conflict with d. A k-partial alternative must do that for k events of D only, and avoid the others. The
// search is that of §5: a comb with a spike for each d, which holds the events in conflict with d; one event is taken
// from each spike such that they go together.
//
// Where we deviate: a spike is not built at all, but walked along when the search arrives at it, and not for events of
// D that what was chosen so far is in conflict with already; it holds only events in *immediate* conflict with d, of
// which every other event in conflict with d contains one. Those are neighbours of d in the index of the structure. "Go
// together" is decided for the union so far and one more event (configuration.hpp), not pair by pair; an event that
// does not go with C itself is not met again before C has shrunk (candidates.hpp). If the search succeeds, the events
// of J stand behind C in the configuration.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/poll.hpp"
#include "unfolding/candidates.hpp"
#include "unfolding/configuration.hpp"
#include "unfolding/cutoffs.hpp"

namespace mazurka::unfolding {

struct CombStatistics {
  std::uint64_t computed = 0;    ///< searches
  std::uint64_t found = 0;       ///< of them successful
  std::uint64_t spikes = 0;      ///< looked at
  std::uint64_t spike_size = 0;  ///< events tried in them
  std::uint64_t largest_spike = 0;
};

class Alternatives {
 public:
  /// `k` is the number of events of D to be in conflict with; all of them: kOptimal.
  static constexpr std::size_t kOptimal = SIZE_MAX;

  Alternatives(const EventStructure& events, Candidates& candidates, const Cutoffs& cutoffs, std::size_t k, Poll& poll)
      : events_(events), candidates_(candidates), cutoffs_(cutoffs), k_(k), poll_(poll) {}

  /// Looks for an alternative to `disabled`, whose last event counts first, after `c`; all of them are enabled at c.
  /// Where the poll says to stop, false means nothing.
  bool find(Configuration& c, const std::vector<EventId>& disabled);

  const CombStatistics& statistics() const { return statistics_; }

 private:
  /// Goes on with the spikes of `disabled[0..remaining)`.
  bool search(Configuration& c, std::size_t remaining, std::size_t wanted);
  bool attempt(Configuration& c, EventId candidate, std::size_t remaining, std::size_t wanted, std::uint64_t& size);
  bool is_disabled(EventId e) const;

  const EventStructure& events_;
  Candidates& candidates_;
  const Cutoffs& cutoffs_;  ///< which are no part of an alternative
  std::size_t k_;
  Poll& poll_;
  std::size_t base_ = 0;  // |C|
  const std::vector<EventId>* disabled_ = nullptr;
  std::vector<std::vector<EventId>> added_;  // by depth of the search, to be used again
  std::vector<std::pair<EventId, std::size_t>> parked_;
  CombStatistics statistics_;
};

}  // namespace mazurka::unfolding
