// Which events need no continuation because their state is reached otherwise: cutoff(e, U, G) of *Unfolding-based POR*
// (Rodríguez, Sousa, Sharma, Kroening: CONCUR 2015), §5.2.
//
// An event is a cutoff if U, or the cache G of events that U has forgotten, has an event whose local configuration
// leads to the same state and is smaller: by an adequate order (adequate_order.hpp), where the paper compares sizes.
// Infinitely many events have finitely many states, so the events that are no
// cutoffs are finitely many, and their configurations still lead to every state (Theorem 12).
//
// Where we deviate: the state of a local configuration is known once its event has been executed, so that is when an
// event is judged, once. Until then an extension counts as none: it is a cutoff that was noticed late. What is judged a
// cutoff stays one as long as U has it. The proof needs of an event that never is a cutoff only that it is never judged
// one, and so allows both.
//
// States are told apart by hashes, or, if the options say so, by what they hold (exact_states.hpp).
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
  std::uint64_t cutoffs = 0;     ///< events judged to be one
  std::uint64_t cache_hits = 0;  ///< of them, those whose corresponding event U had forgotten
  std::uint64_t states = 0;      ///< different ones of local configurations, as far as they are remembered
  std::uint64_t emptied = 0;     ///< how often the cache was full
  std::uint64_t collisions = 0;  ///< where states are compared: different ones with the same hash
  std::uint64_t bytes = 0;       ///< then: what they take, at most
};

struct CutoffOptions {
  std::size_t cache = SIZE_MAX;  ///< G has room for so many states
  bool exact = false;            ///< states are compared, not only their hashes
  unsigned hash_bits = 128;      ///< of the hashes of states; for tests, which cannot wait for a collision of 128 bits
};

class Cutoffs {
 public:
  Cutoffs(const EventStructure& events, const CutoffOptions& options)
      : events_(events), options_(options), shapes_(events) {}

  bool is_judged(EventId e) const { return e < records_.size() && records_[e].verdict != Verdict::Open; }
  bool is_cutoff(EventId e) const { return e < records_.size() && records_[e].verdict == Verdict::Cutoff; }

  /// Whether the event changed the state by this much when it was judged. What an event changes follows from its
  /// causes, or states are not what configurations lead to.
  bool has_delta(EventId e, const StateHash& delta, std::span<const StateDifference> differences) {
    return records_[e].delta == delta && (!options_.exact || exact_.has_differences(e, differences));
  }

  /// Judges an event that changed the state by `delta`, and where states are compared, in these places. Its causes are
  /// in `c` and have been judged. What ends the program is no cutoff.
  void judge(EventId e, const Configuration& c, const StateHash& delta, std::span<const StateDifference> differences,
             bool ends_program);

  /// The hash of the state that a configuration leads to; its events have been judged.
  StateHash state_of(const Configuration& c) const;

  /// Takes over what another exploration of the same system remembers, as the cache.
  void adopt(Cutoffs& other);
  /// Treats local configurations with more events than this as cutoffs, whatever their states.
  void limit(std::uint32_t largest) { largest_ = largest; }
  bool has_limit() const { return largest_ != UINT32_MAX; }
  /// Whether there was one, so that states may be missing.
  bool limited() const { return limited_; }

  /// The events of the structure have new numbers; G keeps what it has room for of those that have none.
  void renumber(const std::vector<EventId>& renumbered);

  CutoffStatistics statistics() const;

 private:
  enum class Verdict : std::uint8_t { Open, Kept, Cutoff, Last /* it ends the program */ };
  struct Record {
    StateHash delta;
    StateHash state;         ///< of the local configuration, as a key
    std::uint32_t size = 0;  ///< of that
    StateNumber number = 0;  ///< of the state
    Verdict verdict = Verdict::Open;
  };
  struct Key {
    StateHash hash;
    StateNumber number = 0;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const noexcept { return key.hash.words[0]; }
  };
  /// The smallest local configuration that leads to a state.
  struct Smallest {
    Shape shape;
    EventId event;  ///< kNoEvent: U has forgotten it
  };
  static constexpr EventId kInitial = kNoEvent - 1;  ///< stands for no event at all

  StateHash shortened(StateHash hash) const;
  Key initial() const { return {StateHash{}, StateNumber{options_.exact ? 1U : 0U}}; }
  void remember(EventId e, const Key& state, const Shape& shape);
  /// Forgets the states in full that neither U nor G has.
  void forget_states();
  /// Leaves in U ∪ G what U has.
  void empty_cache();

  const EventStructure& events_;
  CutoffOptions options_;
  HugeVector<Record> records_;  // per event
  Shapes shapes_;
  ExactStates exact_;
  std::unordered_map<Key, Smallest, HashOfKey> smallest_{{initial(), {{}, kInitial}}};  // of U ∪ G
  std::uint32_t largest_ = UINT32_MAX;
  bool limited_ = false;
  std::size_t forgotten_ = 0;  // states that only G has
  CutoffStatistics statistics_;
};

}  // namespace mazurka::unfolding
