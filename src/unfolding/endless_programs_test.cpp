// Programs whose executions do not end, or need not: those of *Unfolding-based POR* with the configurations of its
// Table 2 as a bound, and servers. The same verdicts with waiting loops reduced and without.
#include <optional>

#include <gtest/gtest.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "unfolding/exploration.hpp"

namespace mazurka::unfolding {
namespace {

struct FirstError final : Listener {
  bool on_error(const Execution& execution, std::uint64_t) override {
    kind = execution.failure.kind;
    return false;
  }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override { kind.reset(); }
  std::optional<FailureKind> kind;
};

struct Explored {
  Result result;
  std::optional<FailureKind> failure;
  std::uint64_t configurations() const { return result.statistics.executions + result.statistics.cut; }
};

struct Way {
  protocol::Plain plain = protocol::Plain::Check;
  bool reduces_waits = true;
  std::size_t cache = SIZE_MAX;
};

Explored explore_states(const std::string& folder, const std::string& program, std::vector<std::string> arguments,
                        const Way& way) {
  program::Configuration configuration = program::configure(folder, program, std::move(arguments));
  configuration.settings.plain = way.plain;
  configuration.settings.keeps_states = true;
  configuration.settings.reduce_waits = way.reduces_waits;
  configuration.lockstep = true;
  program::ProgramExecutor executor(configuration);
  FirstError listener;
  Options options;
  options.cutoffs = true;
  options.cache = way.cache;
  options.clean_up_at = 256;
  Explored explored;
  explored.result = Exploration(executor, options).run(listener);
  explored.failure = listener.kind;
  return explored;
}

struct BoundedRow {
  const char* program;
  std::vector<std::string> arguments;
  std::uint64_t most;  ///< configurations, as POET has them
};

TEST(EndlessPrograms, OfThePaperHaveNoMoreConfigurations) {
  const BoundedRow rows[] = {
      {"dekker", {}, 21}, {"lamport_fast", {}, 30}, {"peterson", {}, 20}, {"pgsql", {}, 4}, {"rwlock", {}, 770}};
  for (const BoundedRow& row : rows)
    for (const bool reduces_waits : {true, false}) {
      SCOPED_TRACE(row.program);
      const Explored explored =
          explore_states("papers", row.program, row.arguments, {protocol::Plain::Explore, reduces_waits});
      EXPECT_TRUE(explored.result.complete);
      EXPECT_FALSE(explored.failure);
      EXPECT_EQ(explored.result.statistics.blocked, 0U);
      EXPECT_GT(explored.result.cutoffs.cutoffs, 0U);
      EXPECT_LE(explored.configurations(), row.most);
    }
}

/// Both threads may wait for each other to leave, for ever: with awaits that is a deadlock, and otherwise no state.
TEST(EndlessPrograms, SzymanskisMayWaitForEver) {
  const Explored rounds = explore_states("papers", "szymanski", {}, {protocol::Plain::Explore, false});
  EXPECT_TRUE(rounds.result.complete);
  EXPECT_FALSE(rounds.failure);
  EXPECT_LE(rounds.configurations(), 159U);
  const Explored awaits = explore_states("papers", "szymanski", {}, {protocol::Plain::Explore, true});
  EXPECT_EQ(awaits.failure, FailureKind::Deadlock);
}

TEST(EndlessPrograms, ProducersAndConsumer) {
  const Explored locks = explore_states("papers", "prodcons", {}, {protocol::Plain::Ignore});
  EXPECT_TRUE(locks.result.complete);
  EXPECT_LE(locks.configurations(), 386U);
  for (const std::size_t cache : {std::size_t{0}, std::size_t{16}, SIZE_MAX}) {
    const Explored checked = explore_states("papers", "prodcons", {}, {protocol::Plain::Check, true, cache});
    EXPECT_TRUE(checked.result.complete) << cache;
    EXPECT_FALSE(checked.failure) << cache;
    const Explored faulty = explore_states("papers", "prodcons", {"1"}, {protocol::Plain::Check, true, cache});
    EXPECT_EQ(faulty.failure, FailureKind::Assertion) << cache;
  }
}

TEST(EndlessPrograms, WithBugs) {
  for (const char* program : {"peterson", "pgsql", "rwlock"})
    for (const bool reduces_waits : {true, false}) {
      const Explored explored = explore_states("papers", program, {"1"}, {protocol::Plain::Explore, reduces_waits});
      EXPECT_EQ(explored.failure, FailureKind::Assertion) << program;
    }
}

TEST(EndlessPrograms, ServersInCpp) {
  for (const char* compiler : {"gcc", "clang"})
    for (const char* program : {"server", "pair"}) {
      SCOPED_TRACE(std::string(compiler) + " " + program);
      const Explored proved = explore_states(compiler, "servers", {program}, {});
      EXPECT_TRUE(proved.result.complete);
      EXPECT_FALSE(proved.failure);
      EXPECT_EQ(proved.result.statistics.executions, 0U);
      const Explored faulty = explore_states(compiler, "servers", {std::string(program) + "-bug"}, {});
      EXPECT_EQ(faulty.failure, FailureKind::Assertion);
    }
}

/// Of programs that end there are no more configurations than Table 1 has, and fewer where orders lead to the same
/// state.
TEST(EndlessPrograms, ThatEndHaveNoMoreConfigurations) {
  const BoundedRow rows[] = {{"stf", {"0"}, 6}, {"spin08", {}, 84}, {"ccnf", {"9"}, 16}};
  for (const BoundedRow& row : rows) {
    const Explored explored = explore_states("papers", row.program, row.arguments, {protocol::Plain::Explore});
    EXPECT_TRUE(explored.result.complete) << row.program;
    EXPECT_LE(explored.configurations(), row.most) << row.program;
  }
}

}  // namespace
}  // namespace mazurka::unfolding
