// Alternatives: how to continue from C without the events of D (Def. 4 and 5 of *Quasi-Optimal POR*).
//
// An alternative to D after C is a set J of known events such that C ∪ J is a configuration and, for every d in D, J
// contains an event in conflict with d. A k-partial alternative needs this for k events of D only, and must not contain
// the others. The search is that of §5: a comb with a spike for each d, which holds the events in conflict with d. The
// search picks one event from each spike so that the picked events are compatible.
//
// Where we deviate:
// * Spikes are not materialised but enumerated when the search reaches them, and skipped if the events picked so far
//   are
//   in conflict with d already.
// * A spike holds only the events in *immediate* conflict with d: every event in conflict with d contains one of those.
//   They are neighbours of d in the index of the event structure.
// * Compatibility is tested between the union so far and one more event (configuration.hpp), not pair by pair.
// * An event in conflict with C itself is not tried again before C has shrunk (candidates.hpp).
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
  std::uint64_t computed = 0;    ///< number of searches
  std::uint64_t found = 0;       ///< of these, successful
  std::uint64_t spikes = 0;      ///< spikes enumerated
  std::uint64_t spike_size = 0;  ///< events tried in them
  std::uint64_t largest_spike = 0;
};

class Alternatives {
 public:
  /// `k`: how many events of D an alternative must be in conflict with; kOptimal: all of them.
  static constexpr std::size_t kOptimal = SIZE_MAX;

  Alternatives(const EventStructure& events, Candidates& candidates, const Cutoffs& cutoffs, std::size_t k, Poll& poll)
      : events_(events), candidates_(candidates), cutoffs_(cutoffs), k_(k), poll_(poll) {}

  /// Searches for an alternative to `disabled` after `c`; later events of `disabled` come first. If it succeeds, the
  /// events of J have been pushed onto `c`. If the poll was stopped, false means nothing. \pre `c` enables all of
  /// `disabled`.
  bool find(Configuration& c, const std::vector<EventId>& disabled);

  const CombStatistics& statistics() const { return statistics_; }

 private:
  /// Searches the spikes of `disabled[0..remaining)`, of which `wanted` must be in conflict.
  bool search(Configuration& c, std::size_t remaining, std::size_t wanted);
  bool attempt(Configuration& c, EventId candidate, std::size_t remaining, std::size_t wanted, std::uint64_t& size);
  bool is_disabled(EventId e) const;

  const EventStructure& events_;
  Candidates& candidates_;
  const Cutoffs& cutoffs_;  ///< not used in alternatives
  std::size_t k_;
  Poll& poll_;
  std::size_t base_ = 0;  // |C|
  const std::vector<EventId>* disabled_ = nullptr;
  std::vector<std::vector<EventId>> added_;  // by depth of the search; kept to reuse memory
  std::vector<std::pair<EventId, std::size_t>> parked_;
  CombStatistics statistics_;
};

}  // namespace mazurka::unfolding
