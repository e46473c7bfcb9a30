// Cutoff events: cutoff(e, U, G) of *Unfolding-based POR* (Rodríguez, Sousa, Sharma, Kroening: CONCUR 2015), §5.2.
//
// An event e is a cutoff if U, or the cache G of events that were removed from U, contains an event whose local
// configuration leads to the same state as [e] and is smaller in an adequate order (adequate_order.hpp; the paper
// compares sizes). If the states are finitely many, so are the events that are not cutoffs, and their configurations
// still lead to every reachable state (Theorem 12).
//
// Where we deviate: the state of [e] is known only once e was executed, so that is when e is judged, once. Until then
// an extension counts as no cutoff; a cutoff is thus noticed late. An event judged a cutoff stays one while it is in U.
// The proof uses of a non-cutoff only that it is never judged a cutoff, and so admits both.
//
// A step that makes the program fail ends the execution, although steps independent of it could follow. It is reported,
// and then left out like a cutoff: nothing follows it, and the others go on without it.
//
// States are compared by hash or, if the options say so, exactly (exact_states.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/huge_vector.hpp"
#include "core/state_hash.hpp"
#include "unfolding/adequate_order.hpp"
#include "unfolding/configuration.hpp"
#include "unfolding/exact_states.hpp"

namespace mazurka::unfolding {

struct CutoffStatistics {
  std::uint64_t cutoffs = 0;     ///< events judged to be cutoffs
  std::uint64_t cache_hits = 0;  ///< of these, those whose smaller event was in the cache only
  std::uint64_t states = 0;      ///< distinct states of local configurations, as far as remembered
  std::uint64_t emptied = 0;     ///< how often the cache was full
  std::uint64_t collisions = 0;  ///< exact states only: distinct states with equal hashes
  std::uint64_t bytes = 0;       ///< exact states only: peak memory
};

struct CutoffOptions {
  std::size_t cache = SIZE_MAX;  ///< capacity of G, in states
  bool exact = false;            ///< compare states, not only their hashes
  unsigned hash_bits = 128;      ///< length of state hashes; shorter only in tests, to provoke collisions
};

class Cutoffs {
 public:
  Cutoffs(const EventStructure& events, const CutoffOptions& options)
      : events_(events), options_(options), shapes_(events) {}

  bool is_judged(EventId e) const { return e < records_.size() && records_[e].status != Status::Open; }
  /// Whether e is in no configuration: a cutoff, or a failing step.
  bool is_cutoff(EventId e) const {
    return e < records_.size() && (records_[e].status == Status::Cutoff || records_[e].status == Status::Failed);
  }
  bool has_failed(EventId e) const { return e < records_.size() && records_[e].status == Status::Failed; }

  /// Whether the event changes the state as it did when it was judged. The change by an event is determined by its
  /// causes; otherwise configurations do not determine states.
  bool has_delta(EventId e, const StateHash& delta, std::span<const StateDifference> differences) {
    return records_[e].delta == delta && (!options_.exact || exact_.has_differences(e, differences));
  }

  /// Judges e, which changed the state by `delta` and, for exact states, by `differences`. \pre The causes of e are in
  /// `c` and were judged.
  void judge(EventId e, const Configuration& c, const StateHash& delta, std::span<const StateDifference> differences);
  /// Judges e, after which nothing follows: an end of the process is part of configurations, a failing step is not.
  void judge_end(EventId e, bool failed);

  /// The hash of the state to which a configuration leads. \pre Its events were judged.
  StateHash state_of(const Configuration& c) const;

  /// Uses what another exploration of the same system remembers as the cache G.
  void adopt(Cutoffs& other);
  /// Treats local configurations of more than `largest` events as cutoffs, whatever their states.
  void limit(std::uint32_t largest) { largest_ = largest; }
  bool has_limit() const { return largest_ != UINT32_MAX; }
  /// Whether limit() made an event a cutoff, so that states may be missing.
  bool limited() const { return limited_; }

  /// The events of U were renumbered; G keeps those without a new number while it has room.
  void renumber(const std::vector<EventId>& renumbered);

  CutoffStatistics statistics() const;

 private:
  enum class Status : std::uint8_t { Open, Kept, Cutoff, Last /* it ends the process */, Failed };
  struct Record {
    StateHash delta;
    StateHash state;         ///< of the local configuration, truncated to a key
    std::uint32_t size = 0;  ///< of the local configuration
    StateNumber number = 0;  ///< of the state, if states are exact
    Status status = Status::Open;
  };
  struct Key {
    StateHash hash;
    StateNumber number = 0;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const noexcept { return key.hash.words[0]; }
  };
  /// The smallest known local configuration for a state.
  struct Smallest {
    Shape shape;
    EventId event;  ///< kNoEvent: removed from U
  };
  static constexpr EventId kInitial = kNoEvent - 1;  ///< stands for the empty configuration

  StateHash shortened(StateHash hash) const;
  Key initial() const { return {StateHash{}, StateNumber{options_.exact ? 1U : 0U}}; }
  void remember(EventId e, const Key& state, const Shape& shape);
  /// Forgets the exact states that neither U nor G refers to.
  void forget_states();
  /// Restricts G to its capacity. The smallest configurations stay: they make cutoffs of the most events, and an
  /// exploration that forgets all of them at once repeats itself.
  void shrink_cache();

  const EventStructure& events_;
  CutoffOptions options_;
  HugeVector<Record> records_;  // per event
  Shapes shapes_;
  ExactStates exact_;
  std::unordered_map<Key, Smallest, HashOfKey> smallest_{{initial(), {{}, kInitial}}};  // for U ∪ G
  std::uint32_t largest_ = UINT32_MAX;
  bool limited_ = false;
  std::size_t forgotten_ = 0;  // number of states that only G has
  CutoffStatistics statistics_;
};

}  // namespace mazurka::unfolding
