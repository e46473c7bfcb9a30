// The current execution with its happens-before relation. Updated incrementally, so that executions with a common
// prefix share the work.
#pragma once

#include <cstdint>

#include "core/execution.hpp"
#include "core/happens_before.hpp"
#include "core/poll.hpp"
#include "dpor/deliveries.hpp"
#include "dpor/observed.hpp"

namespace mazurka::dpor {

/// A process at a point of the execution, and an operation pending there.
struct Target {
  ProcessIndex process;
  EventIndex last;  ///< its last event before that point, kNoEvent if none
  EventIndex next;  ///< its next event in the execution, kNoEvent if none
  const Operation* operation;
  std::uint32_t alternative;
  bool taken;  ///< the operation is that of `next`
};

class Trace {
 public:
  /// Whether stores, and deliveries to a mailbox, are always ordered, or only if their order is observed.
  enum class Stores { Ordered, Observed };

  explicit Trace(Stores stores) : observed_(stores == Stores::Observed) {}

  /// Switches to another execution, which shares its first `shared` events with the current one. Returns false if the
  /// poll stopped it early. \pre `execution` outlives its use.
  bool follow(const Execution& execution, std::size_t shared, Poll& poll);

  const Execution& execution() const { return *execution_; }
  const std::vector<Event>& events() const { return execution_->events; }
  std::size_t size() const { return execution_->events.size(); }
  /// The number of events shared with the previous execution.
  std::size_t shared() const { return shared_; }
  /// Of these, the number with unchanged causes: a later read may order stores, or no longer do so, and likewise a
  /// receive for deliveries.
  std::size_t known() const { return known_; }
  /// The event that made the execution fail, so that nothing can follow it; else kNoEvent.
  EventIndex fatal() const { return fatal_; }

  bool observes_stores() const { return observed_; }
  Observations& observations() { return observations_; }
  const Deliveries& deliveries() const { return deliveries_; }
  HappensBefore& order() { return order_; }
  const HappensBefore& order() const { return order_; }
  bool follows(EventIndex event, EventIndex from) const { return event == from || order_.before(from, event); }

  /// The process of `event`, at the point before it.
  Target before(EventIndex event) const;
  /// The process of a pending operation, at the end.
  Target at_end(const Offer& offer) const;

 private:
  bool observed_;
  const Execution* execution_ = nullptr;
  HappensBefore order_;
  Observations observations_;
  Deliveries deliveries_;
  std::size_t shared_ = 0;
  std::size_t known_ = 0;
  EventIndex fatal_ = kNoEvent;
};

}  // namespace mazurka::dpor
