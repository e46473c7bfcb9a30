// Several explorers of a program at once, each with a worker, visit what one explorer visits: the same classes, each
// once, whatever the timing.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "dpor/explore.hpp"
#include "explorers/visited.hpp"
#include "program/compiler.hpp"
#include "program/program.hpp"
#include "program/program_test.hpp"
#include "support/property.hpp"
#include "support/random_program.hpp"
#include "support/recorder.hpp"

namespace mazurka {
namespace {

using testing::Visited;

constexpr std::uint32_t kMost = 8;
constexpr std::uint64_t kMaxClasses = 600;  // larger random programs are left out

/// Remembers what an explorer visits; now and then, the explorer hears late of it.
class Late final : public testing::Forwarding {
 public:
  Late(Executor& inner, unsigned seed) : Forwarding(inner), inner_(inner), random_(seed) {}
  void learn_from(const Executor& other) override { inner_.learn_from(dynamic_cast<const Late&>(other).inner_); }

  Visited visited;

 private:
  void seen(const Job& job, Execution& execution) override {
    if (job.continuation != Continuation::Stop && execution.outcome != Outcome::SleepBlocked) visited.add(execution);
    if (random_() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 200));
  }

  Executor& inner_;
  std::mt19937 random_;
};

/// Forgets what was visited before something was learnt.
struct Forgetting final : Listener {
  explicit Forgetting(std::vector<std::unique_ptr<Late>>& all) : late(all) {}
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override {
    for (const auto& one : late) one->visited = {};
  }
  std::vector<std::unique_ptr<Late>>& late;
};

struct Explored {
  Visited visited;
  dpor::Result result;
};

Explored explore(program::Program& program, std::uint32_t count, const dpor::Options& options, unsigned seed) {
  std::vector<std::unique_ptr<Late>> late;
  std::vector<Executor*> executors;
  for (program::ProgramExecutor* const executor : program.explorers(kMost)) {
    if (late.size() == count) break;
    late.push_back(std::make_unique<Late>(*executor, seed + static_cast<unsigned>(late.size())));
    executors.push_back(late.back().get());
  }
  Forgetting listener(late);
  Explored explored;
  explored.result = dpor::explore(executors, options, listener);
  for (const auto& one : late) {
    Visited& all = explored.visited;
    all.executions += one->visited.executions;
    all.classes.insert(one->visited.classes.begin(), one->visited.classes.end());
    all.observer_classes.insert(one->visited.observer_classes.begin(), one->visited.observer_classes.end());
    all.ends.insert(one->visited.ends.begin(), one->visited.ends.end());
    all.errors.insert(one->visited.errors.begin(), one->visited.errors.end());
  }
  return explored;
}

void compare(const program::Configuration& given, unsigned seed) {
  using enum dpor::Algorithm;
  program::Configuration configuration = given;
  configuration.explorers = kMost;
  configuration.lockstep = seed % 2 == 0;
  program::Program program(configuration);
  for (const dpor::Algorithm algorithm : {Optimal, Source, Observers}) {
    dpor::Options options;
    options.algorithm = algorithm;
    options.max_executions = kMaxClasses;
    explore(program, 1, options, seed);  // what is learnt of waits decides what a step is: all are to know the same
    const Explored one = explore(program, 1, options, seed);
    if (one.result.statistics.runs() >= kMaxClasses) return;
    ASSERT_TRUE(one.result.complete);
    bool fails = false;
    for (const auto& [kind, message] : one.visited.errors) fails = fails || kind != "deadlock";
    options.max_executions = UINT64_MAX;
    for (const std::uint32_t count : {2U, 3U, kMost}) {
      options.always_hands_over = (seed + count) % 2 == 0;
      const Explored several = explore(program, count, options, seed + count);
      SCOPED_TRACE(fmt::format("{} explorers, algorithm {}", count, static_cast<int>(algorithm)));
      EXPECT_TRUE(several.result.complete);
      EXPECT_EQ(several.visited.errors, one.visited.errors);
      EXPECT_TRUE(algorithm == Source || several.result.statistics.blocked == 0);
      if (fails) continue;  // how many executions it takes to see every failure depends on their order
      EXPECT_EQ(several.visited.ends, one.visited.ends);
      EXPECT_EQ(several.result.statistics.executions, one.result.statistics.executions);
      EXPECT_EQ(several.result.statistics.cut, one.result.statistics.cut);
      if (algorithm == Observers) {
        EXPECT_EQ(several.visited.observer_classes, one.visited.observer_classes);
      } else {
        EXPECT_EQ(several.visited.classes, one.visited.classes);
        EXPECT_EQ(several.visited.executions, several.visited.classes.size()) << "nothing is visited twice";
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SeveralExplorersOfPrograms, VisitTheSameClassesOfRandomPrograms) {
  const char* given = std::getenv("MAZURKA_RANDOM_PROGRAM");  // look at one of them only
  const std::uint64_t first = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  const std::uint64_t count = given != nullptr ? 1 : static_cast<std::uint64_t>(testing::property_cases(20));
  constexpr std::uint64_t kPerFile = 100;
  const TemporaryFolder folder;
  program::Configuration configuration;
  for (std::uint64_t seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed) {
    if ((seed - first) % kPerFile == 0) {
      const std::filesystem::path source = std::filesystem::path(folder.path()) / fmt::format("programs_{}.c", seed);
      std::ofstream(source) << testing::random_programs(seed, std::min(kPerFile, first + count - seed));
      configuration.binary = program::compile_program(source, {"-O0", "-w"}, folder.path());
    }
    configuration.arguments = {std::to_string(seed)};
    configuration.settings.plain = seed % 5 == 2   ? protocol::Plain::Explore
                                   : seed % 5 == 4 ? protocol::Plain::Check
                                                   : protocol::Plain::Ignore;
    compare(configuration, static_cast<unsigned>(seed));
    if (::testing::Test::HasFailure()) ADD_FAILURE() << "program " << seed << ":\n" << testing::random_program(seed);
  }
}

using Named = std::pair<std::string, std::string>;
class SeveralExplorersOf : public ::testing::TestWithParam<Named> {};

TEST_P(SeveralExplorersOf, VisitTheSameClasses) {
  const auto& [program, argument] = GetParam();
  const bool is_paper = program != "posix" && program != "standard";
  compare(program::configure(is_paper ? "papers" : "gcc", program, {argument}), 1);
}

INSTANTIATE_TEST_SUITE_P(Programs, SeveralExplorersOf,
                         ::testing::Values(Named{"posix", "several_waiters"}, Named{"posix", "rwlock"},
                                           Named{"posix", "try_semaphore"}, Named{"posix", "atomic_section"},
                                           Named{"posix", "choices"}, Named{"posix", "deadlock"}),
                         [](const auto& test) { return test.param.second; });

}  // namespace
}  // namespace mazurka
