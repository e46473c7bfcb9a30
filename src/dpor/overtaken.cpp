#include "dpor/overtaken.hpp"

#include "core/observation.hpp"

namespace mazurka::dpor {
namespace {

using Stage = Overtaken::Stage;

/// Whether a receive observes that the delivery p came after one that has overtaken it. Other operations that take a
/// message do not.
bool shows_order(const LabelledStep& p, const Overtaken& state, const Operation& receive,
                 const OvertakingMessages& messages) {
  return takes_message(receive) && receive.object == p.operation.object && receive.matches(p.operation.tag()) &&
         messages.contains(state.deliveries, receive.message());
}

}  // namespace

bool remains_weak_initial(const LabelledStep& p, Overtaken& state, const LabelledStep& next,
                          OvertakingMessages& messages) {
  const bool is_delivery = p.operation.kind == OperationKind::MailboxSend;
  switch (state.stage) {
    case Stage::No:
    case Stage::ByAnother:
      if (next.step.process == p.step.process) {
        state.stage = state.stage == Stage::No ? Stage::NeverAgain : Stage::AndTaken;
        return next.step == p.step;
      }
      if (needs_observer(next.operation, p.operation)) {
        state.stage = Stage::ByAnother;
        if (is_delivery) state.deliveries = messages.add(next.operation.message(), state.deliveries);
        return true;
      }
      return !dependent(next.operation, p.operation) &&
             !(is_delivery && shows_order(p, state, next.operation, messages));
    case Stage::AndTaken: {
      if (is_delivery) {
        if (shows_order(p, state, next.operation, messages)) return false;
        if (takes_message(next.operation) && next.operation.object == p.operation.object &&
            next.operation.message() == p.operation.message())
          state.stage = Stage::NeverAgain;
        return true;
      }
      const Fate fate = fate_of(p.operation, next.operation);
      if (fate == Fate::Overwritten) state.stage = Stage::NeverAgain;
      return fate != Fate::Observed;
    }
    case Stage::NeverAgain: return true;
  }
  return true;
}

bool is_weak_initial_observed(const LabelledStep& p, std::span<const LabelledStep> v, OvertakingMessages& messages,
                              Overtaken state) {
  // Other steps cannot be overtaken, so WI(v) is that of Optimal-DPOR.
  if (state.stage == Stage::No && p.operation.kind != OperationKind::Store &&
      p.operation.kind != OperationKind::MailboxSend)
    return is_weak_initial(p, v);
  const std::size_t known = messages.size();
  bool remains = true;
  for (auto next = v.begin(); remains && next != v.end() && state.stage != Stage::NeverAgain; ++next)
    remains = remains_weak_initial(p, state, *next, messages);
  messages.truncate(known);
  return remains;
}

}  // namespace mazurka::dpor
