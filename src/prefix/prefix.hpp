// The enriched prefix ⟨P_N, χ⟩ of a contextual net (§2.3 of the contextual unfolder's paper) as flat arrays.
//
// Event 0 is ⊥, which produces the initial marking and has the one history 0. A history is a node of the history graph
// (Def. 13): it stores the enriched conditions from which it was built, and its events are found by walking those links
// (Lemma 14). An enriched condition ⟨c, H⟩ is *generating* (H is a history of the event that produces c) or *reading*
// (H is the union of histories of events that read c; a compound one has several). A reading one is stored as the last
// reader's history and the enriched condition that it extends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/net.hpp"

namespace mazurka::prefix {

using net::PlaceId;
using net::TransitionId;
using EventId = std::uint32_t;
using ConditionId = std::uint32_t;
using HistoryId = std::uint32_t;
using EnrichedId = std::uint32_t;

inline constexpr std::uint32_t kNoId = ~std::uint32_t{0};

struct Event {
  TransitionId label;           ///< kNoId for ⊥
  HistoryId histories;          ///< the first of its histories
  ConditionId first_condition;  ///< its postset is consecutive, in the order of the transition's postset
};

struct History {
  EventId event;
  std::uint32_t links;  ///< where its enriched conditions start: preset first, then context, in the transition's order
  std::uint32_t size;   ///< |H|, without ⊥
  std::uint32_t level : 31;  ///< the level of the event in the Foata normal form of H
  std::uint32_t cutoff : 1;
  HistoryId next;  ///< the next history of the same event, or kNoId
};

struct Enriched {
  ConditionId condition;
  PlaceId place;
  HistoryId history;    ///< of the producer, or of the last reader
  EnrichedId previous;  ///< kNoId for a generating one
  bool generating() const { return previous == kNoId; }
};

class Prefix {
 public:
  explicit Prefix(const net::Net& net);

  const net::Net& net() const { return *net_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<History>& histories() const { return histories_; }
  const std::vector<Enriched>& enriched() const { return enriched_; }
  std::size_t conditions() const { return producer_.size(); }

  // Without ⊥.
  std::size_t event_count() const { return events_.size() - 1; }
  std::size_t history_count() const { return histories_.size() - 1; }
  std::size_t cutoff_count() const { return cutoffs_; }

  EventId producer(ConditionId condition) const { return producer_[condition]; }
  PlaceId place_of(ConditionId condition) const {
    const EventId event = producer_[condition];
    return postset_labels(event)[condition - events_[event].first_condition];
  }
  std::span<const PlaceId> postset_labels(EventId event) const {
    return event == 0 ? std::span<const PlaceId>(initial_) : net_->transition(events_[event].label).post;
  }
  const net::Transition& label(EventId event) const { return net_->transition(events_[event].label); }

  /// The enriched conditions that a history consumes and reads.
  std::span<const EnrichedId> links(HistoryId history) const {
    return {links_.data() + histories_[history].links, link_count(history)};
  }
  std::size_t consumed_count(HistoryId history) const {
    const EventId event = histories_[history].event;
    return event == 0 ? 0 : label(event).pre.size();
  }
  std::size_t link_count(HistoryId history) const {
    const EventId event = histories_[history].event;
    return event == 0 ? 0 : label(event).pre.size() + label(event).context.size();
  }

  /// The conditions that an event consumes and reads; the preset comes first.
  template <typename Visit>
  void for_each_input(EventId event, Visit&& visit) const {
    const HistoryId history = events_[event].histories;
    const std::size_t consumed = consumed_count(history);
    const auto inputs = links(history);
    for (std::size_t i = 0; i < inputs.size(); ++i) visit(enriched_[inputs[i]].condition, i < consumed);
  }

  /// The histories one step below `enriched` in the history graph. A reading one does not name the producer's history,
  /// since each reader has that below itself.
  template <typename Visit>
  void for_each_source(EnrichedId enriched, Visit&& visit) const {
    const Enriched* at = &enriched_[enriched];
    visit(at->history);
    while (at->previous != kNoId) {
      at = &enriched_[at->previous];
      if (at->previous != kNoId) visit(at->history);
    }
  }

  // For the unfolder only.
  EventId add_event(TransitionId label);
  HistoryId add_history(EventId event, std::span<const EnrichedId> links, std::uint32_t size, std::uint32_t level);
  EnrichedId add_enriched(ConditionId condition, PlaceId place, HistoryId history, EnrichedId previous);
  void set_cutoff(HistoryId history);

 private:
  const net::Net* net_;
  std::vector<PlaceId> initial_;
  std::vector<Event> events_;
  std::vector<History> histories_;
  std::vector<EnrichedId> links_;
  std::vector<Enriched> enriched_;
  std::vector<EventId> producer_;  ///< of each condition
  std::size_t cutoffs_ = 0;
};

}  // namespace mazurka::prefix
