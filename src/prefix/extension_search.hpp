// Finds the possible extensions that a new history induces (Def. 10): for each transition that could use one of its new
// enriched conditions, all choices of the others among those concurrent to it.
//
// In a 1-safe net no condition concurrent to an event has the same place as one of its postset. So places of the
// postset are bound to the new generating conditions, and consumed places that the event reads are bound to its new
// reading conditions. Only the rest is searched: the place with the fewest candidates first, and each choice filters
// the others. Every extension is found exactly once, when the youngest of its enriched conditions is added.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "prefix/concurrency.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::prefix {

/// Two concurrent conditions of one place: the net is not 1-safe.
struct Clash {
  EnrichedId older;
  HistoryId history;
};

class ExtensionSearch {
 public:
  /// Receives a transition and enriched conditions for its preset and context, in the transition's order.
  using Found = std::function<void(TransitionId, std::span<const EnrichedId>)>;

  ExtensionSearch(const Prefix& prefix, const Concurrency& concurrency, Found found);

  /// Reports the extensions of `history` with its new enriched conditions in `frontier`, or a clash.
  std::optional<Clash> run(HistoryId history, const Frontier& frontier);

 private:
  /// A place of the transition that is not bound yet.
  struct Slot {
    std::uint32_t position;  ///< in the transition's preset and context
    bool consumed;
    std::span<const EnrichedId> candidates;
  };

  /// The transitions that an event with a given label can enable; computed when the label first occurs.
  struct Neighbours {
    bool known = false;
    std::vector<TransitionId> transitions;
    std::vector<PlaceId> places;  ///< all that those transitions consume or read
  };

  const Neighbours& neighbours(EventId event);
  std::optional<Clash> sort_candidates(HistoryId history, const Frontier& frontier);
  void bind_new(EventId event, const Frontier& frontier);
  void try_transition(TransitionId transition);
  void search(TransitionId transition, std::size_t depth, std::size_t open);
  bool compatible(EnrichedId x, bool x_consumed, EnrichedId y, bool y_consumed) const;

  const Prefix& prefix_;
  const Concurrency& concurrency_;
  Found found_;
  bool reads_;
  std::vector<Neighbours> neighbours_;  ///< per transition; the last one is for ⊥

  // Per place, for one run: how it can be bound.
  struct Binding {
    std::vector<EnrichedId> consumable;
    std::vector<EnrichedId> readable;
    bool wanted = false;
    bool produced = false;  ///< in the new postset: a candidate would clash
    bool read = false;      ///< in the context of the event: only new reading conditions can be consumed
  };
  std::vector<Binding> bindings_;

  std::vector<EnrichedId> chosen_;
  std::vector<std::vector<Slot>> levels_;       ///< per depth of the search
  std::vector<std::vector<EnrichedId>> pools_;  ///< per depth, the candidates that its slots point into
};

}  // namespace mazurka::prefix
