// Programs without end. What a bound leaves is explored like a program of its own: every class once, by all algorithms.
// And a series of explorations with growing bounds finds what is near the start.
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/deepening.hpp"
#include "core/foata.hpp"
#include "dpor/explore.hpp"
#include "network/executor.hpp"
#include "network/families.hpp"
#include "program/program_test.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"
#include "walk/naive.hpp"
#include "walk/random.hpp"

namespace mazurka {
namespace {

enum class Explorer { Source, Optimal, Observers, Unfolding, Naive };
constexpr Explorer kExplorers[] = {Explorer::Source, Explorer::Optimal, Explorer::Observers, Explorer::Unfolding,
                                   Explorer::Naive};

struct One {
  Statistics statistics;
  bool complete = false;
};

One explore(Executor& executor, Explorer explorer, const Bound& bound, std::uint64_t executions, Listener& listener) {
  if (explorer == Explorer::Naive) {
    walk::NaiveOptions options;
    options.max_executions = executions;
    options.bound = bound;
    const walk::NaiveResult result = walk::explore_naive(executor, options, listener);
    return {result.statistics, result.complete};
  }
  if (explorer == Explorer::Unfolding) {
    unfolding::Options options;
    options.max_executions = executions;
    options.bound = bound;
    const unfolding::Result result = unfolding::Explorer(executor, options).run(listener);
    return {result.statistics, result.complete};
  }
  dpor::Options options;
  options.algorithm = static_cast<dpor::Algorithm>(explorer);
  options.max_executions = executions;
  options.bound = bound;
  const dpor::Result result = dpor::explore(executor, options, listener);
  return {result.statistics, result.complete};
}

/// Deeper and deeper, until something fails.
class FirstFailure final : public Listener {
 public:
  bool on_error(const Execution& execution, std::uint64_t) override {
    failure = name(execution.failure.kind);
    return false;
  }
  bool on_progress(const Statistics&) override { return true; }
  std::string failure;
};

struct Scenario {
  const char* name;
  const char* failure;
  bool naive = false;  ///< also by all interleavings, of which there are few enough
  bool explores_waiting = false;
};

program::Configuration configure(const Scenario& scenario) {
  program::Configuration configuration = program::configure("gcc", "endless", {scenario.name});
  configuration.settings.plain = protocol::Plain::Check;
  configuration.settings.reduce_waits = !scenario.explores_waiting;
  return configuration;
}

class Endless : public ::testing::TestWithParam<Scenario> {};

TEST_P(Endless, FailsSoonInEveryAlgorithm) {
  for (const Explorer explorer : kExplorers) {
    if (explorer == Explorer::Naive && !GetParam().naive) continue;
    program::ProgramExecutor executor(configure(GetParam()));
    FirstFailure listener;
    Depth depth;
    Deepening::Limits limits;
    limits.executions = 3'000;
    limits.steps = 20'000;
    explore_deeper(executor, limits, listener, depth,
                   [&](const Bound& bound, std::uint64_t executions, Listener& told) {
                     return OneExploration<One>{explore(executor, explorer, bound, executions, told)};
                   });
    EXPECT_EQ(listener.failure, GetParam().failure) << "explorer " << static_cast<int>(explorer);
    EXPECT_LT(depth.runs, limits.executions) << "explorer " << static_cast<int>(explorer);
  }
}

TEST_P(Endless, FailsSoonAtRandom) {
  program::ProgramExecutor executor(configure(GetParam()));
  FirstFailure listener;
  walk::SamplingOptions options;
  options.executions = 3'000;
  options.bound.threads = 10;
  const Statistics statistics = walk::explore_random(executor, options, listener);
  EXPECT_EQ(listener.failure, GetParam().failure);
  EXPECT_LT(statistics.events, 1'000'000U);
}

const Scenario kScenarios[] = {
    {"producer", "assertion", true}, {"recursion", "assertion"},     {"tree", "assertion"},
    {"threads", "assertion"},        {"choices", "assertion", true}, {"choices_beside", "assertion"},
    {"server", "assertion"},         {"back_off", "assertion"},      {"lost_update", "assertion"},
    {"locks", "deadlock", true},     {"exit_beside", "exit-status"}, {"spin", "assertion", true, true}};

INSTANTIATE_TEST_SUITE_P(Programs, Endless, ::testing::ValuesIn(kScenarios),
                         [](const auto& scenario) { return scenario.param.name; });

/// The classes of executions within a bound, by all interleavings.
std::set<FoataForm> all_classes(Executor& executor, const Bound& bound) {
  std::set<FoataForm> classes;
  walk::NaiveOptions options;
  options.bound = bound;
  walk::NaiveSearch(executor, options).run([&](const Execution& execution) {
    classes.insert(foata_normal_form(execution.events));
    return true;
  });
  return classes;
}

/// Whether the algorithms visit each class within a bound once. Returns how many there are.
std::size_t compare_with_all(Executor& executor, const Bound& bound, const std::string& name) {
  const std::set<FoataForm> expected = all_classes(executor, bound);
  for (const Explorer explorer : {Explorer::Source, Explorer::Optimal, Explorer::Unfolding}) {
    testing::ClassRecorder recorder(executor);
    testing::Silent listener;
    const One one = explore(recorder, explorer, bound, UINT64_MAX, listener);
    EXPECT_EQ(recorder.classes, expected) << name << ' ' << bound.steps << ' ' << static_cast<int>(explorer);
    EXPECT_FALSE(recorder.repeated) << name << ' ' << bound.steps << ' ' << static_cast<int>(explorer);
    EXPECT_EQ(one.complete, one.statistics.stopped_by_steps + one.statistics.stopped_by_threads == 0);
  }
  return expected.size();
}

TEST(Bounds, MakeSmallerPrograms) {
  const std::pair<const char*, std::vector<std::size_t>> scenarios[] = {{"no_bug_counters", {1, 90}},
                                                                        {"no_bug_locks", {2, 2}},
                                                                        {"no_bug_threads", {4}},
                                                                        {"no_bug_exit", {3, 4}},
                                                                        {"locks", {1, 3}}};
  for (const auto& [scenario, classes] : scenarios) {
    program::ProgramExecutor executor(program::configure("gcc", "endless", {scenario}));
    for (std::uint32_t steps = 1; steps <= classes.size(); ++steps)
      EXPECT_EQ(compare_with_all(executor, {steps, steps + 1}, scenario), classes[steps - 1])
          << scenario << ' ' << steps;
  }
}

TEST(Bounds, MakeSmallerNetworks) {
  for (const auto& [family, size] : {std::pair{"dp", 3U}, {"mpat", 2U}, {"qo", 3U}}) {
    const network::Network network = network::generate(family, std::vector{size});
    network::NetworkExecutor executor(network);
    for (std::uint32_t steps = 1; steps <= 2; ++steps)
      EXPECT_GT(compare_with_all(executor, {steps, Bound::kUnlimited}, family), 0U);
  }
}

// What was stopped at one bound goes on at the next, also from a checkpoint.
TEST(Bounds, AreThoseOfTheJob) {
  const Bound small[] = {{1, 3}, {2, 3}, {3, 3}, {2, 3}, {1, 3}, {3, 3}};
  const Bound few[] = {{1, 2}, {1, 3}, {1, 2}, {1, 3}};
  for (const std::uint32_t checkpoints : {0U, 1U}) {
    for (const auto& [scenario, bounds] :
         {std::pair<const char*, std::span<const Bound>>{"no_bug_counters", small}, {"no_bug_threads", few}}) {
      program::Configuration configuration = program::configure("gcc", "endless", {scenario});
      configuration.settings.checkpoints = checkpoints;
      program::ProgramExecutor executor(configuration);
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> cut;
      for (const Bound& bound : bounds) {
        testing::Silent listener;
        const One one = explore(executor, Explorer::Optimal, bound, UINT64_MAX, listener);
        const auto [known, is_new] = cut.emplace(std::pair(bound.steps, bound.threads), one.statistics.cut);
        EXPECT_EQ(known->second, one.statistics.cut) << scenario << ' ' << bound.steps << ' ' << bound.threads;
      }
      for (auto one = cut.begin(); std::next(one) != cut.end(); ++one)
        EXPECT_LT(one->second, std::next(one)->second) << scenario;
    }
  }
}

// What fails at the end of a long program, whatever was before, is not forgotten for what is near the start.
TEST(Bounds, DoNotHideTheEnd) {
  program::ProgramExecutor executor(program::configure("gcc", "endless", {"long_way"}));
  FirstFailure listener;
  Depth depth;
  explore_deeper(executor, {}, listener, depth, [&](const Bound& bound, std::uint64_t executions, Listener& told) {
    return OneExploration<One>{explore(executor, Explorer::Optimal, bound, executions, told)};
  });
  EXPECT_EQ(listener.failure, "assertion");
  EXPECT_EQ(depth.runs, 2U);
}

// The exploration of a program that ends is the same with and without.
TEST(Bounds, AreNotMetByProgramsThatEnd) {
  program::ProgramExecutor executor(program::configure("gcc", "loops", {"ticket_lock", "4"}));
  testing::Silent listener;
  Depth depth;
  const One one =
      explore_deeper(executor, {}, listener, depth, [&](const Bound& bound, std::uint64_t executions, Listener& told) {
        return OneExploration<One>{explore(executor, Explorer::Optimal, bound, executions, told)};
      });
  EXPECT_TRUE(one.complete);
  EXPECT_FALSE(depth.deepened);
  EXPECT_EQ(depth.explorations, 1U);
  EXPECT_EQ(one.statistics.executions, 24U);
}

}  // namespace
}  // namespace mazurka
