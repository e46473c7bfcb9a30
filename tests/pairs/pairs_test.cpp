// Every pair of features in one program, in every mode: each explorer shows what all interleavings show. The gate takes
// every pair once, in an arrangement and a mode that change from pair to pair; one part of the night takes every pair
// in every mode, and all of its parts every arrangement and build too.
//
// MAZURKA_PAIR=number looks at one program only, in all modes, and MAZURKA_PAIR_SOURCE=1 prints it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "core/failure_kind.hpp"
#include "core/temporary_folder.hpp"
#include "pairs/comparison.hpp"
#include "pairs/feature.hpp"
#include "pairs/known.hpp"
#include "pairs/programs.hpp"
#include "program/compiler.hpp"
#include "support/property.hpp"

namespace mazurka::pairs {
namespace {

constexpr std::size_t kPerFile = 400;
constexpr std::size_t kMaxInterleavings = 5'000;  // programs with more are counted and left out
constexpr std::size_t kMaxReports = 20;

struct Build {
  const char* compiler;
  const char* level;
};
constexpr Build kBuilds[] = {{"gcc", "-O0"}, {"gcc", "-O2"}, {"clang", "-O0"}, {"clang", "-O2"}};
constexpr auto kWays = static_cast<std::size_t>(Arrangement::Count);
constexpr std::size_t kParts = std::size(kBuilds) * kWays;

class Pairs : public ::testing::Test {
 protected:
  void TearDown() override {
    fmt::print(
        "{} programs, {} runs of explorers compared, {} refused by name, {} refused with --cutoffs, {} times more than "
        "{} interleavings\n",
        programs_, compared_, refused_, without_states_, large_, kMaxInterleavings);
  }

  std::string compile(std::span<const Pair> pairs, const Build& build) {
    const auto source = directory_ / fmt::format("pairs_{}_{}{}.c", pairs.front().number, build.compiler, build.level);
    std::ofstream(source) << source_text(pairs);
    setenv("MAZURKA_CC", build.compiler, 1);
    return program::compile_program(source, {build.level, "-w", "-std=gnu11"}, directory_);
  }

  /// Compares all explorers on one program in one mode.
  void compare_all(const std::string& binary, const Build& build, const Pair& pair, const Mode& mode) {
    std::optional<Outcomes> expected;
    for (const Repetition& repetition :
         {Repetition{protocol::Isolation::Memory, 0}, Repetition{protocol::Isolation::Memory, 2},
          Repetition{protocol::Isolation::Fork, 0}}) {
      program::ProgramExecutor executor(configure(binary, pair.number, mode, repetition));
      if (!expected) expected = all_interleavings(executor, kMaxInterleavings);
      if (!expected) {
        ++large_;
        return;
      }
      if (expected->errors.contains(name(FailureKind::Unsupported))) {  // by name: a pipe inside a section
        ++refused_;
        return;
      }
      using enum Explorer;
      for (const Explorer explorer : {Optimal, Source, Observers, Unfolding, Random}) {
        const bool slow = repetition.isolation == protocol::Isolation::Fork;
        if (slow && explorer != Optimal) continue;
        if (is_known(pair, mode, explorer)) continue;
        ++compared_;
        const std::string wrong = compare(executor, explorer, *expected);
        if (wrong.empty()) continue;
        report(pair, fmt::format("program {} ({}) by {} {}, {} {} --algorithm={}:\n{}", pair.number, pairs::name(pair),
                                 build.compiler, build.level, pairs::name(mode), pairs::name(repetition),
                                 pairs::name(explorer), wrong));
      }
    }
    const Repetition repetition{protocol::Isolation::Memory, static_cast<std::uint32_t>(pair.number % 2 * 2)};
    const bool shows_addresses = features()[pair.first].shows_addresses || features()[pair.second].shows_addresses;
    const auto wrong = compare_states(configure(binary, pair.number, mode, repetition), *expected, !shows_addresses);
    wrong ? ++compared_ : ++without_states_;
    if (wrong && !wrong->empty())
      report(pair, fmt::format("program {} ({}) by {} {}, {} {} --algorithm=unfolding --cutoffs:\n{}", pair.number,
                               pairs::name(pair), build.compiler, build.level, pairs::name(mode),
                               pairs::name(repetition), *wrong));
  }

  void report(const Pair& pair, const std::string& text) {
    ++failures_;
    if (failures_ <= kMaxReports || std::getenv("MAZURKA_PAIR_ALL") != nullptr)
      ADD_FAILURE() << text;
    else if (failures_ == kMaxReports + 1)
      ADD_FAILURE() << "and more";
    static_cast<void>(pair);
  }

  static bool fits(const Pair& pair, const Mode& mode) {
    const Feature& a = features()[pair.first];
    const Feature& b = features()[pair.second];
    if ((a.races || b.races) && mode.plain == protocol::Plain::Ignore) return false;
    return a.wakes_up || b.wakes_up || !mode.spurious_wakeups;
  }

  TemporaryFolder temporary_;
  std::filesystem::path directory_ = temporary_.path();
  std::size_t programs_ = 0;
  std::size_t compared_ = 0;
  std::size_t refused_ = 0;
  std::size_t without_states_ = 0;  ///< cannot be explored by their states
  std::size_t large_ = 0;
  std::size_t failures_ = 0;
};

/// Scatters numbers, so that what goes with each other has no pattern.
std::size_t scattered(std::size_t number) { return (number * 0x9e3779b97f4a7c15ULL) >> 40; }

/// One build of the four, with the pairs that fall to it.
class PairsOnce : public Pairs, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(PairsOnce, EveryPairInSomeMode) {
  const std::vector<Pair> all = all_pairs();
  const std::size_t stride = 100 / static_cast<std::size_t>(std::clamp(testing::property_cases(100), 1, 100));
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < all.size(); i += kWays * stride) {
    const std::size_t chance = scattered(i / kWays);
    if (chance % std::size(kBuilds) == GetParam()) pairs.push_back(all[i + chance / 4 % kWays]);
  }
  const std::string binary = compile(pairs, kBuilds[GetParam()]);
  for (const Pair& pair : pairs) {
    std::vector<Mode> modes = all_modes();
    std::erase_if(modes, [&](const Mode& mode) { return !fits(pair, mode); });
    ++programs_;
    compare_all(binary, kBuilds[GetParam()], pair, modes[scattered(pair.number) % modes.size()]);
  }
}

INSTANTIATE_TEST_SUITE_P(By, PairsOnce, ::testing::Range<std::size_t>(0, std::size(kBuilds)), [](const auto& build) {
  return fmt::format("{}_{}", kBuilds[build.param].compiler, kBuilds[build.param].level + 1);
});

/// A twenty-eighth of the work of a night. Each part has every pair in every mode; the build and the arrangement change
/// from part to part, so that all parts together have every program in every build and every mode once.
class PairsByNight : public Pairs, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(PairsByNight, EveryPairInEveryMode) {
  struct Run {
    Pair pair;
    std::vector<Mode> modes;
  };
  const std::vector<Pair> all = all_pairs();
  const std::vector<Mode> modes = all_modes();
  std::vector<Run> runs[std::size(kBuilds)];
  constexpr std::size_t kTogether = 3;  // modes that share a program, so that there is less to compile
  for (std::size_t i = 0; i < all.size(); i += kWays) {
    for (std::size_t first = 0; first < modes.size(); first += kTogether) {
      const std::size_t part = (scattered(i / kWays) + first + GetParam()) % kParts;
      Run run{all[i + part / std::size(kBuilds)], {}};
      for (std::size_t mode = first; mode < first + kTogether; ++mode)
        if (fits(run.pair, modes[mode])) run.modes.push_back(modes[mode]);
      if (!run.modes.empty()) runs[part % std::size(kBuilds)].push_back(run);
    }
  }
  for (std::size_t build = 0; build < std::size(kBuilds); ++build) {
    for (std::size_t begin = 0; begin < runs[build].size(); begin += kPerFile) {
      const auto part = std::span(runs[build]).subspan(begin, std::min(kPerFile, runs[build].size() - begin));
      // A program that two groups of modes share is compiled once.
      std::map<std::size_t, Pair> programs;
      for (const Run& run : part) programs.emplace(run.pair.number, run.pair);
      std::vector<Pair> pairs;
      for (const auto& [number, pair] : programs) pairs.push_back(pair);
      programs_ += pairs.size();
      const std::string binary = compile(pairs, kBuilds[build]);
      for (const Run& run : part)
        for (const Mode& mode : run.modes) compare_all(binary, kBuilds[build], run.pair, mode);
      std::filesystem::remove(binary);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Nightly, PairsByNight, ::testing::Range<std::size_t>(0, kParts));

/// The order of arrivals in each round is all that can differ: (n!)^rounds.
TEST_F(Pairs, RoundsOfABarrierAreIndependent) {
  const std::string source = MAZURKA_SOURCE_DIR "/tests/regressions/barrier_rounds.c";
  program::ProgramExecutor executor(
      configure(program::compile_program(source, {"-w"}, directory_), 0, Mode{}, Repetition{}));
  const std::optional<Outcomes> expected = all_interleavings(executor, 10 * kMaxInterleavings);
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->classes.size(), 4U);
  for (const Explorer explorer : {Explorer::Optimal, Explorer::Source, Explorer::Unfolding})
    EXPECT_EQ(compare(executor, explorer, *expected), "") << pairs::name(explorer);
}

/// For a look at one of them.
TEST_F(Pairs, OneOnDemand) {
  const char* given = std::getenv("MAZURKA_PAIR");
  if (given == nullptr) GTEST_SKIP() << "MAZURKA_PAIR names no program";
  const Pair pair = all_pairs().at(std::strtoull(given, nullptr, 10));
  if (std::getenv("MAZURKA_PAIR_SOURCE") != nullptr) fmt::print("{}", source_text(std::span(&pair, 1)));
  ++programs_;
  for (const Build& build : kBuilds) {
    const std::string binary = compile(std::span(&pair, 1), build);
    for (const Mode& mode : all_modes())
      if (fits(pair, mode)) compare_all(binary, build, pair, mode);
  }
}

}  // namespace
}  // namespace mazurka::pairs
