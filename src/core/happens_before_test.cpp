#include "core/happens_before.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "core/foata.hpp"
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
