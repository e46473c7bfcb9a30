// The execution whose reversals are looked for, with what follows from what in it. Grows with the execution, so that
// executions with a common prefix share the work.
#pragma once

#include <cstdint>

#include "core/execution.hpp"
#include "core/happens_before.hpp"
#include "core/poll.hpp"
#include "dpor/deliveries.hpp"
#include "dpor/observed.hpp"

namespace mazurka::dpor {

inline constexpr EventIndex kNoEvent = UINT32_MAX;

/// A process at a point of the execution, and an operation it offers there.
struct Target {
  ProcessIndex process;
  EventIndex last;  ///< its last event so far, kNoEvent if it has none
  EventIndex next;  ///< what it did next in the execution, kNoEvent if nothing
  const Operation* operation;
  std::uint32_t alternative;
  bool taken;  ///< it is what `next` did
};

class Trace {
 public:
  /// Whether the order of stores, and of deliveries to a mailbox, counts always, or only where it is observed.
  enum class Stores { Ordered, Observed };

  explicit Trace(Stores stores) : observed_(stores == Stores::Observed) {}

  /// Goes over to another execution, which must outlive its use and has the first `shared` events in common with the
  /// one before. Returns false where the poll ended it early.
  bool follow(const Execution& execution, std::size_t shared, Poll& poll);

  const Execution& execution() const { return *execution_; }
  const std::vector<Event>& events() const { return execution_->events; }
  std::size_t size() const { return execution_->events.size(); }
  /// The events in common with the execution before.
  std::size_t shared() const { return shared_; }
  /// Those of them that still have the same causes: a read after them may order stores, or no longer do so, and so may
  /// a receive deliveries.
  std::size_t known() const { return known_; }
  /// The event that made the execution fail, so that nothing can come after it; else kNoEvent.
  EventIndex fatal() const { return fatal_; }

  bool observes_stores() const { return observed_; }
  Observations& observations() { return observations_; }
  const Deliveries& deliveries() const { return deliveries_; }
  HappensBefore& order() { return order_; }
  const HappensBefore& order() const { return order_; }
  bool follows(EventIndex event, EventIndex from) const { return event == from || order_.before(from, event); }

  /// The process of an event before it.
  Target before(EventIndex event) const;
  /// The process that offers this at the end.
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
