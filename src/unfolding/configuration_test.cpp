// The walk along the events on a resource visits all events that a label depends on, and skips loops of reads.
#include "unfolding/configuration.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace mazurka::unfolding {
namespace {

Operation access(OperationKind kind, std::uint8_t flags = 0) {
  Operation operation;
  operation.kind = kind;
  operation.flags = flags;
  operation.object = 64;
  operation.size = 4;
  return operation;
}

/// A configuration of accesses of one variable.
class OneVariable {
 public:
  void add(ProcessIndex process, const Operation& operation) {
    const LabelId label = events.labels().intern({process, 0}, operation);
    std::vector<EventId> causes;
    c.causes_at_end(label, causes);
    c.push(events.intern(label, c.last(process), causes, c));
  }
  LabelId label(ProcessIndex process, const Operation& operation) {
    return events.labels().intern({process, 0}, operation);
  }
  std::vector<EventId> walk(LabelId of, std::uint32_t end = Configuration::kNotHere) const {
    std::vector<EventId> met;
    c.backwards(
        events.labels().uses(of)[0], of, Configuration::Depends::AsItIs,
        [&](const Configuration::Entry& entry, std::uint32_t) {
          met.push_back(entry.event);
          return false;
        },
        end);
    return met;
  }

  EventStructure events;
  Configuration c{events};
};

//   p2:  store                          store                          …    every 100th access
//          ├─▶ load ─▶ load ─▶ … (p0) ──▶ ├─▶ load ─▶ …
//          └─▶ load ─▶ load ─▶ … (p1) ──▶ └─▶ load ─▶ …
//
// A store uses the variable totally, a load does not. Another load depends on the stores only, another store on all.
TEST(Configuration, PassesOverLoopsOfReads) {
  OneVariable v;
  constexpr int kRounds = 1000;
  for (int i = 0; i < kRounds; ++i) {
    if (i % 100 == 0) v.add(2, access(OperationKind::Store));
    v.add(static_cast<ProcessIndex>(i % 2), access(OperationKind::Load));
  }
  const LabelId load = v.label(3, access(OperationKind::Load));
  EXPECT_EQ(v.walk(load).size(), kRounds / 100) << "a read looks at the writes only";
  EXPECT_EQ(v.walk(v.label(3, access(OperationKind::Store))).size(), v.c.size()) << "a write looks at everything";
}

TEST(Configuration, MeetsAllThatALabelDependsOn) {
  const std::vector<Operation> accesses{access(OperationKind::Load), access(OperationKind::Store),
                                        access(OperationKind::CompareExchange, kFailed),
                                        access(OperationKind::CompareExchange)};
  SplitMix64 random(1);
  for (int round = 0; round < 100; ++round) {
    OneVariable v;
    for (std::uint64_t i = 0, count = random.below(60); i < count; ++i)
      v.add(static_cast<ProcessIndex>(random.below(3)), accesses[random.below(8) < 6 ? 0 : random.below(4)]);
    for (const Operation& operation : accesses) {
      const LabelId label = v.label(3, operation);
      const auto end = static_cast<std::uint32_t>(random.below(v.c.size() + 1));
      std::vector<EventId> expected;
      for (std::uint32_t i = end; i-- > 0;)
        if (v.events.labels().dependent(v.events.label(v.c[i]), label)) expected.push_back(v.c[i]);
      std::vector<EventId> met = v.walk(label, end);
      std::erase_if(met, [&](EventId e) { return !v.events.labels().dependent(v.events.label(e), label); });
      EXPECT_EQ(met, expected);
    }
  }
}

}  // namespace
}  // namespace mazurka::unfolding
