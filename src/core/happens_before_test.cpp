#include "core/happens_before.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "core/foata.hpp"
#include "core/observation.hpp"
#include "core/process_table.hpp"
#include "core/random.hpp"

namespace mazurka {
namespace {

Event event(ProcessIndex process, OperationKind kind, std::uint64_t object) {
  Event e;
  e.process = process;
  e.operation.kind = kind;
  e.operation.object = object;
  e.operation.size = 4;
  return e;
}

std::vector<Event> random_events(SplitMix64& random, std::size_t length, unsigned processes) {
  using enum OperationKind;
  constexpr OperationKind kKinds[] = {Load, Store, SemaphorePost, SemaphoreWait, Yield};
  std::vector<Event> events;
  for (std::size_t i = 0; i < length; ++i)
    events.push_back(
        event(static_cast<ProcessIndex>(random.below(processes)), kKinds[random.below(5)], 8 * random.below(3)));
  return events;
}

bool directly(const Event& a, const Event& b) { return a.process == b.process || dependent(a.operation, b.operation); }

/// The definition: the transitive closure of "earlier and dependent".
std::vector<std::vector<bool>> closure(const std::vector<Event>& events) {
  const std::size_t n = events.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i-- > 0;)
      if (before[i][j] || directly(events[i], events[j])) {
        before[i][j] = true;
        for (std::size_t h = 0; h < i; ++h)
          if (before[h][i]) before[h][j] = true;
      }
  return before;
}

//   p0:  p1 store x ───────┐                          The clock of r2: {p0: 1, p1: 2, p2: 2}.
//                          ▼
//   p1:  q1 store y ──▶ q2 load x ───────┐            direct(q2) = {p1}, direct(r2) = {q2}: p1 happens before r2, too,
//                                        ▼            but through q2.
//   p2:               r1 store z ──▶ r2 store x
//                                                     Concurrent: p1 and q1, p1 and r1, q1 and r1, q2 and r1.
TEST(HappensBefore, IsThatOfTheDrawing) {
  using enum OperationKind;
  enum : EventIndex { P1, Q1, Q2, R1, R2, kEvents };
  HappensBefore clocks;
  clocks.assign(
      {event(0, Store, 64), event(1, Store, 72), event(1, Load, 64), event(2, Store, 80), event(2, Store, 64)});
  const std::vector<std::pair<EventIndex, EventIndex>> before{{P1, Q2}, {Q1, Q2}, {P1, R2},
                                                              {Q1, R2}, {Q2, R2}, {R1, R2}};
  for (EventIndex i = 0; i < kEvents; ++i)
    for (EventIndex j = 0; j < kEvents; ++j)
      EXPECT_EQ(clocks.before(i, j), std::find(before.begin(), before.end(), std::pair(i, j)) != before.end())
          << "events " << i << " and " << j;
  const auto direct = [&](EventIndex i) { return std::vector(clocks.direct(i).begin(), clocks.direct(i).end()); };
  EXPECT_EQ(direct(Q2), (std::vector<EventIndex>{P1}));
  EXPECT_EQ(direct(R2), (std::vector<EventIndex>{Q2}));
  EXPECT_TRUE(direct(P1).empty() && direct(Q1).empty() && direct(R1).empty());
  EXPECT_EQ(clocks.seen(R2, 0), 1U);
  EXPECT_EQ(clocks.seen(R2, 1), 2U);
  EXPECT_EQ(clocks.seen(R2, 2), 2U);
  EXPECT_EQ(clocks.seen(Q2, 2), 0U);
}

TEST(HappensBefore, IsTheTransitiveClosureOfDependence) {
  SplitMix64 random(1);
  HappensBefore clocks;
  for (int round = 0; round < 2'000; ++round) {
    const auto events = random_events(random, 1 + random.below(20), 1 + static_cast<unsigned>(random.below(6)));
    clocks.assign(events);
    const auto before = closure(events);
    for (EventIndex i = 0; i < events.size(); ++i)
      for (EventIndex j = 0; j < events.size(); ++j)
        ASSERT_EQ(clocks.before(i, j), before[i][j]) << "events " << i << " and " << j;
  }
}

TEST(HappensBefore, TruncationForgetsExactlyTheSuffix) {
  SplitMix64 random(2);
  for (int round = 0; round < 500; ++round) {
    const auto old_events = random_events(random, 15, 4);
    auto events = random_events(random, 15, 5);
    const std::size_t common = random.below(15);
    std::copy_n(old_events.begin(), common, events.begin());
    HappensBefore incremental;
    incremental.assign(old_events);
    incremental.truncate(common);
    for (std::size_t i = common; i < events.size(); ++i) incremental.append(events[i]);
    const auto before = closure(events);
    for (EventIndex i = 0; i < events.size(); ++i)
      for (EventIndex j = 0; j < events.size(); ++j) ASSERT_EQ(incremental.before(i, j), before[i][j]);
  }
}

/// Operations of every family that meets another, on few bytes, with few processes: chains are long, uniform or mixed.
Event random_operation(SplitMix64& random, unsigned processes, bool memory_only) {
  using enum OperationKind;
  constexpr OperationKind kMemory[] = {Load, Load, Load, Store, ReadModifyWrite, CompareExchange};
  constexpr OperationKind kAll[] = {Load,
                                    Load,
                                    Store,
                                    ReadModifyWrite,
                                    CompareExchange,
                                    MutexLock,
                                    MutexTryLock,
                                    MutexUnlock,
                                    ConditionWait,
                                    ConditionSignal,
                                    ReadLock,
                                    WriteLock,
                                    TryWriteLock,
                                    ReadUnlock,
                                    BarrierArrive,
                                    BarrierLeave,
                                    SemaphorePost,
                                    SemaphoreWait,
                                    OnceEnter,
                                    OnceLeave,
                                    FutexWait,
                                    FutexWake,
                                    FutexResume,
                                    AtomicSection,
                                    Yield,
                                    ThreadStart,
                                    ThreadExit,
                                    ThreadJoin,
                                    MailboxSend,
                                    MailboxReceive,
                                    MailboxTryReceive,
                                    Synchronise,
                                    ConditionTimeout};
  Event e = event(static_cast<ProcessIndex>(random.below(processes)),
                  memory_only ? kMemory[random.below(std::size(kMemory))] : kAll[random.below(std::size(kAll))], 0);
  e.operation.object = 64 + 8 * random.below(2);
  if (e.operation.kind == AtomicSection) e.operation.object = kUnknownFootprint;
  const Family f = family(e.operation.kind);
  if (f != Family::Memory && f != Family::Futex) e.operation.size = 0;
  if (f == Family::Memory && !memory_only && random.below(3) == 0) {
    e.operation.size = 1;
    e.operation.object += random.below(4);
  }
  if (may_fail(e.operation.kind) && e.operation.kind != AtomicSection)
    e.operation.flags = random.below(2) == 0 ? kFailed : 0;
  if (e.operation.kind == ConditionWait) e.operation.set_released_mutex(64 + 8 * random.below(2));
  if (e.operation.kind == MutexLock && random.below(3) == 0) {
    e.operation.flags = kReacquire;
    e.operation.set_awaited_condition(64 + 8 * random.below(2));
    e.operation.set_waiter(e.process);
  }
  if (f == Family::Mailbox) {
    const auto tag = static_cast<std::uint32_t>(random.below(2));
    if (e.operation.kind == MailboxSend)
      e.operation.set_tag(tag);
    else if (random.below(2) == 0)
      e.operation.set_pattern(1, tag);
    if (!e.operation.failed()) e.operation.set_message(1 + static_cast<std::uint32_t>(random.below(4)));
  }
  if (state_decides_alternatives(e.operation.kind))
    e.operation.set_woken(static_cast<std::uint32_t>(random.below(processes + 1)) - 1);
  return e;
}

/// Grows and shrinks at random, and compares with the definition after every change: what a store that nobody observes
/// depends on included.
void compare_with_definition(SplitMix64& random, bool memory_only, unsigned changes) {
  struct Known {
    Event event;
    bool unobserved;
  };
  const unsigned processes = 1 + static_cast<unsigned>(random.below(4));
  std::vector<Known> known;
  HappensBefore clocks;
  for (unsigned change = 0; change < changes; ++change) {
    if (!known.empty() && random.below(12) == 0) {
      known.resize(random.below(known.size() + 1));
      clocks.truncate(known.size());
    } else {
      const Event e = random_operation(random, processes, memory_only);
      const bool unobserved = e.operation.kind == OperationKind::Store && random.below(3) == 0;
      known.push_back({e, unobserved});
      clocks.append(e, {unobserved, false, {}});
    }
    const std::size_t n = known.size();
    const auto depends_on = [&](std::size_t i, std::size_t j) {
      return depends(known[i].event.operation, known[j].event.operation, known[j].unobserved);
    };
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = j; i-- > 0;)
        if (before[i][j] || known[i].event.process == known[j].event.process || depends_on(i, j)) {
          before[i][j] = true;
          for (std::size_t h = 0; h < i; ++h)
            if (before[h][i]) before[h][j] = true;
        }
    for (EventIndex i = 0; i < n; ++i)
      for (EventIndex j = 0; j < n; ++j)
        ASSERT_EQ(clocks.before(i, j), before[i][j]) << "events " << i << " and " << j << " of " << n;
    if (!memory_only || n == 0) continue;
    // direct(): exactly the immediate predecessors, latest first.
    const auto j = static_cast<EventIndex>(n - 1);
    std::vector<EventIndex> immediate;
    std::size_t previous = j;
    while (previous-- > 0 && known[previous].event.process != known[j].event.process) {
    }
    for (EventIndex i = j; i-- > 0;) {
      if (known[i].event.process == known[j].event.process || !depends_on(i, j)) continue;
      if (previous < n && before[i][previous]) continue;
      if (std::none_of(immediate.begin(), immediate.end(), [&](EventIndex later) { return before[i][later]; }))
        immediate.push_back(i);
    }
    const auto direct = clocks.direct(j);
    ASSERT_EQ(std::vector<EventIndex>(direct.begin(), direct.end()), immediate) << "of " << n;
  }
}

TEST(HappensBefore, IsItsDefinitionForOperationsOfEveryFamily) {
  SplitMix64 random(4);
  for (int round = 0; round < 400; ++round) {
    ASSERT_NO_FATAL_FAILURE(compare_with_definition(random, false, 80)) << "round " << round;
    ASSERT_NO_FATAL_FAILURE(compare_with_definition(random, true, 80)) << "round " << round;
  }
}

// All sequences of five events on one word: three processes, and what they can do to it.
TEST(HappensBefore, IsItsDefinitionForAllShortSequencesOnAWord) {
  using enum OperationKind;
  constexpr std::size_t kEvents = 5;
  constexpr std::size_t kWordActions = 5;
  constexpr std::size_t kWorkers = 3;
  std::size_t sequences = 1;
  for (std::size_t i = 0; i < kEvents; ++i) sequences *= kWordActions * kWorkers;
  HappensBefore clocks;
  std::vector<Event> events(kEvents);
  for (std::size_t number = 0; number < sequences; ++number) {
    std::size_t rest = number;
    for (Event& e : events) {
      constexpr OperationKind kKinds[kWordActions] = {Load, Store, ReadModifyWrite, CompareExchange, AtomicSection};
      e = event(static_cast<ProcessIndex>(rest % kWorkers), kKinds[rest / kWorkers % kWordActions], 64);
      if (e.operation.kind == CompareExchange) e.operation.flags = kFailed;
      if (e.operation.kind == AtomicSection) e.operation.object = kUnknownFootprint;
      rest /= kWorkers * kWordActions;
    }
    clocks.assign(events);
    const auto before = closure(events);
    for (EventIndex i = 0; i < kEvents; ++i)
      for (EventIndex j = 0; j < kEvents; ++j) ASSERT_EQ(clocks.before(i, j), before[i][j]) << "sequence " << number;
  }
}

//   p0:  load    load    …               Loads are independent: none happens before one of the other process.
//   p1:     load    load    …            The store happens after all of them, directly after the last of each.
//   p2:                        store
//
// An append must not visit all earlier events of the chain: that would take hours.
TEST(HappensBefore, ALongChainOfLoadsIsNoBurden) {
  HappensBefore clocks;
  constexpr EventIndex kEvents = 2'000'000;
  for (EventIndex i = 0; i < kEvents; ++i) clocks.append(event(i % 2, OperationKind::Load, 64));
  clocks.append(event(2, OperationKind::Store, 64));
  EXPECT_EQ(clocks.direct(kEvents).size(), 2U);
  EXPECT_TRUE(clocks.before(0, kEvents));
  clocks.truncate(kEvents / 2);
  clocks.append(event(2, OperationKind::Store, 64));
  EXPECT_EQ(clocks.seen(kEvents / 2, 0), kEvents / 4);
}

//   process 0:  store x   post s         level 0: store x, post s (of 1)
//   process 1:  post s    load x         level 1: post s (of 0), load x
TEST(Foata, GroupsIndependentEventsIntoLevels) {
  using enum OperationKind;
  const std::vector<Event> events{event(0, Store, 0), event(0, SemaphorePost, 64), event(1, SemaphorePost, 64),
                                  event(1, Load, 0)};
  EXPECT_EQ(foata_levels(events), (std::vector<std::uint32_t>{0, 1, 0, 1}));
}

TEST(Foata, IsInvariantUnderSwapsOfIndependentNeighboursOnly) {
  SplitMix64 random(3);
  for (int round = 0; round < 2'000; ++round) {
    auto events = random_events(random, 12, 4);
    const FoataForm form = foata_normal_form(events);
    for (int swap = 0; swap < 30; ++swap) {
      const std::size_t i = random.below(events.size() - 1);
      if (!directly(events[i], events[i + 1])) std::swap(events[i], events[i + 1]);
    }
    ASSERT_EQ(foata_normal_form(events), form);
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      if (events[i].process == events[i + 1].process || !dependent(events[i].operation, events[i + 1].operation))
        continue;
      std::swap(events[i], events[i + 1]);
      ASSERT_NE(foata_normal_form(events), form) << "a swap of dependent events is another class";
      std::swap(events[i], events[i + 1]);
    }
  }
}

TEST(ProcessTable, APathHasOneIndexForEver) {
  ProcessTable table;
  const ProcessIndex main = table.intern(kNoProcess, 0);
  const ProcessIndex second = table.intern(main, 1);
  const ProcessIndex first = table.intern(main, 0);
  EXPECT_EQ(table.intern(main, 1), second);
  EXPECT_EQ(table.path(main), "0");
  EXPECT_EQ(table.path(first), "0.1");
  EXPECT_EQ(table.path(table.intern(second, 0)), "0.2.1");
}

}  // namespace
}  // namespace mazurka
