// Programs whose executions do not end, or need not: those of *Unfolding-based POR* with the configurations of its
// Table 2 as a bound, and servers. The same verdicts with waiting loops reduced and without.
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka::unfolding {
namespace {

struct FirstError final : Listener {
  explicit FirstError(bool looks_for_deadlocks) : looks_for_deadlocks_(looks_for_deadlocks) {}
  bool deadlocks_fail() const override { return looks_for_deadlocks_; }
  bool on_error(const Execution& execution, std::uint64_t) override {
    kind = execution.failure.kind;
    return false;
  }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override { kind.reset(); }
  std::optional<FailureKind> kind;

 private:
  bool looks_for_deadlocks_;
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
  bool looks_for_deadlocks = true;
  bool exact = false;
  unsigned hash_bits = 128;
  std::uint64_t max_executions = UINT64_MAX;
};

Explored explore_states(const std::string& folder, const std::string& program, std::vector<std::string> arguments,
                        const Way& way) {
  program::Configuration configuration = program::configure(folder, program, std::move(arguments));
  configuration.settings.plain = way.plain;
  configuration.settings.keeps_states = true;
  configuration.settings.keeps_bytes = way.exact;
  configuration.settings.reduce_waits = way.reduces_waits;
  configuration.lockstep = true;
  program::ProgramExecutor executor(configuration);
  FirstError listener(way.looks_for_deadlocks);
  Options options;
  options.cutoffs = true;
  options.states.exact = way.exact;
  options.states.hash_bits = way.hash_bits;
  options.states.cache = way.cache;
  options.clean_up_at = 256;
  options.max_executions = way.max_executions;
  Explored explored;
  explored.result = Explorer(executor, options).run(listener);
  explored.failure = listener.kind;
  return explored;
}

struct BoundedRow {
  const char* program;
  std::vector<std::string> arguments;
  std::uint64_t most;  ///< configurations, as POET has them
};

/// As in the paper, which looks for failed assertions only.
TEST(EndlessPrograms, OfThePaperHaveNoMoreConfigurations) {
  const BoundedRow rows[] = {{"szymanski", {}, 159}, {"dekker", {}, 21}, {"lamport_fast", {}, 30},
                             {"peterson", {}, 20},   {"pgsql", {}, 4},   {"rwlock", {}, 770}};
  for (const BoundedRow& row : rows)
    for (const bool reduces_waits : {true, false}) {
      SCOPED_TRACE(row.program);
      const Explored explored = explore_states("papers", row.program, row.arguments,
                                               {protocol::Plain::Explore, reduces_waits, SIZE_MAX, false});
      EXPECT_TRUE(explored.result.complete);
      EXPECT_FALSE(explored.failure);
      EXPECT_EQ(explored.result.statistics.blocked, 0U);
      EXPECT_LE(explored.configurations(), row.most);
    }
}

/// In SZYMANSKI both threads can wait for the other's flag to fall, for ever. In RWLOCK readers can count wrongly, and
/// a writer waits for the last to leave. Rounds of loops that are steps or are not, it is the same.
TEST(EndlessPrograms, ThatWaitForEver) {
  const std::pair<const char*, bool> programs[] = {{"szymanski", true}, {"rwlock", true}, {"dekker", false},
                                                   {"peterson", false}, {"pgsql", false}, {"lamport_fast", false}};
  for (const auto& [program, waits] : programs)
    for (const bool reduces_waits : {true, false}) {
      const Explored explored = explore_states("papers", program, {}, {protocol::Plain::Explore, reduces_waits});
      EXPECT_EQ(explored.failure, waits ? std::optional(FailureKind::Deadlock) : std::nullopt)
          << program << (reduces_waits ? ", reduced" : "");
    }
}

/// Hashes of six bits tell only few states apart; comparing what the states hold makes up for it.
TEST(EndlessPrograms, ComparedExactly) {
  for (const char* variant : {"0", "3"}) {
    const auto explore = [&](bool exact, unsigned bits, std::size_t cache) {
      return explore_states("papers", "prodcons", {variant}, {protocol::Plain::Check, true, cache, true, exact, bits});
    };
    const Explored by_hash = explore(false, 128, SIZE_MAX);
    const Explored exact = explore(true, 128, SIZE_MAX);
    EXPECT_TRUE(exact.result.complete);
    EXPECT_EQ(exact.configurations(), by_hash.configurations());
    EXPECT_EQ(exact.result.cutoffs.collisions, 0U);
    EXPECT_GT(exact.result.cutoffs.bytes, 0U);
    const Explored colliding = explore(true, 6, SIZE_MAX);
    EXPECT_GT(colliding.result.cutoffs.collisions, 0U);
    EXPECT_TRUE(colliding.result.complete);
    EXPECT_EQ(colliding.configurations(), by_hash.configurations());
    EXPECT_EQ(colliding.result.cutoffs.cutoffs, by_hash.result.cutoffs.cutoffs);
    // Too small for the states, so that some are forgotten during the exploration.
    const Explored forgetful = explore(true, 6, 96);
    EXPECT_TRUE(forgetful.result.complete);
    EXPECT_FALSE(forgetful.failure);
    EXPECT_GT(forgetful.result.cutoffs.emptied, 0U);
  }
  const Explored lost =
      explore_states("papers", "prodcons", {"1"}, {protocol::Plain::Check, true, SIZE_MAX, true, false, 1});
  EXPECT_FALSE(lost.failure) << "hashes of one bit hide the overflow";
  const Explored found =
      explore_states("papers", "prodcons", {"1"}, {protocol::Plain::Check, true, SIZE_MAX, true, true, 1});
  EXPECT_EQ(found.failure, FailureKind::Assertion);
}

/// With all threads before their loops, POET's number; where they are created one after the other there are more
/// states, since what one thread does does not imply that the next has been created.
TEST(EndlessPrograms, TwoBuffers) {
  const Explored ready = explore_states("papers", "prodcons", {"3"}, {});
  EXPECT_TRUE(ready.result.complete);
  EXPECT_EQ(ready.configurations(), 15U);
  const Explored created = explore_states("papers", "prodcons", {"2"}, {});
  EXPECT_TRUE(created.result.complete);
  EXPECT_FALSE(created.failure);
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
      const Explored explored =
          explore_states("papers", program, {"1"}, {protocol::Plain::Explore, reduces_waits, SIZE_MAX, false});
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

/// However long an exploration takes, U has what is in immediate conflict with the branch and with what was explored
/// beside it. That is little here; where all events are kept there are more than twenty thousand.
TEST(EndlessPrograms, NeedLittleMemory) {
  Way way;
  way.cache = 16;
  way.max_executions = 4'000;
  const Explored explored = explore_states("gcc", "servers", {"values"}, way);
  EXPECT_FALSE(explored.result.complete);
  EXPECT_GE(explored.result.statistics.cut, 3'000U);
  EXPECT_LE(explored.result.peak_events, 600U);
}

/// Blocks that one thread allocates and another one frees come back, so that states do.
TEST(EndlessPrograms, WhoseConsumersFreeWhatTheProducerAllocates) {
  for (const char* compiler : {"gcc", "clang"}) {
    SCOPED_TRACE(compiler);
    const Explored proved = explore_states(compiler, "servers", {"queue"}, {});
    EXPECT_TRUE(proved.result.complete);
    EXPECT_FALSE(proved.failure);
    EXPECT_EQ(proved.result.statistics.executions, 0U);
    const Explored faulty = explore_states(compiler, "servers", {"queue-bug"}, {});
    EXPECT_EQ(faulty.failure, FailureKind::Assertion);
    const Explored keys = explore_states(compiler, "servers", {"keys"}, {});
    EXPECT_TRUE(keys.result.complete);
    EXPECT_FALSE(keys.failure);
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

/// The mode is a part of a thread's state.
TEST(EndlessPrograms, TellRoundingModesApart) {
  for (const char* const compiler : {"gcc", "clang"})
    EXPECT_EQ(explore_states(compiler, "rounding", {"rounds"}, {}).failure, FailureKind::Assertion) << compiler;
}

}  // namespace
}  // namespace mazurka::unfolding
