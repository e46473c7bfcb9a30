// The table of kinds against dependence.hpp, and against itself. What a row says of possibility and outcomes is
// compared with the reference semantics in dependence_test.cpp.
#include "core/operation.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/dependence.hpp"

namespace mazurka {
namespace {

using enum OperationKind;

constexpr std::uint64_t kObject = 64;

std::vector<OperationKind> all_kinds() {
  std::vector<OperationKind> kinds;
  for (int i = 0; i < static_cast<int>(Count); ++i) kinds.push_back(static_cast<OperationKind>(i));
  return kinds;
}

/// What an operation of this kind on the object can look like, as far as dependence tells it apart.
std::vector<Operation> variants(OperationKind kind) {
  std::vector<Operation> found;
  for (const std::uint8_t flags : {std::uint8_t{0}, kFailed, kAll, kReacquire}) {
    if (flags == kFailed && !may_fail(kind)) continue;
    if (flags == kAll && kind != FutexWake) continue;
    if (flags == kReacquire && kind != MutexLock) continue;
    for (std::uint32_t detail = 0; detail < 4; ++detail) {
      Operation operation;
      operation.kind = kind;
      operation.flags = flags;
      operation.size = 4;
      operation.detail = detail;
      // Two numbers; creating one, say, does depend on everything, but the table does not tell calls apart.
      if (facts(kind).carries == Carries::Call)
        operation.set_call(detail < 2 ? DescriptorCall::Read : DescriptorCall::Close, 5 + detail % 2);
      operation.object = kObject;
      operation.second = facts(kind).carries == Carries::Length ? 4 : 0;
      found.push_back(operation);
    }
  }
  return found;
}

/// Operations on another object that also act on the object.
std::vector<Operation> by_the_way(Family family) {
  std::vector<Operation> found;
  for (const OperationKind kind : {ConditionWait, MutexLock})
    for (Operation operation : variants(kind)) {
      if (family != (kind == ConditionWait ? Family::Mutex : Family::Condition)) continue;
      if (kind == MutexLock && !operation.reacquires()) continue;
      operation.object = 2 * kObject;
      operation.second = kObject;
      found.push_back(operation);
    }
  return found;
}

TEST(OperationKinds, HaveARowAndANameEach) {
  std::set<std::string> names;
  for (const OperationKind kind : all_kinds()) {
    EXPECT_EQ(facts(kind).kind, kind);
    EXPECT_TRUE(names.insert(name(kind)).second) << name(kind);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Count));
}

TEST(OperationKinds, OrderEverythingWhereDependenceSaysSo) {
  for (const OperationKind kind : all_kinds()) {
    const Family f = family(kind);
    if (f == Family::Local || f >= Family::World) continue;  // on no object, or on all of them
    for (const Operation& one : variants(kind)) {
      bool everything = true;
      bool undetached = true;
      const auto meet = [&](const Operation& other) {
        if (relation(one, other) != Relation::Independent) return;
        everything = false;
        undetached = undetached && other.kind == ThreadDetach;
      };
      for (const OperationKind other : all_kinds())
        if (family(other) == f || (lies_in_memory(f) && family(other) == Family::Lifetime))
          for (const Operation& variant : variants(other)) meet(variant);
      for (const Operation& other : by_the_way(f)) meet(other);
      EXPECT_EQ(orders_everything(one), everything) << name(kind) << ' ' << int{one.flags};
      EXPECT_EQ(facts(kind).orders == Orders::Undetached, undetached && !everything) << name(kind);
    }
  }
}

TEST(OperationKinds, AccessMemoryWhereDependenceSaysSo) {
  Operation load = variants(Load)[0];
  Operation store = variants(Store)[0];
  for (const OperationKind kind : all_kinds())
    for (const Operation& one : variants(kind)) {
      if (family(kind) == Family::Lifetime || family(kind) >= Family::World) continue;
      const bool guards = facts(kind).access == Access::Guards;
      EXPECT_EQ(writes_memory(one) || guards, dependent(one, load)) << name(kind);
      const bool is_object = is_synchronisation_object(family(kind));
      EXPECT_EQ(reads_memory(one) || writes_memory(one) || guards || is_object, dependent(one, store)) << name(kind);
    }
}

TEST(OperationKinds, RaceWithWhatDependenceSays) {
  EXPECT_EQ(racing_kinds(MutexUnlock), set_of(MutexTryLock) | set_of(ObjectInit) | set_of(ObjectDestroy) |
                                           set_of(Free) | set_of(Store) | set_of(ReadModifyWrite) |
                                           set_of(CompareExchange) | set_of(AwaitModify) | set_of(AtomicSection));
  for (const OperationKind kind : {ThreadCreate, ThreadStart, ThreadExit, Yield, Fence})
    EXPECT_EQ(racing_kinds(kind), 0U);
}

TEST(OperationKinds, AgreeOnWhatIsHeld) {
  for (const OperationKind kind : all_kinds()) {
    // Who holds something keeps others from taking it: to take it blocks, or is a try.
    EXPECT_TRUE(facts(kind).holding != Holding::Takes || facts(kind).possible == Possible::MayBlock || may_fail(kind))
        << name(kind);
    EXPECT_TRUE(facts(kind).holding != Holding::Releases || always_ready(kind)) << name(kind);
  }
}

TEST(OperationKinds, ReadyMeansPossibleInOneWay) {
  for (const OperationKind kind : all_kinds()) {
    EXPECT_FALSE(always_ready(kind) && outcome_varies(kind) && kind != AtomicSection) << name(kind);
    EXPECT_FALSE(has_single_outcome(variants(kind)[0]) && outcome_varies(kind)) << name(kind);
  }
  for (const OperationKind kind : {Choose, ConditionSignal, FutexWake, MutexLock, OnceEnter, Assume, None})
    EXPECT_FALSE(always_ready(kind)) << name(kind);
  Operation reacquire;
  reacquire.kind = MutexLock;
  EXPECT_TRUE(has_single_outcome(reacquire));
  reacquire.flags = kReacquire;
  EXPECT_FALSE(has_single_outcome(reacquire)) << "a timed wait may give up";
}

TEST(Operation, NamesWhatItCarries) {
  Operation signal;
  signal.kind = ConditionSignal;
  EXPECT_EQ(signal.woken(), Operation::kNobody);
  signal.set_woken(0);
  EXPECT_EQ(signal.woken(), 0U);
  EXPECT_TRUE(wakes_one(signal));
  Operation again;
  again.kind = MutexLock;
  again.flags = kReacquire;
  again.set_waiter(0);
  again.set_awaited_condition(kObject);
  EXPECT_EQ(again.waiter(), signal.woken());
  EXPECT_EQ(second_object(again), kObject);
  Operation release;
  release.kind = Free;
  release.set_length(24);
  EXPECT_EQ(extent(release), 24U);
  EXPECT_EQ(second_object(release), 0U);
}

}  // namespace
}  // namespace mazurka
