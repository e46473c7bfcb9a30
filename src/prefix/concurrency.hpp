// The concurrency relation ∥ on enriched conditions, maintained history by history (Theorem 17 of the contextual
// unfolder's paper, extended to compound reading conditions).
//
// For x = ⟨c, H⟩ and y = ⟨c', H'⟩ there are three relations, with a row of each per enriched condition:
//   x ∥ y            H and H' are not in conflict, and neither consumes c or c';
//   x stale to y     x ∥ y, and H' contains a reader of c that H lacks: a consumer of c that builds on y cannot take x,
//                    because x does not know all the readers that then come before it;
//   x outdates y     the converse of `stale`.
// Deviations from the theorem: its last conjunct (no reader of the preset outside H) is the relation `stale`. It is
// incremental as well, so no history is ever searched. And ∥ also relates enriched conditions of one condition, which
// is how compound ones are found. (Only pairs with the generating one matter there; pairs of two reading ones of one
// condition are incomplete, and never queried.) A generating condition of a place that has readers is in its own row.
#pragma once

#include <vector>

#include "prefix/prefix.hpp"
#include "prefix/row_store.hpp"

namespace mazurka::prefix {

/// How a new history relates to the prefix, and the enriched conditions that it adds.
struct Frontier {
  BlockVector concurrent;        ///< the older enriched conditions that are concurrent to the history
  BlockVector outdated;          ///< those of them that lack a reader which the history contains
  EnrichedId first = 0;          ///< the new ones: one per condition of the postset, in order, ...
  EnrichedId first_reading = 0;  ///< ... then the reading ones ...
  EnrichedId end = 0;            ///< ... up to here
};

class Concurrency {
 public:
  explicit Concurrency(Prefix& prefix)
      : prefix_(prefix), reads_(prefix.net().has_reads()), role_(prefix.net().places().size(), Role::None) {}

  /// Adds the enriched conditions of a history that is not a cutoff. The result is valid until the next call.
  const Frontier& add(HistoryId history);

  bool concurrent(EnrichedId x, EnrichedId y) const;
  bool stale(EnrichedId x, EnrichedId y) const;

 private:
  enum class Role : std::uint8_t { None, Consumed, Read };

  void compute_concurrent(HistoryId history);
  void pick_own(HistoryId history);
  void compute_outdated(HistoryId history);
  void add_generating(HistoryId history);
  void add_reading(HistoryId history);
  void add_reading(HistoryId history, EnrichedId before);
  void relate_to_older();
  void relate_siblings();
  bool is_read(PlaceId place) const { return !prefix_.net().place(place).readers.empty(); }
  bool is_consumed(PlaceId place) const { return !prefix_.net().place(place).consumers.empty(); }

  Prefix& prefix_;
  bool reads_;
  RowStore concurrent_;
  RowStore stale_;
  RowStore outdates_;
  std::vector<PlaceId> places_;  ///< of each enriched condition: a contiguous copy for the inner loops
  std::vector<Role> role_;       ///< of each place, for the current event
  Frontier frontier_;
  BlockVector scratch_;
  BlockVector set_;
  BlockVector marked_;
  std::vector<EnrichedId> own_;     ///< concurrent ones of conditions that the event reads, ascending
  std::vector<EnrichedId> before_;  ///< the enriched conditions that the new reading ones extend
};

}  // namespace mazurka::prefix
