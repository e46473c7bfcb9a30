// The second half of the search for reversals: for a candidate, compute its history H, decide whether its step is
// enabled after H, and build the sequence to plan.
//
// H is the execution without the avoided event, without what the process did next, and without everything that happens
// after these. If it is not certain that the step is enabled after H, we probe.
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

/// The number of an insertion whose answer is not known yet, by one explorer. \see Coordinator::insert
using Ticket = std::uint64_t;
inline constexpr Ticket kNoTicket = 0;

/// A sequence v that can be executed after the first `at` events, and that the execution did not continue with.
struct Reversal {
  std::size_t at = 0;
  std::vector<LabelledStep> sequence;
  /// Set by the planner: a sleeping step that makes the sequence redundant, because it commutes with all of it.
  std::optional<LabelledStep> redundant_by;
  /// Set by the planner if it answers Open for now: whether the sequence is settled will be known later.
  Ticket ticket = kNoTicket;
  /// The sequence extends the one with this ticket, and is to be planned only if that one is not settled.
  Ticket unless_settled = kNoTicket;
};

class Histories {
 public:
  /// Plans a reversal. May change the sequence.
  using Visit = std::function<Planned(Reversal&)>;

  Histories(Trace& trace, Prober& prober, Poll& poll, Visit visit)
      : trace_(trace), prober_(prober), poll_(poll), visit_(std::move(visit)) {}

  // Each of the following builds H from the first `end` events. If the target's step is enabled after H, it visits H
  // followed by the step, for each outcome. The result is Settled if executions with the same first `end` events need
  // not ask again.

  /// The target's step without the event `avoided` (kNoEvent: with all).
  Planned candidate(const Target& target, EventIndex avoided, std::size_t end);
  /// Another alternative of a choice, or of a section with choices, which is always enabled.
  Planned choose(const Target& target, std::size_t end);
  /// Two stores, or two deliveries, whose order is observed, in the other order.
  Planned observed_race(EventIndex first, EventIndex second, EventIndex observer, std::size_t end);

  /// What is visited next is planned only if the insertion with this ticket is not settled.
  void plan_unless_settled(Ticket ticket) { reversal_.unless_settled = ticket; }
  /// Why the last visited reversal was redundant.
  const std::optional<LabelledStep>& redundant_by() const { return reversal_.redundant_by; }
  /// With which later answer the last result becomes Settled.
  Ticket ticket() const { return reversal_.ticket; }

 private:
  void build(std::size_t end);
  /// What became of one reversal says nothing about the candidate.
  void forget_reasons() {
    reversal_.redundant_by.reset();
    reversal_.ticket = kNoTicket;
  }
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
  std::vector<EventIndex> excluded_;  // from H, with everything that happens after them
  std::vector<EventIndex> inside_;    // H from `at` on, parallel to reversal_.sequence
  std::vector<EventIndex> observers_;
  std::vector<Offer> offered_;
};

}  // namespace mazurka::dpor
