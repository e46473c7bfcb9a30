#include "dpor/trace.hpp"

#include <algorithm>

namespace mazurka::dpor {

bool Trace::follow(const Execution& execution, std::size_t shared, Poll& poll) {
  constexpr std::size_t kBatch = 1024;  // events per unit of polling
  execution_ = &execution;
  const auto& events = execution.events;
  shared_ = shared;
  known_ = shared;
  if (observed_) known_ = std::min(observations_.update(events, shared), deliveries_.update(events, shared));
  fatal_ = execution.fatal() ? static_cast<EventIndex>(events.size() - 1) : kNoEvent;
  order_.truncate(std::min(known_, order_.size()));
  for (std::size_t i = order_.size(); i < events.size(); ++i) {
    if (i % kBatch == kBatch - 1 && !poll.spend(kBatch)) return false;
    if (!observed_)
      order_.append(events[i]);
    else if (events[i].operation.kind == OperationKind::MailboxSend)
      order_.append(events[i], {false, true, deliveries_.before(events, static_cast<EventIndex>(i))});
    else
      order_.append(events[i], {observations_.unobserved(i), false, {}});
  }
  return true;
}

Target Trace::before(EventIndex event) const {
  const Event& e = events()[event];
  const std::uint32_t position = order_.position(event);
  const EventIndex last = position > 1 ? order_.history(e.process)[position - 2] : kNoEvent;
  return {e.process, last, event, &e.operation, e.alternative, true};
}

Target Trace::at_end(const Offer& offer) const {
  const auto history = order_.history(offer.process);
  return {offer.process, history.empty() ? kNoEvent : history.back(), kNoEvent, &offer.operation, offer.alternative,
          false};
}

}  // namespace mazurka::dpor
