// The relations of random executions, against their definitions.
#include "report/relate.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "core/happens_before.hpp"
#include "core/random.hpp"

namespace mazurka::report {
namespace {

Execution random_execution(SplitMix64& random) {
  using enum OperationKind;
  constexpr OperationKind kKinds[] = {Load, Load, Load, Store, ReadModifyWrite, MutexLock, Yield, Exit};
  Execution execution;
  for (std::uint64_t i = 0, count = random.below(80); i < count; ++i) {
    Event event;
    event.process = static_cast<ProcessIndex>(random.below(4));
    event.operation.kind = kKinds[random.below(random.below(16) == 0 ? 8 : 7)];
    const bool memory = family(event.operation.kind) == Family::Memory;
    event.operation.size = memory ? (random.below(2) == 0 ? 4 : 2) : 0;
    event.operation.object = memory                                          ? 64 + 2 * random.below(4)
                             : family(event.operation.kind) == Family::Mutex ? 128
                                                                             : 0;
    execution.events.push_back(event);
  }
  Offer pending;
  pending.process = 5;
  pending.operation.kind = Store;
  pending.operation.object = 66;
  pending.operation.size = 2;
  if (random.below(4) == 0) execution.pending.push_back(pending);
  return execution;
}

TEST(Relations, AreThoseOfTheirDefinition) {
  SplitMix64 random(1);
  for (int round = 0; round < 300; ++round) {
    const Execution execution = random_execution(random);
    const std::vector<Event>& events = execution.events;
    const Relations relations = relate(execution);
    HappensBefore before;
    before.assign(events);
    for (EventIndex j = 0; j < events.size(); ++j) {
      const auto depends = [&](EventIndex i) {
        return events[i].process != events[j].process && dependent(events[i].operation, events[j].operation);
      };
      std::vector<std::size_t> causes;
      for (EventIndex i = j; i-- > 0;) {
        bool reached = false;
        for (EventIndex k = i + 1; k < j; ++k)
          reached |= before.before(i, k) && (events[k].process == events[j].process || depends(k));
        if (depends(i) && !reached) causes.push_back(i);
      }
      EXPECT_EQ(relations.causes[j], causes) << round << " " << j;
      bool alone = std::none_of(execution.pending.begin(), execution.pending.end(),
                                [&](const Offer& offer) { return dependent(offer.operation, events[j].operation); });
      for (EventIndex i = 0; i < events.size(); ++i) alone &= !depends(i);
      EXPECT_EQ(relations.alone[j] != 0, alone) << round << " " << j;
    }
  }
}

}  // namespace
}  // namespace mazurka::report
