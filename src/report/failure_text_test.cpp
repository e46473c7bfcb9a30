#include "report/failure_text.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/same_failure.hpp"

namespace mazurka::report {
namespace {

/// Ten sites a line; the variables x at 0x10 to 0x17 and y after it.
class LineNames final : public Names {
 public:
  std::string process_name(ProcessIndex process) const override { return fmt::format("p{}", process); }
  ProcessIndex process_named(std::string_view) const override { return kNoProcess; }
  std::string describe(const Operation& operation, const std::vector<HeapBlock>&) const override {
    return fmt::format("{} {:#x}", name(operation.kind), operation.object);
  }
  std::string object(const Operation&, const std::vector<HeapBlock>&) const override { return ""; }
  std::string variable(std::uint64_t address, const std::vector<HeapBlock>&) const override {
    return address < 0x18 ? "x" : "y";
  }
  CodePlace place(std::uint64_t site) const override {
    if (site == 0) return {};
    if (site == 999) return {"mazurka_run", "run.cpp", "run.cpp", 1};
    return {"f", "a.c", "a.c", static_cast<int>(site / 10)};
  }
};

Execution failed(FailureKind kind, FailureDetail detail) {
  Execution execution;
  execution.outcome = Outcome::Error;
  execution.failure = {kind, 1, 0, std::move(detail)};
  return execution;
}

MemoryClash race(std::uint64_t address, CallStack now) {
  return {address, {Use::Write, 4, 2, std::move(now)}, {Use::Read, 1, 1, {30}}, {}};
}

class FailureTexts : public ::testing::Test {
 protected:
  std::string text(FailureKind kind, FailureDetail detail) const {
    return failure_text(names_, failed(kind, std::move(detail)));
  }
  bool same(const FailureDetail& a, const FailureDetail& b) const {
    return same_failure(names_, failed(FailureKind::DataRace, a), failed(FailureKind::DataRace, b));
  }

  LineNames names_;
};

TEST_F(FailureTexts, OfMemoryErrorsHaveBothUsesAndTheBlock) {
  EXPECT_EQ(text(FailureKind::DataRace, race(0x10, {20, 999, 41})),
            "read at a.c:3 (f) and write at a.c:2 (f) of x are not ordered\n"
            "  write of 4 bytes by thread p2\n    at a.c:2 (f)\n    called from a.c:4 (f)\n"
            "  read of 1 byte by thread p1, earlier\n    at a.c:3 (f)");
  MemoryClash freed = race(0x1008, {20});
  freed.before.use = Use::Free;
  freed.block = {0x1000, 16, 1, {}};
  EXPECT_EQ(text(FailureKind::UseAfterFree, freed),
            "write at a.c:2 (f) after free at a.c:3 (f)\n  write of 4 bytes by thread p2\n    at a.c:2 (f)\n"
            "  free by thread p1, earlier\n    at a.c:3 (f)\n"
            "  address 0x1008 is byte 8 of a heap block of 16 bytes, allocated by thread p1");
  MemoryClash beyond = race(0x1010, {});
  beyond.before = {};
  beyond.block = {0x1000, 16, 1, {0}};
  EXPECT_EQ(
      text(FailureKind::HeapOverflow, beyond),
      "write in a library is out of bounds of a heap block\n  write of 4 bytes by thread p2\n"
      "  address 0x1010 is byte 16 of a heap block of 16 bytes, allocated by thread p1\n    at an unknown location");
}

TEST_F(FailureTexts, OfMisuseNameTheObjectAndWhoHasIt) {
  const ObjectMisuse held{0x10, ObjectKind::Mutex, 2};
  const ObjectMisuse own{0x10, ObjectKind::SpinLock, 1};
  const ObjectMisuse in_use{0x18, ObjectKind::Barrier, kNoProcess};
  EXPECT_EQ(text(FailureKind::DoubleLock, own), "thread p1 locks a spin lock that it holds already: x");
  EXPECT_EQ(text(FailureKind::ForeignUnlock, held), "thread p1 unlocks a mutex that thread p2 holds: x");
  EXPECT_EQ(text(FailureKind::ForeignUnlock, ObjectMisuse{0x10, ObjectKind::ReadWriteLock, kNoProcess}),
            "thread p1 unlocks a reader-writer lock that it does not hold: x");
  EXPECT_EQ(text(FailureKind::DestroyInUse, held), "thread p1 destroys a mutex that thread p2 holds: x");
  EXPECT_EQ(text(FailureKind::DestroyInUse, own), "thread p1 destroys a spin lock that it holds itself: x");
  EXPECT_EQ(text(FailureKind::DestroyInUse, in_use), "thread p1 destroys a barrier that is in use: y");
  EXPECT_EQ(text(FailureKind::UseAfterDestroy, in_use), "thread p1 uses a barrier that was destroyed: y");
  EXPECT_EQ(text(FailureKind::DoubleJoin, ObjectMisuse{2, ObjectKind::Thread, 1}),
            "thread p1 joins thread p2, which it has joined already");
  EXPECT_EQ(text(FailureKind::DoubleJoin, ObjectMisuse{2, ObjectKind::Thread, 3}),
            "thread p1 joins thread p2, which thread p3 has joined already");
  EXPECT_TRUE(same(held, ObjectMisuse{0x14, ObjectKind::Mutex, 2}));
  EXPECT_FALSE(same(held, own));
  EXPECT_FALSE(same(held, ObjectMisuse{0x18, ObjectKind::Mutex, 2}));
}

TEST_F(FailureTexts, OfWhatEndsAProgram) {
  EXPECT_EQ(text(FailureKind::Abort, {}), "the program called abort()");
  EXPECT_EQ(text(FailureKind::StackOverflow, {}), "thread p1 overflows its stack");
  EXPECT_EQ(text(FailureKind::Signal, RaisedSignal{11, 0x20}), "SIGSEGV (invalid memory access) at address 0x20");
  EXPECT_EQ(text(FailureKind::Signal, RaisedSignal{31, 0}), "SIGSYS");
  EXPECT_EQ(text(FailureKind::Blocked, BlockedAlone{OperationKind::MutexLock, true}),
            "lock blocks inside an atomic section, where no other thread can run");
  EXPECT_EQ(text(FailureKind::Blocked, BlockedAlone{OperationKind::MutexLock, false}),
            "lock blocks before main or after its end, where no other thread can run");
  Execution exits = failed(FailureKind::ExitStatus, {});
  exits.exit_status = 3;
  EXPECT_EQ(failure_text(names_, exits), "the program called exit(3)");
  exits.failure.process = kNoProcess;
  EXPECT_EQ(failure_text(names_, exits), "main returned 3");
}

TEST_F(FailureTexts, SayWhatHappenedToTheProcess) {
  EXPECT_EQ(text(FailureKind::Signal, ProcessDeath{true, 11}),
            "the program was killed by signal 11 (Segmentation fault) while thread p1 was running");
  EXPECT_EQ(text(FailureKind::Signal, ProcessDeath{false, 3}),
            "the program ended with exit status 3 while thread p1 was running");
  EXPECT_EQ(text(FailureKind::Unsupported, StuckInSystemCall{"read"}),
            "thread p1 is blocked in the system call read, which Mazurka does not control");
  EXPECT_EQ(text(FailureKind::EndlessLoop, WithoutProgress{300, true}),
            "thread p1 ran for 300 ms without a visible operation: it spins on plain memory that no other thread "
            "changes");
  EXPECT_EQ(text(FailureKind::EndlessLoop, WithoutProgress{10'000, true}).substr(0, 22), "thread p1 ran for 10 s");
  EXPECT_EQ(text(FailureKind::Assertion, GivenWords("a.c:1: f: assertion `x` failed")),
            "a.c:1: f: assertion `x` failed");
}

TEST_F(FailureTexts, CountWhoWaitsInADeadlock) {
  Execution execution;
  execution.outcome = Outcome::Deadlock;
  execution.failure.kind = FailureKind::Deadlock;
  Offer offer;
  offer.process = 1;
  offer.operation.kind = OperationKind::MutexLock;
  execution.pending.push_back(offer);
  EXPECT_EQ(failure_text(names_, execution), "thread p1 is blocked forever");
  offer.process = 2;
  execution.pending.push_back(offer);
  execution.pending.push_back(offer);
  EXPECT_EQ(failure_text(names_, execution), "2 threads are blocked forever");
  offer.operation.kind = OperationKind::Synchronise;
  execution.pending = {offer};
  EXPECT_EQ(failure_text(names_, execution), "no action is enabled, but some client has not finished");
}

TEST_F(FailureTexts, OfSchedulesThatCannotBeFollowed) {
  Event before;
  before.process = 1;
  before.operation.kind = OperationKind::Load;
  before.operation.object = 0x10;
  before.value = 4;
  before.site = 20;
  Event now = before;
  now.value = 5;
  EXPECT_EQ(text(FailureKind::Nondeterminism, Difference{2, before, now}),
            "event 3 was `p1: load 0x10` = 4 at a.c:2 (f) and is now `p1: load 0x10` = 5 at a.c:2 (f)");
  Execution execution = failed(FailureKind::None, ImpossibleStep{3, 1, 2});
  execution.outcome = Outcome::Diverged;
  EXPECT_EQ(failure_text(names_, execution), "step 3 of the schedule (process 1, alternative 2) is not enabled");
  execution.failure.detail = {};
  EXPECT_EQ(failure_text(names_, execution), "a schedule that was enabled before is no longer enabled");
}

TEST_F(FailureTexts, OfWarningsAreCountedByTheirWords) {
  Execution execution;
  execution.warnings = kWarnLeak | kWarnMainReturned;
  execution.leak = {2, {0, 16, 1, {21}}};
  WarningCounts counts;
  counts.add(execution);
  execution.leak.first.stack = {22};
  counts.add(execution);
  const std::string leak =
      "2 heap blocks are never freed and unreachable at the end\n  the first one: 16 bytes, allocated by thread p1\n"
      "    at a.c:2 (f)";
  const std::string returned = "main returns while other threads run";
  EXPECT_EQ(warning_texts(names_, execution), (std::vector<std::string>{leak, returned}));
  EXPECT_EQ(counts.all().size(), 3U);
  EXPECT_EQ(warning_texts(names_, counts),
            (std::vector<std::pair<std::string, std::uint64_t>>{{leak, 2}, {returned, 2}}));
}

TEST_F(FailureTexts, AreNotNeededToTellWhichFailuresAreTheSame) {
  EXPECT_TRUE(same(race(0x10, {20, 41}), race(0x10, {20, 41})));
  EXPECT_TRUE(same(race(0x10, {20, 41}), race(0x11, {25, 999, 47}))) << "the same lines and the same variable";
  EXPECT_FALSE(same(race(0x10, {20, 41}), race(0x10, {30, 41}))) << "another line";
  EXPECT_FALSE(same(race(0x10, {20, 41}), race(0x20, {20, 41}))) << "another variable";
  MemoryClash of_byte = race(0x10, {20});
  of_byte.now.bytes = 1;
  EXPECT_FALSE(same(race(0x10, {20}), of_byte));
  MemoryClash in_block = race(0x10, {20});
  in_block.block = {0x10, 8, 1, {50}};
  MemoryClash elsewhere = in_block;
  elsewhere.address = 0x11;
  EXPECT_FALSE(same(race(0x10, {20}), in_block));
  EXPECT_FALSE(same(in_block, elsewhere)) << "another byte of a block";
  elsewhere = in_block;
  elsewhere.block.stack = {55};
  EXPECT_TRUE(same(in_block, elsewhere));
  EXPECT_FALSE(same(GivenWords("a"), GivenWords("b")));
  EXPECT_FALSE(same(GivenWords("a"), race(0x10, {20})));
  EXPECT_FALSE(same_failure(names_, failed(FailureKind::Abort, {}), failed(FailureKind::Signal, {})));
}

TEST_F(FailureTexts, DeadlocksThatReadTheSameAreTheSameBug) {
  Execution a;
  a.outcome = Outcome::Deadlock;
  a.failure.kind = FailureKind::Deadlock;
  a.pending.resize(1);
  a.pending[0].operation.kind = OperationKind::FutexWait;
  a.pending[0].operation.object = 0x10;
  Execution b = a;
  b.pending[0].operation.size = 4;
  EXPECT_TRUE(same_failure(names_, a, a));
  EXPECT_FALSE(same_failure(names_, a, b));
  EXPECT_TRUE(same_bug(names_, a, b));
  b.pending[0].operation.object = 0x20;
  EXPECT_FALSE(same_bug(names_, a, b));
  b = a;
  b.pending[0].site = 20;
  EXPECT_FALSE(same_bug(names_, a, b));
}

}  // namespace
}  // namespace mazurka::report
