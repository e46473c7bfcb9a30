// Random programs with loops, some of them without end: the configurations of their unfoldings with cutoffs have all
// the states that a search without reduction finds, with the same deadlocks and ends, whatever the cache. The gate has
// a sample; by night there are a thousand.
//
// MAZURKA_STATES=number looks at one program only and prints it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "program/compiler.hpp"
#include "program/executor.hpp"
#include "support/property.hpp"
#include "support/state_recorder.hpp"
#include "unfolding/explorer.hpp"
#include "waiting/loop_oracle.hpp"
#include "waiting/loop_program.hpp"
#include "walk/stateful_naive.hpp"

namespace mazurka {
namespace {

using testing::StateRecorder;
using waiting::Kind;
using waiting::Program;

constexpr std::size_t kPerFile = 50;
constexpr std::size_t kMostStates = 2'000;
constexpr std::uint64_t kMostExecutions = 2'000;

struct Build {
  const char* compiler;
  const char* level;
};
constexpr Build kBuilds[] = {{"gcc", "-O0"}, {"gcc", "-O2"}, {"clang", "-O0"}, {"clang", "-O1"}};

std::vector<Kind> kinds() {
  std::vector<Kind> result;
  for (int i = 0; i < static_cast<int>(Kind::TimedOnce); ++i) result.push_back(static_cast<Kind>(i));
  return result;
}

struct Case {
  Program program;
  waiting::Behaviour expected;
};

std::vector<Case> cases_from(std::uint64_t begin, std::size_t count, std::span<const Kind> kinds) {
  std::vector<Case> cases;
  for (std::uint64_t number = begin; cases.size() < count; ++number) {
    Program program = waiting::random_program(number, kinds);
    if (std::optional<waiting::Behaviour> expected = waiting::behaviour(program, kMostStates))
      cases.push_back({std::move(program), std::move(*expected)});
  }
  return cases;
}

struct Variant {
  std::size_t alternatives;
  std::size_t cache;
  std::size_t clean_up_at;
  unsigned hash_bits = 128;  ///< fewer: states are compared exactly
};
constexpr std::size_t kOptimal = unfolding::Alternatives::kOptimal;
constexpr Variant kVariants[] = {
    {kOptimal, SIZE_MAX, 1U << 12}, {kOptimal, 0, 16}, {kOptimal, 3, 8}, {1, SIZE_MAX, 16}, {2, 0, 16},
    {kOptimal, SIZE_MAX, 64, 8}};

class RandomStates : public ::testing::TestWithParam<std::size_t> {
 protected:
  void TearDown() override { fmt::print("{} programs compared, {} too large\n", compared_, large_); }

  std::string compile(std::span<const Program> programs) {
    const Build& build = kBuilds[GetParam()];
    const auto source = directory_ / fmt::format("states_{}.c", programs.front().number);
    std::ofstream(source) << waiting::source_text(programs);
    setenv("MAZURKA_CC", build.compiler, 1);
    return program::compile_program(source, {build.level, "-w", "-std=gnu11"}, directory_);
  }

  void compare_some(std::uint64_t begin, std::size_t count, std::span<const Kind> kinds) {
    const std::vector<Case> cases = cases_from(begin, count, kinds);
    std::vector<Program> programs;
    for (const Case& each : cases) programs.push_back(each.program);
    const std::string binary = compile(programs);
    for (const Case& each : cases) {
      compare(binary, each);
      compare_reduced(binary, each);
      if (HasFailure()) {
        ADD_FAILURE() << "program " << each.program.number << "\n" << waiting::program_text(each.program);
        return;
      }
    }
    std::filesystem::remove(binary);
  }

  static program::Configuration configure(const std::string& binary, const Program& program) {
    program::Configuration configuration;
    configuration.binary = binary;
    configuration.arguments = {std::to_string(program.number)};
    configuration.settings.plain = program.number % 3 == 0 ? protocol::Plain::Explore : protocol::Plain::Ignore;
    configuration.settings.keeps_states = true;
    configuration.settings.reduce_waits = false;
    configuration.settings.checkpoints = static_cast<std::uint32_t>(program.number % 4 * 2);
    configuration.lockstep = true;
    return configuration;
  }

  void compare(const std::string& binary, const Case& each) {
    const Variant& variant = kVariants[each.program.number % std::size(kVariants)];
    program::Configuration configuration = configure(binary, each.program);
    configuration.settings.keeps_bytes = variant.hash_bits < 128;
    program::ProgramExecutor executor(configuration);
    struct Reference final : Listener {
      bool on_error(const Execution& execution, std::uint64_t) override {
        deadlocks += execution.outcome == Outcome::Deadlock ? 1 : 0;
        refused |= execution.outcome != Outcome::Deadlock;
        return true;
      }
      void on_execution(const Execution& execution) override {
        if (execution.outcome == Outcome::Finished) outputs.insert(execution.output);
      }
      bool on_progress(const Statistics&) override { return states.size() <= 5 * kMostStates; }
      std::set<std::string> outputs;
      std::uint64_t deadlocks = 0;
      bool refused = false;
      walk::StateSet states;
    } reference;
    const walk::StatefulResult all = walk::explore_states(executor, {}, reference, &reference.states);
    if (!all.complete && !reference.refused) {
      ++large_;
      return;
    }
    ASSERT_FALSE(reference.refused);
    EXPECT_EQ(reference.outputs, each.expected.ends) << "a search of all states shows what the program can do";
    EXPECT_TRUE(reference.deadlocks == 0 || each.expected.deadlock || each.expected.endless)
        << "who waits for ever never ends";
    unfolding::Options options;
    options.alternatives = variant.alternatives;
    options.cutoffs = options.all_deltas = true;
    options.states.cache = variant.cache;
    options.states.exact = variant.hash_bits < 128;
    options.states.hash_bits = variant.hash_bits;
    options.clean_up_at = variant.clean_up_at;
    options.max_executions = kMostExecutions;
    StateRecorder recorder;
    const unfolding::Result result = unfolding::Explorer(executor, options).run(recorder);
    if (recorder.too_many || result.statistics.runs() >= kMostExecutions) {
      ++large_;
      return;
    }
    ++compared_;
    EXPECT_FALSE(recorder.refused) << "what events change depends on their causes";
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(recorder.outputs, each.expected.ends);
    EXPECT_EQ(recorder.deadlocks > 0, reference.deadlocks > 0);
    EXPECT_EQ(recorder.failures, 0U);
    EXPECT_TRUE(variant.alternatives != kOptimal || result.statistics.blocked == 0);
    std::size_t lost = 0;
    for (const StateHash& state : reference.states) lost += recorder.states.contains(state) ? 0U : 1U;
    EXPECT_EQ(lost, 0U) << "of " << reference.states.size() << " states";
    EXPECT_EQ(recorder.states.size(), reference.states.size()) << "states that nobody reaches";
  }

  /// Where awaits are no steps there are fewer states, but the same ends.
  void compare_reduced(const std::string& binary, const Case& each) {
    program::Configuration configuration = configure(binary, each.program);
    configuration.settings.reduce_waits = true;
    program::ProgramExecutor executor(configuration);
    unfolding::Options options;
    options.cutoffs = options.all_deltas = true;
    options.max_executions = kMostExecutions;
    StateRecorder recorder;
    const unfolding::Result result = unfolding::Explorer(executor, options).run(recorder);
    if (recorder.too_many || result.statistics.runs() >= kMostExecutions) return;
    EXPECT_FALSE(recorder.refused) << "what events change depends on their causes, with awaits too";
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(recorder.outputs, each.expected.ends) << "with awaits";
    EXPECT_TRUE(recorder.deadlocks == 0 || each.expected.deadlock) << "with awaits";
  }

  TemporaryFolder temporary_;
  std::filesystem::path directory_ = temporary_.path();
  std::size_t compared_ = 0;
  std::size_t large_ = 0;
};

TEST_P(RandomStates, ASample) {
  const char* const one = std::getenv("MAZURKA_STATES");
  if (one != nullptr) {
    compare_some(std::strtoull(one, nullptr, 10), 1, kinds());
    return;
  }
  compare_some(1'000'000 * GetParam(), static_cast<std::size_t>(testing::property_cases(15)), kinds());
}

TEST_P(RandomStates, ASampleWithSections) {
  const char* const one = std::getenv("MAZURKA_STATES");
  const std::uint64_t begin = one != nullptr ? std::strtoull(one, nullptr, 10) : 1'000'000 * (GetParam() + 80);
  const std::size_t count = one != nullptr ? 1 : static_cast<std::size_t>(testing::property_cases(25));
  compare_some(begin, count, waiting::kKindsWithSections);
}

class RandomStatesByNight : public RandomStates {};

TEST_P(RandomStatesByNight, Hundreds) {
  for (std::size_t part = 0; part < 5; ++part)
    compare_some(1'000'000 * (GetParam() + 10) + 10'000 * part, kPerFile, kinds());
}

TEST_P(RandomStatesByNight, HundredsWithSections) {
  for (std::size_t part = 0; part < 5; ++part)
    compare_some(1'000'000 * (GetParam() + 80) + 10'000 * part, kPerFile, waiting::kKindsWithSections);
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& build) {
  return fmt::format("{}_{}", kBuilds[build.param].compiler, kBuilds[build.param].level + 1);
}
INSTANTIATE_TEST_SUITE_P(Each, RandomStates, ::testing::Range<std::size_t>(0, std::size(kBuilds)), name_of);
INSTANTIATE_TEST_SUITE_P(Nightly, RandomStatesByNight, ::testing::Range<std::size_t>(0, std::size(kBuilds)), name_of);

}  // namespace
}  // namespace mazurka
