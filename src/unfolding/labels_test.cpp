#include "unfolding/labels.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "core/footprints.hpp"
#include "core/random.hpp"

namespace mazurka::unfolding {
namespace {

Operation random_operation(SplitMix64& random, bool aligned) {
  Operation operation;
  do {
    operation.kind = static_cast<OperationKind>(1 + random.below(static_cast<std::uint64_t>(OperationKind::Count) - 1));
  } while ((family(operation.kind) == Family::World || operation.kind == OperationKind::AtomicSection) &&
           random.below(8) != 0);
  if (operation.kind == OperationKind::AtomicSection) {
    std::vector<Operation> inside;
    for (std::uint64_t i = random.below(4); i > 0; --i) {
      Operation access;
      access.kind = random.below(2) == 0 ? OperationKind::Load : OperationKind::Store;
      access.object = 64 + 4 * random.below(3) + (aligned ? 0 : random.below(3));
      access.size = 4;
      inside.push_back(access);
    }
    operation.object = random.below(8) == 0 ? kUnknownFootprint : intern_footprint(inside, 0);
    return operation;
  }
  if (may_fail(operation.kind) && random.below(2) == 0) operation.flags |= kFailed;
  operation.object = 64 + 4 * random.below(3);
  if (!aligned) operation.object += random.below(3);
  const Family f = family(operation.kind);
  if (f == Family::Memory || f == Family::Futex) operation.size = 4;
  if (operation.kind == OperationKind::OnceLeave && random.below(2) == 0) operation.size = 4;
  if (f == Family::Memory && !aligned) operation.size = static_cast<std::uint8_t>(1 + random.below(8));
  if (operation.kind == OperationKind::ConditionWait) operation.set_released_mutex(64 + 4 * random.below(3));
  if (operation.kind == OperationKind::MutexLock && random.below(3) == 0) {
    operation.flags |= kReacquire;
    operation.set_awaited_condition(64 + 4 * random.below(3));
    operation.set_waiter(static_cast<std::uint32_t>(random.below(3)));
  }
  if (operation.kind == OperationKind::Free) operation.set_length(1 + random.below(12));
  if (state_decides_alternatives(operation.kind) || operation.kind == OperationKind::FutexResume)
    operation.detail = static_cast<std::uint32_t>(random.below(4));
  if (operation.kind == OperationKind::FutexWake && random.below(3) == 0) operation.flags |= kAll;
  return operation;
}

// What the index relies on: dependent operations meet on a resource, and a total use depends on every other use.
TEST(Labels, DependentOperationsShareAResource) {
  SplitMix64 random(1);
  std::uint64_t dependent_pairs = 0;
  std::uint64_t total_uses = 0;
  for (int round = 0; round < 20'000; ++round) {
    Labels labels;
    for (ProcessIndex process = 0; process < 8; ++process)
      labels.intern({process, 0}, random_operation(random, round % 2 == 0));
    for (LabelId a = 0; a < labels.size(); ++a)
      for (LabelId b = 0; b < labels.size(); ++b) {
        if (a == b) continue;
        const bool depend = dependent(labels[a].operation, labels[b].operation);
        bool share = false;
        for (const Use& x : labels.uses(a))
          for (const Use& y : labels.uses(b)) {
            if (x.resource != y.resource) continue;
            share = true;
            total_uses += x.total ? 1 : 0;
            ASSERT_TRUE(!x.total || depend)
                << name(labels[a].operation.kind) << " is not total beside " << name(labels[b].operation.kind);
          }
        dependent_pairs += depend ? 1 : 0;
        ASSERT_TRUE(!depend || share) << name(labels[a].operation.kind) << " and " << name(labels[b].operation.kind);
        ASSERT_TRUE(!depend || labels.may_depend(a, b));
      }
  }
  EXPECT_GT(dependent_pairs, 10'000U);
  EXPECT_GT(total_uses, 10'000U);
}

TEST(Labels, ResourcesBecomeCoarserWhereAccessesOverlapInPart) {
  Labels labels;
  Operation wide;
  wide.kind = OperationKind::Store;
  wide.object = 100;
  wide.size = 4;
  Operation narrow = wide;
  narrow.object = 102;
  narrow.size = 1;
  const LabelId a = labels.intern({0, 0}, wide);
  EXPECT_TRUE(labels.uses(a)[0].total);
  EXPECT_EQ(labels.version(), 0U);
  const LabelId b = labels.intern({1, 0}, narrow);
  EXPECT_EQ(labels.version(), 1U);
  EXPECT_FALSE(labels.uses(a)[0].total);
  EXPECT_EQ(labels.uses(a)[0].resource, labels.uses(b)[0].resource);
}

}  // namespace
}  // namespace mazurka::unfolding
