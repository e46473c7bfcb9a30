#include "core/deepening.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace mazurka {
namespace {

struct Told final : Listener {
  bool on_error(const Execution&, std::uint64_t) override { return goes_on; }
  void on_cut(const Execution&) override { ++cut; }
  void on_new_beginning() override { ++beginnings; }
  void on_bound(const Bound& bound) override { bounds.push_back(bound.steps); }
  bool on_progress(const Statistics&) override { return goes_on; }

  bool goes_on = true;
  int cut = 0;
  int beginnings = 0;
  std::vector<std::uint32_t> bounds;
};

Statistics stopped(std::uint64_t by_steps, std::uint64_t by_threads = 0) {
  Statistics statistics;
  statistics.cut = statistics.limited = by_steps + by_threads;
  statistics.stopped_by_steps = by_steps;
  statistics.stopped_by_threads = by_threads;
  return statistics;
}

TEST(Deepening, EndsWithTheFirstExplorationWhereNothingIsStopped) {
  Told told;
  Deepening deepening({}, told);
  EXPECT_EQ(deepening.bound().steps, Deepening::kFirstSteps);
  EXPECT_TRUE(deepening.on_progress({}));
  EXPECT_FALSE(deepening.go_deeper({}, true));
  EXPECT_FALSE(deepening.depth().deepened);
  EXPECT_TRUE(told.bounds.empty());
}

TEST(Deepening, GivesUpTheFirstExplorationAndBeginsNearTheStart) {
  Told told;
  Deepening deepening({}, told);
  EXPECT_FALSE(deepening.on_progress(stopped(1)));
  EXPECT_TRUE(deepening.go_deeper(stopped(1), true));
  EXPECT_EQ(deepening.bound(), (Bound{2, 3}));
  for (int i = 0; i < 14; ++i) {
    EXPECT_TRUE(deepening.on_progress(stopped(5))) << "the others are not given up";
    EXPECT_TRUE(deepening.go_deeper(stopped(5), true));
  }
  EXPECT_EQ(told.bounds, (std::vector<std::uint32_t>{2, 3, 4, 6, 9, 13, 19, 28, 42, 63, 94, 376, 1504, 6016, 24064}));
  EXPECT_EQ(deepening.depth().explored, (Bound{6016, Bound::kUnlimited}));
  EXPECT_EQ(deepening.depth().runs, 1U + 14U * 5U);
  EXPECT_FALSE(deepening.go_deeper({}, true)) << "nothing was stopped: that was all";
}

TEST(Deepening, KnowsWhatWasExplored) {
  Told told;
  Deepening deepening({}, told);
  deepening.on_progress(stopped(1));
  deepening.go_deeper(stopped(1), true);
  deepening.go_deeper(stopped(1, 1), true);
  EXPECT_EQ(deepening.depth().explored, (Bound{2, 3})) << "with more threads than that there is more";
  deepening.go_deeper(stopped(1), false);
  EXPECT_EQ(deepening.depth().explored, (Bound{2, 3})) << "something else was left out";
  Execution plain_loop;
  plain_loop.outcome = Outcome::Limit;
  deepening.on_cut(plain_loop);
  deepening.go_deeper(stopped(1), true);
  EXPECT_EQ(deepening.depth().explored, (Bound{2, 3})) << "something else was stopped";
  EXPECT_EQ(told.cut, 1);
  deepening.go_deeper(stopped(1), true);
  EXPECT_EQ(deepening.depth().explored, (Bound{6, Bound::kUnlimited}));
}

TEST(Deepening, GoesNoFurtherThanTheUserWants) {
  Told told;
  Deepening deepening({5, UINT64_MAX, 4}, told);
  EXPECT_EQ(deepening.bound(), (Bound{Bound::kUnlimited, 4})) << "executions of five steps are cut anyway";
  EXPECT_TRUE(deepening.on_progress(stopped(0, 1))) << "there are not to be more threads";
  Statistics too_long;
  too_long.stopped_by_length = 1;
  EXPECT_FALSE(deepening.on_progress(too_long));
  EXPECT_TRUE(deepening.go_deeper(too_long, true));
  std::vector<Bound> bounds{deepening.bound()};
  while (deepening.go_deeper(deepening.bound().steps == Bound::kUnlimited ? too_long : stopped(1), true))
    bounds.push_back(deepening.bound());
  EXPECT_EQ(bounds, (std::vector<Bound>{{2, 3}, {3, 4}, {4, 4}, {Bound::kUnlimited, 4}}));
}

TEST(Deepening, CountsTheExecutionsOfAllExplorations) {
  Told told;
  Deepening deepening({UINT64_MAX, 10, Bound::kUnlimited}, told);
  deepening.on_progress(stopped(1));
  EXPECT_TRUE(deepening.go_deeper(stopped(1), true));
  EXPECT_EQ(deepening.executions_left(), 9U);
  EXPECT_TRUE(deepening.go_deeper(stopped(8), true));
  EXPECT_EQ(deepening.executions_left(), 1U);
  EXPECT_FALSE(deepening.go_deeper(stopped(1), true));
}

TEST(Deepening, BeginsAnewWhereTheExplorerDoes) {
  Told told;
  Deepening deepening({}, told);
  deepening.on_new_beginning();
  EXPECT_TRUE(deepening.on_progress({})) << "the first exploration does so by itself";
  deepening.on_progress(stopped(1));
  deepening.go_deeper(stopped(1), true);
  deepening.on_new_beginning();
  EXPECT_EQ(told.beginnings, 2);
  EXPECT_FALSE(deepening.on_progress({}));
  EXPECT_TRUE(deepening.go_deeper({}, true));
  EXPECT_EQ(deepening.bound().steps, Deepening::kFirstSteps);
  EXPECT_FALSE(deepening.depth().deepened);
  EXPECT_FALSE(deepening.go_deeper({}, true)) << "it may well end now";
}

TEST(Deepening, EndsWhereTheListenerHasHeardEnough) {
  Told told;
  Deepening deepening({}, told);
  deepening.on_progress(stopped(1));
  deepening.go_deeper(stopped(1), true);
  Execution diverged;
  diverged.outcome = Outcome::Diverged;
  deepening.on_error(diverged, 0);
  EXPECT_FALSE(deepening.go_deeper(stopped(1), true)) << "it is not the same program every time";

  Deepening other({}, told);
  other.on_progress(stopped(1));
  other.go_deeper(stopped(1), true);
  told.goes_on = false;
  EXPECT_FALSE(other.on_progress({}));
  EXPECT_FALSE(other.go_deeper(stopped(1), true));
}

}  // namespace
}  // namespace mazurka
