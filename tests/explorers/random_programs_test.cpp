// Random C programs, natively: every explorer agrees with a search that knows nothing but sleep sets, and on the
// smallest of them with all interleavings.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "dpor/explore.hpp"
#include "explorers/visited.hpp"
#include "program/compiler.hpp"
#include "program/executor.hpp"
#include "support/exhaustive.hpp"
#include "support/property.hpp"
#include "support/random_descriptors.hpp"
#include "support/random_lives.hpp"
#include "support/random_program.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka {
namespace {

using testing::Silent;
using testing::Visited;

constexpr std::uint64_t kPerFile = 100;
constexpr std::size_t kMaxClasses = 600;          // larger programs are left out
constexpr std::size_t kMaxInterleavings = 1'000;  // where all of them are tried too

struct TooLarge {};

Visited yardstick(Executor& executor, bool reduce, std::size_t limit) {
  Visited visited;
  const auto visit = [&](const Execution& execution) {
    visited.add(execution);
    if (visited.executions > limit) throw TooLarge{};
  };
  testing::Exhaustive(executor, visit, reduce).run();
  return visited;
}

/// The errors, but for whose lock it was that somebody had initialised while it was held, since unlocks do not race,
/// and for the stacks of memory errors, which come from another run.
std::set<std::pair<std::string, std::string>> told(const Visited& visited) {
  std::set<std::pair<std::string, std::string>> errors;
  for (const auto& [kind, message] : visited.errors) {
    const bool by_kind = kind == "foreign-unlock" || kind == "double-free" || kind == "use-after-free";
    errors.emplace(kind, by_kind ? "" : message);
  }
  return errors;
}

class RandomPrograms : public ::testing::Test {
 protected:
  using Generator = std::string (*)(std::uint64_t first, std::uint64_t count);

  std::string compile(Generator generate, std::uint64_t first, std::uint64_t count) {
    const auto source = directory_ / fmt::format("programs_{}.c", first);
    std::ofstream(source) << generate(first, count);
    return program::compile_program(source, {"-O0", "-w"}, directory_);
  }

  /// Compares all explorers on one program. Returns false where it is too large.
  bool compare(const std::string& binary, std::uint64_t seed, protocol::Plain plain = protocol::Plain::Ignore) {
    program::Configuration configuration;
    configuration.settings.plain = plain;
    configuration.binary = binary;
    configuration.arguments = {std::to_string(seed)};
    configuration.settings.checkpoints = static_cast<std::uint32_t>(seed % 9);
    configuration.workers = seed % 4 == 1 ? 2 : seed % 4 == 3 ? 3 : 1;
    if (seed % 7 == 3) configuration.settings.exit = protocol::Exit::Process;
    if (plain == protocol::Plain::Ignore && seed % 5 == 2) configuration.settings.plain = protocol::Plain::Explore;
    if (plain == protocol::Plain::Ignore && seed % 5 == 4) configuration.settings.plain = protocol::Plain::Check;
    program::ProgramExecutor executor(configuration);
    // What is learnt of waits decides what a step is: all are to know the same.
    Silent silent;
    dpor::Options learning;
    learning.max_executions = kMaxClasses;
    dpor::explore(executor, learning, silent);
    const bool waits = executor.version() != 0;
    Visited expected;
    try {
      expected = yardstick(executor, true, kMaxClasses);
    } catch (const TooLarge&) {
      return false;
    }
    // An execution that fails ends there, whatever others had still to do: how much they had done is no part of the
    // failure, and the explorers are not asked for every possibility.
    const bool fails = std::any_of(expected.errors.begin(), expected.errors.end(),
                                   [](const auto& error) { return error.first != "deadlock"; });
    try {
      const Visited all = yardstick(executor, false, kMaxInterleavings);
      ++unreduced_;
      EXPECT_EQ(told(all), told(expected));
      EXPECT_TRUE(fails || all.classes == expected.classes) << "sleep sets lose nothing";
      EXPECT_TRUE(fails || all.ends == expected.ends);
    } catch (const TooLarge&) {
    }
    EXPECT_TRUE(fails || expected.executions == expected.classes.size()) << "sleep sets visit no class twice";
    using enum dpor::Algorithm;
    for (const dpor::Algorithm algorithm : {Source, Optimal, Observers}) {
      testing::Recorder recorder(executor);
      Silent listener;
      dpor::Options options;
      options.algorithm = algorithm;
      options.initial = expected.executions % 2 == 0 ? dpor::Initial::Last : dpor::Initial::First;
      const dpor::Result result = dpor::explore(recorder, options, listener);
      const Visited& visited = recorder.visited;
      EXPECT_TRUE(result.complete);
      EXPECT_EQ(told(visited), told(expected));
      EXPECT_TRUE(algorithm == Source || result.statistics.blocked == 0);
      if (fails) continue;
      EXPECT_EQ(visited.ends, expected.ends);
      if (algorithm == Observers && waits) continue;  // stores that somebody waits for are ordered
      if (algorithm == Observers) {
        EXPECT_EQ(visited.observer_classes, expected.observer_classes);
        EXPECT_EQ(visited.executions, expected.observer_classes.size());
      } else {
        EXPECT_EQ(visited.classes, expected.classes);
        EXPECT_EQ(visited.executions, expected.classes.size());
      }
      if (HasFailure()) ADD_FAILURE() << "with algorithm " << static_cast<int>(algorithm);
    }
    constexpr std::size_t kOptimal = unfolding::Alternatives::kOptimal;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{3}, kOptimal}) {
      testing::Recorder recorder(executor);
      Silent listener;
      unfolding::Options options;
      options.alternatives = k;
      options.clean_up_at = 64;
      const unfolding::Result result = unfolding::Explorer(recorder, options).run(listener);
      const Visited& visited = recorder.visited;
      EXPECT_TRUE(result.complete);
      EXPECT_EQ(told(visited), told(expected));
      EXPECT_TRUE(k != kOptimal || result.statistics.blocked == 0);
      if (fails) continue;
      EXPECT_EQ(visited.ends, expected.ends);
      EXPECT_EQ(visited.classes, expected.classes);
      EXPECT_EQ(visited.executions, expected.classes.size());
      if (HasFailure()) ADD_FAILURE() << "with the unfolding and " << k << "-partial alternatives";
    }
    return true;
  }

  void compare_all(Generator generate, std::string (*one)(std::uint64_t seed), protocol::Plain plain) {
    const char* given = std::getenv("MAZURKA_RANDOM_PROGRAM");  // look at one of them only
    const std::uint64_t first = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
    const std::uint64_t count = given != nullptr ? 1 : static_cast<std::uint64_t>(testing::property_cases(200));
    std::uint64_t compared = 0;
    std::string binary;
    for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
      if ((seed - first) % kPerFile == 0) binary = compile(generate, seed, std::min(kPerFile, first + count - seed));
      if (compare(binary, seed, plain)) ++compared;
      if (HasFailure()) ADD_FAILURE() << "program " << seed << ":\n" << one(seed);
    }
    RecordProperty("compared", static_cast<int>(compared));
    fmt::print("{} programs compared, {} of them with all interleavings\n", compared, unreduced_);
    EXPECT_TRUE(given != nullptr || compared >= count * 7 / 10);
  }

  TemporaryFolder temporary_;
  std::filesystem::path directory_ = temporary_.path();
  int unreduced_ = 0;
};

TEST_F(RandomPrograms, AllExplorersAgree) {
  compare_all(testing::random_programs, testing::random_program, protocol::Plain::Ignore);
}

TEST_F(RandomPrograms, AllExplorersAgreeOnTheLivesOfObjects) {
  compare_all(testing::random_lives, testing::random_life, protocol::Plain::Explore);
}

TEST_F(RandomPrograms, AllExplorersAgreeOnDescriptors) {
  compare_all(testing::random_uses_of_descriptors, testing::random_use_of_descriptors, protocol::Plain::Ignore);
}

/// Programs that explorers once disagreed on.
TEST_F(RandomPrograms, OldDisagreementsStaySettled) {
  const char* given = std::getenv("MAZURKA_REGRESSION");  // look at one of them only
  const std::filesystem::path folder = std::filesystem::path(MAZURKA_SOURCE_DIR) / "tests/regressions";
  for (const auto& entry : std::filesystem::directory_iterator(given != nullptr ? given : folder)) {
    if (entry.path().extension() != ".c") continue;
    EXPECT_TRUE(compare(program::compile_program(entry.path(), {"-O0", "-w"}, directory_), 0)) << entry.path();
  }
}

}  // namespace
}  // namespace mazurka
