// What observers change (§5 of *Optimal DPOR with Observers*): which stores of an execution are observed, and the
// relation ~ between sequences under an order of stores that only a later read brings about.
#pragma once

#include <span>
#include <vector>

#include "core/object_chains.hpp"
#include "core/observation.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

/// The observers of the stores of an execution.
class Observations {
 public:
  void assign(const std::vector<Event>& events);

  /// Whether event i is a store that no event reads.
  bool unobserved(std::size_t i) const { return store_[i] && begin_[i] == begin_[i + 1]; }
  /// The events that read what event i stored, in their order.
  std::span<const EventIndex> observers(std::size_t i) const {
    return std::span(observers_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  std::vector<bool> store_;
  std::vector<std::size_t> begin_;  // into observers_, per event; one more at the end
  std::vector<EventIndex> observers_;
};

/// p ∈ WI(v) of Def. 2 where orders of stores need observers: some execution that starts with v is equivalent to one
/// that starts with p.
bool is_weak_initial_observed(const LabelledStep& p, std::span<const LabelledStep> v);

/// v ~ w of §5: some execution that starts with v is equivalent to one that starts with w.
bool similar_observed(std::span<const LabelledStep> v, std::span<const LabelledStep> w);

}  // namespace mazurka::dpor
