// The second half of the search for reversals: given a candidate, its history H, whether its step is possible after H,
// and the sequence to plan.
//
// H is what remains of the execution without the event that must stay away, without what the process did next, and
// without their consequences. Where it does not go without saying that the step is possible, a probe asks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/poll.hpp"
#include "core/prober.hpp"
#include "dpor/trace.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

/// A sequence v that can be run after the first `at` events of the execution, and is not how the execution went on.
struct Reversal {
  std::size_t at = 0;
  std::vector<LabelledStep> sequence;
  /// From whoever plans it: a sleeping step that makes the sequence redundant, by commuting with all of it.
  std::optional<LabelledStep> redundant_by;
};

class Histories {
 public:
  /// Plans a reversal. It may change the sequence as it likes.
  using Visit = std::function<Planned(Reversal&)>;

  Histories(Trace& trace, Prober& prober, Poll& poll, Visit visit)
      : trace_(trace), prober_(prober), poll_(poll), visit_(std::move(visit)) {}

  // Each of these builds H from the first `end` events, and visits H and then the target's step, with all its outcomes,
  // if that is possible. The answer is Settled if executions with the same first `end` events need not be asked again.

  /// The target's step where `avoided` stays away (or nothing does).
  Planned candidate(const Target& target, EventIndex avoided, std::size_t end);
  /// Another alternative of a choice, or of a section with choices, which is possible whatever else happens.
  Planned choose(const Target& target, std::size_t end);
  /// Two stores, or two deliveries, whose order an observer sees, in the other order.
  Planned observed_race(EventIndex first, EventIndex second, EventIndex observer, std::size_t end);

  /// Of what was visited last: why it was redundant.
  const std::optional<LabelledStep>& redundant_by() const { return reversal_.redundant_by; }

 private:
  void build(std::size_t end);
  std::optional<Operation> outcome(const Target& target, EventIndex avoided) const;
  bool finds_last_value(const Operation& e) const;
  Planned probe(const Target& target, std::size_t end);
  bool stays_disabled(const Target& target, EventIndex avoided) const;
  Planned run_section(const Target& target);
  Planned run_all_alternatives(const Target& target, std::size_t end);
  bool drop_remaining_readers(const Target& target, std::size_t end);
  void put_to_prober(std::span<const LabelledStep> steps);
  Planned emit(const Target& target, const Operation& operation, std::uint32_t alternative);

  Trace& trace_;
  Prober& prober_;
  Poll& poll_;
  Visit visit_;
  Reversal reversal_;
  std::vector<EventIndex> excluded_;  // from H, with their consequences
  std::vector<EventIndex> inside_;    // H from `at` on, as reversal_.sequence has it
  std::vector<EventIndex> observers_;
  std::vector<Offer> offered_;
};

}  // namespace mazurka::dpor
