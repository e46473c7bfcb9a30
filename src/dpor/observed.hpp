// What observers change (§5 of *Optimal DPOR with Observers*): which stores of an execution are observed, and which
// steps are weak initials of a sequence where the order of two stores exists only once a later step reads the second of
// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/object_chains.hpp"
#include "core/observation.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

/// The observers of the stores of an execution. Grows with it, so that executions with a common prefix share the work.
class Observations {
 public:
  /// \pre the first `known` events are those of the last call.
  /// Returns the length of the prefix whose happens-before is still that of the last call: a read after the prefix may
  /// order stores inside it, or no longer do so.
  std::size_t update(const std::vector<Event>& events, std::size_t known);

  /// Whether event i is a store that no event reads.
  bool unobserved(std::size_t i) const { return entries_[i].store && entries_[i].first_observer == kNone; }
  /// The events that read what event i stored, in their order.
  void collect_observers(const std::vector<Event>& events, EventIndex i, std::vector<EventIndex>& observers);
  /// The stores that event i reads.
  std::span<const EventIndex> observed_by(EventIndex i) const {
    const std::size_t end = i + 1 < entries_.size() ? entries_[i + 1].log_begin : log_.size();
    return std::span(log_).subspan(entries_[i].log_begin, end - entries_[i].log_begin);
  }

 private:
  static constexpr EventIndex kNone = UINT32_MAX;

  struct Entry {
    bool store = false;
    bool contended = false;              // another process stored to the same bytes before
    bool was_observed = false;           // when update() returned last
    ObjectChains::ChainIndex chain = 0;  // of a store
    EventIndex first_observer = kNone;
    std::uint32_t log_begin = 0;  // into log_: the stores that it reads
  };

  void append(const std::vector<Event>& events, EventIndex i);
  void observe(const std::vector<Event>& events, ObjectChains::ChainIndex chain, EventIndex reader);
  void truncate(std::size_t length);

  std::vector<Entry> entries_;
  std::vector<EventIndex> log_;
  ObjectChains chains_;
  std::uint32_t chain_count_ = 0;  // chains below this number may hold stores
  ObjectChains::Set set_;
};

/// How far a step p that was explored after E has been overtaken by the steps after E: whether p is still in WI(v) of
/// Def. 2 for the sequence v so far, that is, some execution that starts with E.v is equivalent to one that starts with
/// E.p.
///
/// p is no weak initial once a step before it depends on it. A store that comes after another one to the same bytes is
/// one until somebody reads it: only then are the two ordered.
enum class Overtaken : std::uint8_t {
  No,         ///< every step so far commutes with p, which was not taken
  ByAStore,   ///< the same, except for stores to the same bytes
  AndTaken,   ///< p was taken after such a store, and nobody has read it yet
  NeverAgain  ///< p is an initial, whatever follows
};

/// Accounts for the next step of v. Returns false if p is no weak initial any more.
bool remains_weak_initial(const LabelledStep& p, Overtaken& state, const LabelledStep& next);

/// p ∈ WI(v) of Def. 2, where p was overtaken as `state` says before v.
bool is_weak_initial_observed(const LabelledStep& p, std::span<const LabelledStep> v, Overtaken state = Overtaken::No);

}  // namespace mazurka::dpor
