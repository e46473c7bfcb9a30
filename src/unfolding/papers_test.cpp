// The numbers of *Quasi-Optimal POR* (Table 1 and the programs of its discussion) and of *Unfolding-based POR*.
#include <ostream>

#include <gtest/gtest.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/property.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka::unfolding {
namespace {

struct UntilAnError final : Listener {
  bool on_error(const Execution&, std::uint64_t) override { return false; }
  bool on_progress(const Statistics&) override { return true; }
};

using Arguments = std::vector<std::string>;

Result explore(const std::string& program, Arguments arguments, std::size_t k = Alternatives::kOptimal,
               bool plain_explore = false) {
  program::Configuration configuration = program::configure("papers", program, std::move(arguments));
  if (plain_explore) configuration.settings.plain = protocol::Plain::Explore;
  configuration.lockstep = true;
  program::ProgramExecutor executor(configuration);
  UntilAnError listener;
  Options options;
  options.alternatives = k;
  options.keep_events = true;
  return Explorer(executor, options).run(listener);
}

std::uint64_t configurations(const std::string& program, Arguments arguments) {
  const Result result = explore(program, std::move(arguments));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.statistics.blocked, 0U);
  EXPECT_EQ(result.statistics.errors, 0U);
  return result.statistics.executions;
}

// The beginning of main is an event there, and so is its end by pthread_exit; here they are no steps.
std::uint64_t papers_events(const Result& result) { return result.events_added + 1 + result.silent_ends; }

struct Row {
  const char* program;
  Arguments arguments;
  std::uint64_t configurations;
  std::uint64_t events;
};

void expect(const Row& row) {
  SCOPED_TRACE(row.program + std::string(" ") + row.arguments.back());
  const Result result = explore(row.program, row.arguments);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.statistics.blocked, 0U);
  EXPECT_EQ(result.statistics.errors, 0U);
  EXPECT_EQ(result.statistics.executions, row.configurations);
  EXPECT_EQ(papers_events(result), row.events);
}

TEST(Table1, SmallRows) {
  const Row rows[] = {
      {"disp", {"5", "2"}, 137, 1603}, {"disp", {"5", "3"}, 1482, 17594}, {"mpat", {"4"}, 384, 3822},
      {"mpat", {"5"}, 3840, 38017},    {"mpc", {"2", "5"}, 60, 397},      {"mpc", {"3", "5"}, 2958, 7832},
      {"pi", {"5"}, 120, 1623},        {"pi", {"6"}, 720, 10221},         {"pol", {"7", "3"}, 2440, 51317}};
  for (const Row& row : rows) expect(row);
}

TEST(Table1, LargeRows) {
  if (testing::property_cases(100) < 100) GTEST_SKIP() << "these take minutes with sanitizers";
  const Row rows[] = {
      {"disp", {"5", "4"}, 15282, 185330}, {"mpat", {"6"}, 46080, 455876},     {"pi", {"7"}, 5040, 75113},
      {"pi", {"8"}, 40320, 629787},        {"pol", {"8", "3"}, 3700, 82819},   {"pol", {"9", "3"}, 5332, 126755},
      {"pol", {"10", "3"}, 7384, 185975},  {"pol", {"11", "3"}, 9904, 263617}, {"pol", {"12", "3"}, 12940, 363107}};
  for (const Row& row : rows) expect(row);
}

TEST(Table1, SmallInstances) {
  for (unsigned s = 1; s <= 5; ++s) EXPECT_EQ(configurations("disp", {std::to_string(s), "1"}), 2 * s + 2);
  const unsigned disp[4][2] = {{12, 32}, {32, 150}, {59, 398}, {94, 826}};
  const unsigned pol[4][2] = {{14, 40}, {33, 160}, {60, 412}, {95, 844}};
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned r = 0; r < 2; ++r) {
      EXPECT_EQ(configurations("disp", {std::to_string(i + 1), std::to_string(r + 2)}), disp[i][r]);
      EXPECT_EQ(configurations("pol", {std::to_string(i + 2), std::to_string(r + 2)}), pol[i][r]);
    }
  for (unsigned n = 1; n <= 5; ++n) EXPECT_EQ(configurations("pol", {std::to_string(n), "1"}), 2 * n);
  for (unsigned w = 1; w <= 5; ++w) EXPECT_EQ(configurations("mpc", {"1", std::to_string(w)}), 3U);
  const unsigned mpc[] = {54, 66, 54, 60};
  for (unsigned w = 2; w <= 5; ++w) EXPECT_EQ(configurations("mpc", {"2", std::to_string(w)}), mpc[w - 2]);
}

TEST(Table1, OtherPrograms) {
  EXPECT_EQ(configurations("ssbsimple", {}), 6U);
  for (const unsigned k : {3U, 4U, 5U, 6U, 8U, 10U}) EXPECT_EQ(configurations("ssbexp", {std::to_string(k)}), 2 * k);
  for (unsigned w = 1; w <= 5; ++w) {
    EXPECT_EQ(configurations("ssb3", {std::to_string(w), "2"}), 6 + 2 * w);
    EXPECT_EQ(configurations("ssb3", {std::to_string(w), "4"}), 70 + 2 * w);
  }
  const unsigned spat[4][4] = {{2, 2, 2, 2}, {2, 4, 6, 6}, {2, 4, 18, 24}, {2, 4, 18, 72}};
  for (unsigned t = 2; t <= 5; ++t)
    for (unsigned k = 2; k <= 5; ++k)
      EXPECT_EQ(configurations("spat", {std::to_string(t), std::to_string(k)}), spat[t - 2][k - 2]);
}

// Blocked executions become fewer with k; which ones there are depends on the order of exploration.
TEST(KPartial, BlockedExecutionsDoNotGrowWithK) {
  const std::pair<const char*, Arguments> programs[] = {
      {"disp", {"5", "2"}}, {"disp", {"5", "3"}}, {"mpat", {"4"}},   {"mpc", {"2", "5"}},  {"pi", {"5"}},
      {"pol", {"4", "3"}},  {"ssbsimple", {}},    {"ssbexp", {"6"}}, {"ssb3", {"3", "2"}}, {"spat", {"5", "5"}}};
  for (const auto& [program, arguments] : programs) {
    SCOPED_TRACE(program);
    const Result optimal = explore(program, arguments);
    std::uint64_t before = UINT64_MAX;
    for (const std::size_t k : {1U, 2U, 3U, 4U}) {
      const Result result = explore(program, arguments, k);
      EXPECT_TRUE(result.complete);
      EXPECT_EQ(result.statistics.executions, optimal.statistics.executions) << "k = " << k;
      EXPECT_EQ(result.events_added, optimal.events_added) << "k = " << k;
      EXPECT_LE(result.statistics.blocked, before) << "k = " << k;
      before = result.statistics.blocked;
    }
    EXPECT_EQ(optimal.statistics.blocked, 0U);
  }
  EXPECT_EQ(explore("ssbsimple", {}, 1).statistics.blocked, 1U);
  EXPECT_EQ(explore("ssbsimple", {}, 2).statistics.blocked, 0U);
  for (const char* k : {"3", "4", "5", "6", "8", "10"})
    EXPECT_EQ(explore("ssbexp", {k}, 2).statistics.blocked, 0U) << "ssbexp " << k;
}

struct Counts {
  std::uint64_t configurations;
  std::uint64_t events;
  bool operator==(const Counts&) const = default;
};

void PrintTo(const Counts& counts, std::ostream* stream) {
  *stream << counts.configurations << " configurations, " << counts.events << " events";
}

// The table has one event for the beginning of main and none for its end. Here only the end is a step: one for each
// configuration where main has joined all others.
Counts table_counts(const char* program, Arguments arguments, bool joins = true) {
  const Result result = explore(program, std::move(arguments), Alternatives::kOptimal, true);
  EXPECT_TRUE(result.complete) << program;
  const std::uint64_t ends = joins ? result.statistics.executions : 1;
  return {result.statistics.executions, result.events_added - ends + 1};
}

TEST(SharedMemory, ConfigurationsAndEvents) {
  EXPECT_EQ(table_counts("ccnf", {"9"}, false), (Counts{16, 49}));
  EXPECT_EQ(table_counts("ccnf", {"17"}, false), (Counts{256, 97}));
  EXPECT_EQ(table_counts("ccnf", {"19"}, false), (Counts{512, 109}));
  EXPECT_EQ(table_counts("stf-locals", {}), (Counts{6, 121}));
  EXPECT_EQ(table_counts("spin08-locals", {}), (Counts{84, 2974}));
  EXPECT_EQ(table_counts("fib-locals", {"5"}), (Counts{8953, 185269}));
  EXPECT_EQ(table_counts("ssb-locals", {"0"}), (Counts{4, 49}));
}

// Table 2 of *Optimal DPOR with Observers*.
TEST(Messages, Configurations) {
  EXPECT_EQ(configurations("not_selective", {"2"}), 2U);
  EXPECT_EQ(configurations("not_selective", {"6"}), 720U);
  EXPECT_EQ(configurations("selective", {"6"}), 720U);
  EXPECT_EQ(configurations("lock", {"3"}), 30U);
  EXPECT_EQ(configurations("lock", {"4"}), 336U);
  EXPECT_EQ(configurations("lock", {"5"}), 5040U);
}

// Events of local statements change nothing else.
TEST(SharedMemory, ConfigurationsWithoutLocalStatements) {
  EXPECT_EQ(table_counts("stf", {}).configurations, 6U);
  EXPECT_EQ(table_counts("spin08", {}).configurations, 84U);
  EXPECT_EQ(table_counts("fib", {"4"}).configurations, 1107U);
  EXPECT_EQ(table_counts("fib", {"5"}).configurations, 8953U);
  EXPECT_EQ(table_counts("ssb", {"0"}).configurations, 4U);
}

// In the table, POET has n configurations more for SSB(n): 23, 172, 340, 2022; Nidhugg has those below. Counted by hand
// for n = 1: if q writes y before s tests it for the first time, the loop is not entered, and r reads y before or after
// that write: 2. Else q writes before s reads y again, before s writes it, before s tests it again, or after that: 4.
// Then y is written twice. If r reads it before the first write, z becomes 1, and s sees that (x = 2 before or after x
// = 1) or does not: 3. If r reads between the writes or after them: 1 each. That makes 2 + 4 * (3 + 1 + 1) = 22.
TEST(SharedMemory, ConfigurationsOfSsb) {
  EXPECT_EQ(table_counts("ssb-locals", {"1"}), (Counts{22, 236}));
  EXPECT_EQ(table_counts("ssb-locals", {"3"}), (Counts{169, 2753}));
  EXPECT_EQ(table_counts("ssb-locals", {"4"}), (Counts{336, 6619}));
  EXPECT_EQ(table_counts("ssb-locals", {"8"}), (Counts{2014, 66508}));
}

TEST(SharedMemory, Bugs) {
  EXPECT_EQ(explore("stf", {"1"}, Alternatives::kOptimal, true).statistics.errors, 1U);
  EXPECT_EQ(explore("fib", {"5", "1"}, Alternatives::kOptimal, true).statistics.errors, 1U);
}

}  // namespace
}  // namespace mazurka::unfolding
