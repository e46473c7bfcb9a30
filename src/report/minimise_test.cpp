#include "report/minimise.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "network/executor.hpp"
#include "network/families.hpp"
#include "network/modeller.hpp"
#include "network/network_names.hpp"
#include "report/attempts.hpp"
#include "report/linearise.hpp"
#include "report/same_failure.hpp"
#include "report/story.hpp"
#include "support/forwarding.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"
#include "walk/naive.hpp"

namespace mazurka::report {
namespace {

using network::Network;
using network::NetworkExecutor;
using network::NetworkNames;

/// A network that fails where the second client has moved `second` times and then the first moves for the `first`th
/// time, as a program fails inside a step.
class Monitored final : public testing::Forwarding {
 public:
  Monitored(NetworkExecutor& network, std::size_t first, std::size_t second)
      : Forwarding(network), first_(first), second_(second) {}

 private:
  void seen(const Job&, Execution& execution) override {
    std::size_t moves[2] = {0, 0};
    for (std::size_t i = 0; i < execution.events.size(); ++i) {
      const ProcessIndex process = execution.events[i].process;
      if (process < 2) ++moves[process];
      if (process != 0 || moves[0] != first_ || moves[1] < second_) continue;
      execution.events.resize(i + 1);
      execution.pending.clear();
      execution.outcome = Outcome::Error;
      execution.failure.kind = FailureKind::Assertion;
      execution.failure.detail = GivenWords("too late");
      break;
    }
  }

  std::size_t first_;
  std::size_t second_;
};

/// For each distinct failure, one execution with the most switches and the least number of switches of any.
struct FailureOfAll {
  Execution worst;
  std::size_t fewest = SIZE_MAX;
};

std::vector<FailureOfAll> all_failures(Executor& executor, const Names& names) {
  std::vector<FailureOfAll> failures;
  walk::NaiveSearch(executor, {}).run([&](const Execution& execution) {
    if (!execution.failure) return true;
    const std::size_t switches = context_switches(execution.events);
    auto known = std::find_if(failures.begin(), failures.end(),
                              [&](const FailureOfAll& failure) { return same_bug(names, failure.worst, execution); });
    if (known == failures.end()) known = failures.insert(known, {execution, switches});
    known->fewest = std::min(known->fewest, switches);
    if (switches > context_switches(known->worst.events)) known->worst = execution;
    return true;
  });
  return failures;
}

/// n philosophers who each take the left fork first, with a step of their own before it.
Network philosophers(unsigned n) {
  network::Modeller model("philosophers");
  std::vector<network::ComponentId> forks;
  for (unsigned i = 0; i < n; ++i) forks.push_back(model.lock(fmt::format("fork{}", i)));
  for (unsigned i = 0; i < n; ++i) {
    const auto own = model.variable(fmt::format("own{}", i), 2, 0);
    const auto client = model.client(fmt::format("phil{}", i));
    auto at = model.then(client, model.location(client, "start"), own, "write1");
    for (unsigned fork : {i, (i + 1) % n}) at = model.then(client, at, forks[fork], "acq");
    for (unsigned fork : {i, (i + 1) % n}) at = model.then(client, at, forks[fork], "rel");
  }
  return model.build(network::ActionOrder::ByClient);
}

/// Any failing execution, by random walks.
Execution some_failure(Executor& executor) {
  Job job;
  job.continuation = Continuation::Random;
  for (job.seed = 0; job.seed < 100'000; ++job.seed)
    if (const Execution& execution = executor.run(job); execution.failure) return execution;
  ADD_FAILURE() << "this system does not fail";
  return {};
}

MinimiseOptions generous() { return {10'000'000, std::chrono::minutes(10)}; }

/// The minimum over all interleavings is met.
void expect_minimum(Executor& executor, const Names& names) {
  for (const FailureOfAll& failure : all_failures(executor, names)) {
    const Minimised result = minimise(executor, names, failure.worst, generous());
    RC_ASSERT(result.minimal);
    RC_ASSERT(result.switches == failure.fewest);
    RC_ASSERT(context_switches(result.execution.events) == result.switches);
    RC_ASSERT(same_bug(names, result.execution, failure.worst));
    // Fewer switches may take more steps: a thread that is not interrupted goes further.
    RC_ASSERT(result.switches < context_switches(failure.worst.events) ||
              result.execution.events.size() <= failure.worst.events.size());
  }
}

TEST(Minimise, DeadlocksOfRandomNetworksGetTheFewestSwitchesOfAllInterleavings) {
  int seen = 0;
  EXPECT_TRUE(testing::property("deadlocks", 1000, [&] {
    const Network network = testing::to_network(*testing::network_specs(3, 9));
    NetworkExecutor executor(network);
    const NetworkNames names(network);
    seen += static_cast<int>(all_failures(executor, names).size());
    expect_minimum(executor, names);
  }));
  EXPECT_GT(seen, testing::property_cases(100));
}

TEST(Minimise, FailingStepsOfRandomNetworksGetTheFewestSwitchesOfAllInterleavings) {
  int seen = 0;
  EXPECT_TRUE(testing::property("failing steps", 1000, [&] {
    const Network network = testing::to_network(*testing::network_specs(3, 9));
    const auto first = *rc::gen::inRange<std::size_t>(1, 4);
    const auto second = *rc::gen::inRange<std::size_t>(0, 3);
    NetworkExecutor plain(network);
    Monitored executor(plain, first, second);
    const NetworkNames names(network);
    seen += static_cast<int>(all_failures(executor, names).size());
    expect_minimum(executor, names);
  }));
  EXPECT_GT(seen, testing::property_cases(100));
}

TEST(Minimise, PhilosophersNeedOneBlockEach) {
  for (unsigned n : {2U, 3U, 5U, 7U}) {
    const Network network = philosophers(n);
    NetworkExecutor executor(network);
    const NetworkNames names(network);
    const Execution found = some_failure(executor);
    const Minimised result = minimise(executor, names, found, generous());
    EXPECT_EQ(result.switches, n - 1) << n;
    EXPECT_TRUE(result.minimal);
    EXPECT_TRUE(same_failure(names, result.execution, found));
  }
}

TEST(Minimise, ABudgetIsKeptAndTheResultStillFails) {
  const Network network = philosophers(4);
  NetworkExecutor executor(network);
  const NetworkNames names(network);
  const Execution found = some_failure(executor);
  for (std::uint64_t runs : {0U, 1U, 2U, 5U, 50U}) {
    const Minimised result = minimise(executor, names, found, {runs, std::chrono::minutes(10)});
    EXPECT_LE(result.runs, runs);
    EXPECT_TRUE(same_failure(names, result.execution, found)) << runs;
    EXPECT_LE(result.switches, result.switches_before);
    EXPECT_EQ(steps_of(result.execution.events),
              steps_of(minimise(executor, names, found, {runs, std::chrono::minutes(10)}).execution.events))
        << "the same input gives the same result";
  }
}

TEST(Minimise, StepsThatTheFailureDoesNotDependOnAreLeftOut) {
  // mpat: pairs of clients that share nothing with other pairs.
  const Network network = network::generate("mpat", std::vector<unsigned>{3});
  NetworkExecutor plain(network);
  Monitored executor(plain, 1, 0);
  const NetworkNames names(network);
  // Everybody else first, then the first client, which fails in its first step.
  Execution found;
  std::vector<Step> prefix;
  for (;;) {
    Job job;
    job.prefix = prefix;
    job.continuation = Continuation::Stop;
    found = executor.run(job);
    if (found.failure) break;
    const auto next =
        std::find_if(found.pending.rbegin(), found.pending.rend(), [](const Offer& o) { return o.enabled; });
    ASSERT_NE(next, found.pending.rend());
    prefix.push_back(next->step());
  }
  ASSERT_GT(found.events.size(), 5U);
  const Minimised result = minimise(executor, names, found, generous());
  EXPECT_EQ(result.switches, 0U);
  EXPECT_EQ(result.execution.events.size(), 1U);
}

TEST(Linearise, KeepsTheOrderOfDependentSteps) {
  EXPECT_TRUE(testing::property("linearise", 300, [] {
    const Network network = testing::to_network(*testing::network_specs(4, 12));
    NetworkExecutor executor(network);
    Job job;
    job.continuation = Continuation::Random;
    job.seed = *rc::gen::arbitrary<std::uint64_t>();
    const Execution found = executor.run(job);
    const std::vector<Step> order = linearise(found.events, false);
    RC_ASSERT(order.size() == found.events.size());
    job.prefix = order;
    job.continuation = Continuation::Stop;
    const Execution again = executor.run(job);
    RC_ASSERT(again.outcome == found.outcome);
    RC_ASSERT(again.final_state == found.final_state);
    RC_ASSERT(context_switches(again.events) <= context_switches(found.events));
  }));
}

}  // namespace
}  // namespace mazurka::report
