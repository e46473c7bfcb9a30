// Random programs with loops that wait: every explorer shows just what a search of all their states shows, whatever
// becomes of idle rounds. The gate has a sample; by night there are thousands.
//
// MAZURKA_LOOP=number looks at one program only, in all modes and builds, and prints it; with MAZURKA_LOOP_TIMED=1 one
// of those with time-outs. MAZURKA_LOOPS_FROM=number makes those of the night others: their numbers begin later by
// that.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "program/compiler.hpp"
#include "support/property.hpp"
#include "waiting/loop_oracle.hpp"
#include "waiting/loop_runs.hpp"

namespace mazurka::waiting {
namespace {

constexpr std::size_t kPerFile = 50;
constexpr std::size_t kNightlyParts = 28;  // by each build: 5,600 programs
constexpr std::size_t kMostStates = 5'000;
constexpr std::uint64_t kMostExecutions =
    400;  // programs with more are counted and compared only with what they may do
constexpr std::uint64_t kWalks = 20;
constexpr std::size_t kMostReports = 20;

struct Build {
  const char* compiler;
  const char* level;
};
constexpr Build kBuilds[] = {{"gcc", "-O0"}, {"gcc", "-O2"}, {"clang", "-O0"}, {"clang", "-O1"}};

/// Rounds with both a mutex and atomic accesses are steps, so these loops do not end.
constexpr Kind kNotReduced[] = {Kind::LockAndLook, Kind::StoreWhile};

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (int i = 0; i < static_cast<int>(Kind::Signal); ++i)
    if (std::find(std::begin(kNotReduced), std::end(kNotReduced), static_cast<Kind>(i)) == std::end(kNotReduced))
      kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

/// Programs with time-outs have more executions, so they are apart.
constexpr Kind kTimedKinds[] = {Kind::Load,      Kind::If,          Kind::Locked,      Kind::Try,
                                Kind::Store,     Kind::LockedStore, Kind::LockedStore, Kind::LockedStore,
                                Kind::Signal,    Kind::Broadcast,   Kind::TimedOnce,   Kind::TimedLook,
                                Kind::TimedPoll, Kind::TimedFlag,   Kind::TimedCount,  Kind::TimedCounted};

/// Loops that come back to the same state after two rounds, not after one.
constexpr Kind kKindsInTurns[] = {Kind::Load,        Kind::Add,         Kind::Store,       Kind::If,
                                  Kind::WaitInTurns, Kind::WaitInTurns, Kind::LookInTurns, Kind::LookInTurns,
                                  Kind::Wait,        Kind::TestAndSet};

class Loops : public ::testing::Test {
 protected:
  void TearDown() override {
    fmt::print("{} programs, {} of them compared whole in every algorithm; {} explorations, {} of them too large\n",
               programs_, whole_, compared_, large_);
  }

  std::string compile(std::span<const Program> programs, const Build& build) {
    const auto source =
        directory_ / fmt::format("loops_{}_{}{}.c", programs.front().number, build.compiler, build.level);
    std::ofstream(source) << source_text(programs);
    setenv("MAZURKA_CC", build.compiler, 1);
    return program::compile_program(source, {build.level, "-w", "-std=gnu11"}, directory_);
  }

  static constexpr std::initializer_list<Explorer> kAll = {Explorer::Optimal, Explorer::Source, Explorer::Unfolding,
                                                           Explorer::Observers, Explorer::Random};

  /// These explorers on one program in one mode.
  void compare(const std::string& binary, const Build& build, const Program& program, const Behaviour& expected,
               const Mode& mode, std::initializer_list<Explorer> explorers = kAll) {
    std::map<std::vector<std::pair<std::uint64_t, std::uint32_t>>, std::size_t> executions;
    std::string all_wrong;
    const std::size_t large_before = large_;
    using enum Explorer;
    for (const Explorer explorer : explorers) {
      program::ProgramExecutor executor(configure(binary, program, mode));
      const Findings run = explore(executor, explorer, explorer == Random ? kWalks : most_executions_);
      ++compared_;
      large_ += run.large;
      std::string wrong = differences(expected, run, explorer);
      if (wrong.empty()) wrong = replay(executor, run);
      if (!run.large && explorer != Random && explorer != Observers) {
        std::size_t count = 0;
        for (const auto& [outcome, number] : run.outcomes) count += number;
        // What is learnt depends on the order of executions, and what is known of waits decides how many there are.
        const auto known = executions.try_emplace(sorted(executor.waits()), count).first;
        if (known->second != count) wrong += fmt::format("  {} executions, others have {}\n", count, known->second);
      }
      if (!wrong.empty()) all_wrong += fmt::format(" --algorithm={}:\n{}", waiting::name(explorer), wrong);
    }
    whole_ += large_ == large_before;
    if (all_wrong.empty() || ++failures_ > kMostReports) return;
    ADD_FAILURE() << fmt::format("program {} by {} {}, {}:\n{}", program.number, build.compiler, build.level,
                                 waiting::name(mode), all_wrong)
                  << program_text(program);
  }

  /// Of several for one place the last counts.
  static std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted(const std::vector<protocol::Wait>& waits) {
    std::map<std::uint64_t, std::uint32_t> kinds;
    for (const protocol::Wait& wait : waits) kinds[wait.site] = static_cast<std::uint32_t>(wait.kind);
    return {kinds.begin(), kinds.end()};
  }

  /// Elsewhere, with nothing but its steps and what was known of waits, a deadlock is the same.
  static std::string replay(const program::ProgramExecutor& executor, const Findings& run) {
    if (!run.deadlock) return "";
    program::Configuration configuration = executor.configuration();
    configuration.waits = executor.waits();
    program::ProgramExecutor other(configuration);
    Job job;
    for (const Event& event : run.deadlock->events) job.prefix.push_back({event.process, event.alternative});
    Execution again;
    other.run(job, again);
    if (again.outcome == Outcome::Deadlock && again.events.size() == run.deadlock->events.size()) return "";
    return fmt::format("  a deadlock after {} steps is {} after {} when it is replayed\n", run.deadlock->events.size(),
                       mazurka::name(again.outcome), again.events.size());
  }

  TemporaryFolder temporary_;
  std::filesystem::path directory_ = temporary_.path();
  std::size_t programs_ = 0;
  std::size_t whole_ = 0;  ///< of them, those of which no explorer saw only a part
  std::size_t compared_ = 0;
  std::size_t large_ = 0;
  std::size_t failures_ = 0;
  std::uint64_t most_executions_ = kMostExecutions;
};

struct Case {
  Program program;
  Behaviour expected;
};

/// Programs from number `begin` on that are not too large; those that never end are few.
std::vector<Case> cases_from(std::uint64_t begin, std::size_t count, std::span<const Kind> kinds) {
  std::vector<Case> cases;
  for (std::uint64_t number = begin; cases.size() < count; ++number) {
    Program program = random_program(number, kinds);
    std::optional<Behaviour> expected = behaviour(program, kMostStates);
    if (expected && !expected->endless && (!expected->ends.empty() || number % 8 == 0))
      cases.push_back({program, *expected});
  }
  return cases;
}

std::vector<Mode> all_modes() {
  using protocol::Isolation;
  using protocol::Plain;
  return {{Plain::Check, Isolation::Memory, 0},  {Plain::Check, Isolation::Memory, 2},
          {Plain::Ignore, Isolation::Memory, 0}, {Plain::Ignore, Isolation::Memory, 2},
          {Plain::Check, Isolation::Fork, 0},    {Plain::Check, Isolation::Memory, 8}};
}

/// Where plain accesses are steps, rounds that lock are not reduced.
std::vector<Kind> kinds_with_plain_steps() {
  std::vector<Kind> kinds = all_kinds();
  std::erase_if(kinds, [](Kind kind) { return kind >= Kind::LockedStore && kind <= Kind::TryUntil; });
  return kinds;
}
const std::vector<Mode> kPlainSteps = {{protocol::Plain::Explore, protocol::Isolation::Memory, 0},
                                       {protocol::Plain::Explore, protocol::Isolation::Memory, 2}};

class LoopsBy : public Loops, public ::testing::WithParamInterface<std::size_t> {
 protected:
  void compare_some(const Build& build, std::uint64_t begin, std::size_t count, std::span<const Kind> kinds,
                    const std::vector<Mode>& modes = all_modes()) {
    const std::vector<Case> cases = cases_from(begin, count, kinds);
    std::vector<Program> programs;
    for (const Case& each : cases) programs.push_back(each.program);
    const std::string binary = compile(programs, build);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ++programs_;
      compare(binary, build, cases[i].program, cases[i].expected, modes[i % modes.size()]);
    }
    std::filesystem::remove(binary);
  }
  static const Build& build() { return kBuilds[GetParam()]; }
};

/// Parts of the work of a night: one file of programs each.
class LoopsByNight : public LoopsBy {
 protected:
  static std::size_t build_number() { return GetParam() / kNightlyParts; }
  static const Build& build() { return kBuilds[build_number()]; }
  static std::uint64_t begin(std::size_t millions) {
    const char* from = std::getenv("MAZURKA_LOOPS_FROM");
    const std::uint64_t later = from == nullptr ? 0 : std::strtoull(from, nullptr, 10);
    return later + 1'000'000 * (build_number() + millions) + 10'000 * (GetParam() % kNightlyParts);
  }
};

TEST_P(LoopsByNight, Many) { compare_some(build(), begin(10), kPerFile, all_kinds()); }

TEST_P(LoopsByNight, WithPlainSteps) {
  compare_some(build(), begin(40), kPerFile, kinds_with_plain_steps(), kPlainSteps);
}

TEST_P(LoopsByNight, WithTimeOuts) { compare_some(build(), begin(20), kPerFile, kTimedKinds); }

TEST_P(LoopsByNight, InTurns) { compare_some(build(), begin(60), kPerFile, kKindsInTurns); }

TEST_P(LoopsByNight, WithSections) { compare_some(build(), begin(70), kPerFile, waiting::kKindsWithSections); }

TEST_P(LoopsByNight, WithSectionsAndPlainSteps) {
  compare_some(build(), begin(80), kPerFile, waiting::kKindsWithSections, kPlainSteps);
}

TEST_P(LoopsBy, ASample) {
  compare_some(build(), 1'000'000 * GetParam(), static_cast<std::size_t>(testing::property_cases(6)), all_kinds());
}

TEST_P(LoopsBy, ASampleWithPlainSteps) {
  compare_some(build(), 1'000'000 * (GetParam() + 30), static_cast<std::size_t>(testing::property_cases(4)),
               kinds_with_plain_steps(), kPlainSteps);
}

TEST_P(LoopsBy, ASampleWithTimeOuts) {
  compare_some(build(), 1'000'000 * (GetParam() + 5), static_cast<std::size_t>(testing::property_cases(4)),
               kTimedKinds);
}

TEST_P(LoopsBy, ASampleInTurns) {
  compare_some(build(), 1'000'000 * (GetParam() + 60), static_cast<std::size_t>(testing::property_cases(6)),
               kKindsInTurns);
}

TEST_P(LoopsBy, ASampleWithSections) {
  const auto count = static_cast<std::size_t>(testing::property_cases(4));
  compare_some(build(), 1'000'000 * (GetParam() + 70), count, waiting::kKindsWithSections);
  compare_some(build(), 1'000'000 * (GetParam() + 80), count, waiting::kKindsWithSections, kPlainSteps);
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& build) {
  return fmt::format("{}_{}", kBuilds[build.param].compiler, kBuilds[build.param].level + 1);
}
INSTANTIATE_TEST_SUITE_P(Each, LoopsBy, ::testing::Range<std::size_t>(0, std::size(kBuilds)), name_of);

std::string name_of_part(const ::testing::TestParamInfo<std::size_t>& part) {
  const Build& build = kBuilds[part.param / kNightlyParts];
  return fmt::format("{}_{}_{}", build.compiler, build.level + 1, part.param % kNightlyParts);
}
INSTANTIATE_TEST_SUITE_P(Nightly, LoopsByNight, ::testing::Range<std::size_t>(0, std::size(kBuilds) * kNightlyParts),
                         name_of_part);

/// Each kind of loop by itself, beside a thread that does what it waits for, and beside one that does something else.
class EveryKind : public Loops, public ::testing::WithParamInterface<std::size_t> {
 protected:
  void compare_all(const std::vector<Program>& programs) {
    most_executions_ = 10 * kMostExecutions;
    const std::string binary = compile(programs, kBuilds[GetParam()]);
    for (const Program& program : programs) {
      const std::optional<Behaviour> expected = behaviour(program, kMostStates);
      ASSERT_TRUE(expected);
      ++programs_;
      compare(binary, kBuilds[GetParam()], program, *expected, Mode{}, {Explorer::Optimal});
    }
  }
};

TEST_P(EveryKind, ShowsWhatItCanDo) {
  std::vector<Program> programs;
  for (const Kind kind : all_kinds())
    for (const int d : {0, 1}) {
      if (kind < Kind::Repeat) continue;
      Statement loop{kind, 0, 1, 1, d, false, false, {}};
      if (kind == Kind::Repeat || kind == Kind::Locked || kind == Kind::TryUntil)
        loop.body = {{Kind::Wait, 0, 1, 1, d}};
      // What is waited for comes last and goes, or comes first and stays.
      const int first = d == 0 ? 1 : 0;
      Program program{programs.size(), 2, {}};
      program.threads = {{{Kind::Load, 1, 0}, loop},
                         {{Kind::Store, first, 0, 1},
                          {Kind::Store, 1 - first, 0, 1},
                          {Kind::Load, 0, 1},
                          {Kind::Store, 1 - first, 0, 2 - d}}};
      programs.push_back(program);
      if (kind < Kind::LockedStore) continue;
      // The same under the mutex, which somebody else tries to lock.
      program.number = programs.size();
      program.threads[1] = {{Kind::Try}, {Kind::LockedStore, 0, 1, 1}, {Kind::Try}, {Kind::LockedStore, 0, 1, 2 - d}};
      program.threads[1].push_back({Kind::Store, 0, 1, 1});
      programs.push_back(program);
    }
  // The location is what it was, now and then, for a round that changes it.
  for (const Kind kind : {Kind::ExchangeWhile, Kind::ExchangeOther}) {
    Program program{programs.size(), 2, {}};
    const Statement reset{Kind::Store, 0, 1, 0};
    program.threads = {{{kind, 0, 1, 1, 0}}, {reset, {Kind::Load, 0, 1}, reset, reset, reset, {Kind::Store, 0, 1, 1}}};
    programs.push_back(program);
  }
  // One site, where the first loop waits and the second does not, since what it writes changes from round to round.
  programs.push_back(
      {programs.size(),
       2,
       {{{Kind::ExchangeFrom, 0, 1, 0, 0}}, {{Kind::ExchangeFrom, 1, 0, 2, 0}, {Kind::Store, 0, 1, 1}}}});
  // A try fails in each of three rounds, which somebody else tells apart by locking in between.
  const Statement idle{Kind::LockedStore, 0, 1, 0};
  const Statement attempt{Kind::Try};
  programs.push_back(
      {programs.size(),
       2,
       {{{Kind::LockedLook, 0, 1, 1}}, {attempt, idle, attempt, idle, attempt, {Kind::LockedStore, 0, 1, 1}}}});
  compare_all(programs);
}

/// Loops that time out, beside a thread that brings about what they wait for but wakes nobody: how many rounds there
/// were shows in what they count, and in how many tries to lock failed.
TEST_P(EveryKind, TimesOutAsOftenAsThatShows) {
  std::vector<Program> programs;
  const Statement idle{Kind::LockedStore, 0, 1, 0};
  const Statement attempt{Kind::Try};
  const Statement last{Kind::LockedStore, 0, 1, 1};
  for (const Kind kind : {Kind::TimedLook, Kind::TimedPoll, Kind::TimedCount, Kind::TimedCounted}) {
    programs.push_back({programs.size(), 2, {{{kind, 0, 1, 1}}, {last}}});
    programs.push_back({programs.size(), 2, {{{kind, 0, 1, 1}}, {{Kind::Signal}, last, {Kind::Broadcast}}}});
    programs.push_back({programs.size(), 2, {{{kind, 0, 1, 1}}, {attempt, idle, attempt, idle, attempt, last}}});
  }
  compare_all(programs);
}

INSTANTIATE_TEST_SUITE_P(By, EveryKind, ::testing::Range<std::size_t>(0, std::size(kBuilds)), name_of);

/// A store counts even if it changes nothing, since something may come between it and the load before. The program need
/// not end, so it is walked through at random.
TEST_F(Loops, SilentStoresAreEffects) {
  Program program{0, 2, {}};
  program.threads = {{{Kind::StoreWhile, 0, 1, 0}},
                     {{Kind::Store, 0, 1, 1}, {Kind::Load, 0, 1}, {Kind::Store, 0, 1, 2}}};
  const std::optional<Behaviour> expected = behaviour(program, kMostStates);
  ASSERT_TRUE(expected);
  for (const Build& build : kBuilds) {
    const std::string binary = compile(std::span(&program, 1), build);
    program::ProgramExecutor executor(configure(binary, program, Mode{}));
    EXPECT_EQ(walk(executor, 300).ends, expected->ends) << build.compiler << build.level;
  }
}

/// Random programs that once told an explorer from the oracle.
TEST_F(Loops, FoundBefore) {
  // A compare-exchange was made to wait because of an assumption about the access after it.
  for (const std::uint64_t number : {11050008}) {
    const std::vector<Kind> kinds = all_kinds();
    const Program program = random_program(number, kinds);
    const std::optional<Behaviour> expected = behaviour(program, kMostStates);
    ASSERT_TRUE(expected);
    for (const Build& build : kBuilds)
      compare(compile(std::span(&program, 1), build), build, program, *expected, Mode{});
  }
}

/// For a look at one of them.
TEST_F(Loops, OneOnDemand) {
  const char* given = std::getenv("MAZURKA_LOOP");
  if (given == nullptr) GTEST_SKIP() << "MAZURKA_LOOP names no program";
  const bool is_timed = std::getenv("MAZURKA_LOOP_TIMED") != nullptr;
  const std::vector<Kind> kinds = all_kinds();
  const Program program =
      random_program(std::strtoull(given, nullptr, 10), is_timed ? std::span<const Kind>(kTimedKinds) : kinds);
  fmt::print("{}", program_text(program));
  const std::optional<Behaviour> expected = behaviour(program, kMostStates);
  ASSERT_TRUE(expected);
  for (const Build& build : kBuilds) {
    const std::string binary = compile(std::span(&program, 1), build);
    for (const Mode& mode : all_modes()) compare(binary, build, program, *expected, mode);
  }
}

}  // namespace
}  // namespace mazurka::waiting
