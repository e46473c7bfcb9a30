#include "dpor/awaited.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::dpor {

bool Awaited::add(const Operation& operation) {
  if (family(operation.kind) != Family::Memory || never_blocks(operation.kind)) return false;
  const auto same = [&](const Operation& known) {
    return known.object == operation.object && known.size == operation.size;
  };
  if (std::any_of(awaits_.begin(), awaits_.end(), same)) return false;
  awaits_.push_back(operation);
  return true;
}

bool Awaited::add(const Execution& execution) {
  bool any = false;
  for (const Event& event : execution.events) any |= add(event.operation);
  for (const Offer& offer : execution.pending) any |= add(offer.operation);
  return any;
}

void Awaited::add(const Awaited& other) {
  for (const Operation& operation : other.awaits_) add(operation);
}

void Awaited::mark(Execution& execution) const {
  const auto mark = [this](Operation& operation) {
    if (operation.kind == OperationKind::Store &&
        std::any_of(awaits_.begin(), awaits_.end(), [&](const Operation& a) { return detail::overlap(a, operation); }))
      operation.flags |= kAwaited;
  };
  if (awaits_.empty()) return;
  for (Event& event : execution.events) mark(event.operation);
  for (Offer& offer : execution.offers) mark(offer.operation);
  for (Offer& offer : execution.pending) mark(offer.operation);
}

}  // namespace mazurka::dpor
