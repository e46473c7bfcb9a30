// Small programs of every kind, built by gcc and by clang: the set of their results, over all schedules, is known.
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

using Ends = std::set<std::string>;

/// The result in words: the output, or how else the execution ended.
std::string end_of(const Execution& execution) {
  if (execution.outcome == Outcome::Finished) return execution.output;
  if (execution.outcome == Outcome::Error || execution.outcome == Outcome::Unsupported)
    return name(execution.failure.kind);
  if (execution.outcome == Outcome::Diverged) return testing::failure_key(execution);
  return std::string(name(execution.outcome));
}

struct Scenario {
  std::string program;
  std::string argument;
  Ends ends;
  /// Small enough for all classes; otherwise (unbounded spinning) random schedules must stay inside the set.
  bool reduced = true;
};

void PrintTo(const Scenario& scenario, std::ostream* stream) {
  *stream << scenario.program << ' ' << scenario.argument;
}

class Programs : public ::testing::TestWithParam<Scenario> {
 protected:
  static Ends ends(const Configuration& configuration, bool exhaustive) {
    ProgramExecutor executor(configuration);
    Ends found;
    const auto visit = [&](const Execution& execution) { found.insert(end_of(execution)); };
    if (exhaustive) {
      testing::Exhaustive(executor, visit).run();
    } else {
      Job job;
      job.continuation = Continuation::Random;
      job.max_steps = 20'000;
      for (job.seed = 0; job.seed < 200; ++job.seed) visit(executor.run(job));
    }
    return found;
  }
};

TEST_P(Programs, EndAsExpected) {
  const Scenario& scenario = GetParam();
  for (const char* family : {"gcc", "clang"}) {
    Configuration configuration = configure(family, scenario.program, {scenario.argument});
    EXPECT_EQ(ends(configuration, scenario.reduced), scenario.ends) << family;
  }
}

const Scenario kScenarios[] = {
    {"posix", "mutex", {"12", "21"}},
    {"posix", "handlers_of_two", {"12", "21"}},
    {"posix", "key_numbers", {"0", "1"}},
    {"posix", "deleted_key", {"0", "1"}},
    {"rounding", "own", {"0", "1"}},
    {"rounding", "inherited", {"down"}},
    {"rounding", "flags", {"0"}},
    {"descriptors", "pipe_order", {"12", "21"}},
    {"descriptors", "pipe_message", {"abcd", "cdab"}},
    {"descriptors", "pipe_full", {"01"}},
    {"descriptors", "pipe_full_for_ever", {"deadlock"}},
    {"descriptors", "pipe_page", {"-1"}},
    {"descriptors", "pipe_end", {"0"}},
    {"descriptors", "pipe_broken", {"-1EPIPE", "1"}},
    {"descriptors", "pipe_signal", {"signal"}},
    {"descriptors", "pipe_nonblocking", {"-1EAGAIN", "1"}},
    {"descriptors", "duplicates", {"20"}},
    {"descriptors", "sockets", {"20"}},
    {"descriptors", "counters", {"1", "2", "3"}},
    {"descriptors", "counted_semaphore", {"88-1"}},
    {"descriptors", "timers", {"10", "11"}},
    {"descriptors", "polled", {"01", "10", "11"}},
    {"descriptors", "poll_timeout", {"0", "1"}},
    {"descriptors", "poll_hangup", {"211"}},
    {"descriptors", "selected", {"01", "10", "11"}},
    {"descriptors", "outside", {"unsupported"}},
    {"descriptors", "level", {"1111"}},
    {"descriptors", "edge", {"1010"}},
    {"descriptors", "oneshot", {"1000"}},
    {"descriptors", "event_loop", {"ct", "tc"}},
    {"descriptors", "closed_entry", {"10"}},
    {"descriptors", "armed_later", {"1"}},
    {"descriptors", "pipe_in_parts", {"3"}},
    {"descriptors", "replaced", {"01"}},
    {"descriptors", "replaced_file", {"unsupported"}},
    {"descriptors", "socket_reset", {"-110"}},
    {"descriptors", "socket_shutdown", {"01-1"}},
    {"descriptors", "no_socket", {"1"}},
    {"descriptors", "other_flags", {"unsupported"}},
    {"descriptors", "counter_full", {"1"}},
    {"descriptors", "periodic", {"1", "2"}},
    {"descriptors", "minutes", {"11"}},
    {"descriptors", "minutes_of_two", {"1", "2"}},
    {"descriptors", "for_ever", {"deadlock"}},
    {"descriptors", "epoll_order", {"212"}},
    {"descriptors", "nested", {"1"}},
    {"descriptors", "queue_order", {"12", "21"}},
    {"descriptors", "queue_full", {"01"}},
    {"descriptors", "queue_full_for_ever", {"deadlock"}},
    {"descriptors", "queue_timed", {"-11", "10"}},
    {"descriptors", "queue_nonblocking", {"11"}},
    {"descriptors", "queue_names", {"1-1"}},
    {"descriptors", "queue_notify", {"unsupported"}},
    {"descriptors", "flag_set_late", {"EAGAIN", "deadlock"}},
    {"descriptors", "closed_inside", {"EBADF", "deadlock"}},
    {"descriptors", "held_end", {"1 1", "EPIPE EBADF"}},
    {"descriptors", "held_writer", {"0 EBADF", "8192 1"}},
    {"descriptors", "poll_closed", {"POLLNVAL", "deadlock"}},
    {"descriptors", "poll_replaced", {"POLLIN", "deadlock"}},
    {"descriptors", "lengths", {"EINVAL EINVAL EINVAL EINVAL EINVAL 0 0 EAGAIN 0 ECONNRESET 0"}},
    {"descriptors", "receive_nothing", {"deadlock"}},
    {"mailboxes", "order", {"12", "21"}},
    {"mailboxes", "predicate", {"21"}},
    {"mailboxes", "timeout", {"00", "01", "02", "10", "12", "20", "21"}},
    {"mailboxes", "timed_predicate", {"01", "02", "21"}},
    {"mailboxes", "variants", {"a1", "a3"}},
    {"mailboxes", "handed_over", {"7"}},
    {"mailboxes", "written_too_late", {"7"}},
    {"mailboxes", "deadlock", {"deadlock"}},
    {"mailboxes", "foreign", {"foreign-receive"}},
    {"mailboxes", "destroyed", {"use-after-destroy"}},
    {"mailboxes", "section", {"unsupported"}},
    {"posix", "trylock", {"1,1", "2,1", "12,0", "21,0"}},
    {"posix", "timedlock", {"1,1", "2,1", "12,0", "21,0"}},
    {"posix", "kinds", {"ok"}},
    {"posix", "deadlock", {"ok", "deadlock"}},
    {"posix", "double_lock", {"double-lock"}},
    {"posix", "foreign_unlock", {"foreign-unlock"}},
    {"posix", "destroy_in_use", {"destroy-in-use"}},
    {"posix", "condition", {"1"}},
    {"posix", "lost_wakeup", {"ok", "deadlock"}},
    {"posix", "several_waiters", {"12", "21", "cut"}},
    {"posix", "broadcast_two", {"2"}},
    {"posix", "timed_condition", {"1,1", "1,3", "1,7"}},
    {"posix", "rwlock", {"0", "1", "2"}},
    {"posix", "try_rwlock", {"0,1", "1,0", "1,1"}},
    {"posix", "barrier", {"1", "2"}},
    {"posix", "spin", {"12", "21"}},
    {"posix", "semaphore", {"1,0"}},
    {"posix", "named_semaphore", {"1,0"}},
    {"posix", "try_semaphore", {"0", "1"}},
    {"posix", "once", {"1"}},
    {"posix", "keys", {"3"}},
    {"posix", "thread_exit", {"5"}},
    {"posix", "joins_twice", {"double-join"}},
    {"posix", "both_join", {"double-join"}},
    {"posix", "joins_detached", {""}},
    {"posix", "detached", {"0", "1"}},
    {"posix", "main_exits", {"main"}},
    {"posix", "thread_local_data", {"9,3"}},
    {"posix", "choices", {"cut", "-1,0", "-1,2", "0,0", "0,2", "1,0", "1,2"}},
    {"posix", "atomic_section", {"2"}},
    {"posix", "lost_update", {"1", "2"}},
    {"posix", "plain", {"2"}},
    {"posix", "handlers", {"main bye"}},
    {"posix", "forks", {"unsupported"}},
    {"posix", "handles_signal", {""}},
    {"posix", "handles_sigaction", {""}},
    {"posix", "ignores_signal", {"1"}},
    {"posix", "raises", {"signal"}},
    {"posix", "kills", {"signal"}},
    {"posix", "kills_thread", {"signal"}},
    {"posix", "calls_by_number", {"unsupported"}},
    {"posix", "spawns", {"unsupported"}},
    {"posix", "polls", {""}},
    {"posix", "static_buffers", {"ok"}},
    {"posix", "timed_join", {"7,0,1", "-1,1,0", "-1,1,1"}},
    {"posix", "try_join", {"0", "1"}},
    {"posix", "null", {"ok", "signal"}},
    {"posix", "exit_3", {"ok", "exit-status"}},
    {"posix", "abort", {"ok", "abort"}},
    {"posix", "overflow", {"ok", "stack-overflow"}},
    {"c11", "", {"12,1,4", "21,1,4"}},
    {"compress", "", {"25"}},
    {"libraries", "loads", {"2"}},
    {"libraries", "finds_nothing", {"ok"}},
    {"standard", "threads", {"12", "21"}},
    {"standard", "joining", {"1", "2"}},
    {"standard", "mutexes", {"2", "11"}},
    {"standard", "shared", {"0", "1"}},
    {"standard", "conditions", {"1"}},
    {"standard", "timed_conditions", {"1", "2"}},
    {"standard", "any_conditions", {"2"}, false},
    {"standard", "futures", {"5"}},
    {"standard", "asynchronous", {"7"}},
    {"standard", "packaged", {"4"}},
    {"standard", "broken", {"1"}},
    {"standard", "latches", {"1"}},
    {"standard", "barriers", {"1"}},
    {"standard", "semaphores", {"1"}},
    {"standard", "waiting", {"1"}},
    {"standard", "thread_exits", {"0:0", "1:1", "2:0", "3:1", "4:0"}},
    {"standard", "wide", {"11,22"}},
    {"standard", "any_size", {"0hello", "1hello"}},
    {"standard", "reference", {"3"}},
    {"standard", "narrow", {"351"}},
    {"standard", "once", {"1"}},
    {"standard", "once_throws", {"2,1"}},
    {"standard", "statics", {"1"}},
    {"standard", "locals", {"11,4"}},
    {"standard", "exceptions", {"boom"}},
    {"standard", "uncaught", {"exception"}},
    {"standard", "containers", {"a1 b1 "}},
    {"standard", "pointers", {"51"}},
    {"standard", "streams", {"wepsss\n"}},
    {"standard", "handlers", {"0100", "0101", "1010", "1011"}},
};

INSTANTIATE_TEST_SUITE_P(All, Programs, ::testing::ValuesIn(kScenarios),
                         [](const auto& scenario) { return scenario.param.program + "_" + scenario.param.argument; });

TEST(Programs, MailboxesOrderWhatComesBeforeSending) {
  const std::pair<const char*, Ends> kExpected[] = {
      {"handed_over", {"7"}}, {"written_too_late", {"data race"}}, {"destroyed", {"use-after-free"}}};
  for (const auto& [scenario, ends] : kExpected)
    for (const char* family : {"gcc", "clang"}) {
      Configuration configuration = configure(family, "mailboxes", {scenario});
      configuration.settings.plain = protocol::Plain::Check;
      ProgramExecutor executor(configuration);
      std::set<std::string> found;
      testing::Exhaustive(executor, [&](const Execution& execution) { found.insert(end_of(execution)); }).run();
      EXPECT_EQ(found, ends) << family << ' ' << scenario;
    }
}

TEST(Programs, PlainAccessesAreVisibleOnRequest) {
  for (const char* family : {"gcc", "clang"}) {
    Configuration configuration = configure(family, "posix", {"plain"});
    configuration.settings.plain = protocol::Plain::Explore;
    ProgramExecutor executor(configuration);
    std::set<std::string> found;
    testing::Exhaustive(executor, [&](const Execution& execution) { found.insert(end_of(execution)); }).run();
    EXPECT_EQ(found, (Ends{"1", "2"})) << family;
  }
}

TEST(Programs, WaitsMayEndForNoReasonOnRequest) {
  Configuration configuration = configure("gcc", "posix", {"lost_wakeup"});
  configuration.settings.spurious_wakeups = true;
  ProgramExecutor executor(configuration);
  std::set<std::string> found;
  testing::Exhaustive(executor, [&](const Execution& execution) { found.insert(end_of(execution)); }).run();
  EXPECT_EQ(found, Ends{"ok"}) << "no wake-up is lost where every wait may end by itself";
}

/// All interleavings, unless there are too many.
struct TooMany {};

class NaiveSearch : public ::testing::TestWithParam<Scenario> {};

TEST_P(NaiveSearch, FindsTheSameEnds) {
  const Scenario& scenario = GetParam();
  if (!scenario.reduced) GTEST_SKIP() << "spins without bound";
  ProgramExecutor executor(configure("gcc", scenario.program, {scenario.argument}));
  Ends found;
  std::size_t executions = 0;
  const std::size_t limit = scenario.program == "descriptors" ? 60'000 : 1'500;
  testing::Exhaustive search(
      executor,
      [&](const Execution& execution) {
        found.insert(end_of(execution));
        if (++executions == limit) throw TooMany();
      },
      false);
  try {
    search.run();
  } catch (const TooMany&) {
    // What was found must still be expected; random schedules and sleep sets cover the rest.
    for (const std::string& end : found) EXPECT_TRUE(scenario.ends.contains(end)) << end;
    GTEST_SKIP() << "more than " << limit << " interleavings";
  }
  EXPECT_EQ(found, scenario.ends);
}

INSTANTIATE_TEST_SUITE_P(All, NaiveSearch, ::testing::ValuesIn(kScenarios),
                         [](const auto& scenario) { return scenario.param.program + "_" + scenario.param.argument; });

TEST(Programs, TheEndOfMainMayEndTheProcess) {
  Configuration configuration = configure("gcc", "posix", {"detached"});
  ProgramExecutor threads(configuration);
  Job job;
  EXPECT_EQ(threads.run(job).pending.size(), 0U) << "by default every thread runs to its end";
  configuration.settings.exit = protocol::Exit::Process;
  ProgramExecutor process(configuration);
  EXPECT_EQ(process.run(job).outcome, Outcome::Finished);
  EXPECT_EQ(process.run(job).pending.size(), 1U) << "the other thread has not even started";
}

TEST(Programs, WarnsOfThreadsLeftBehind) {
  ProgramExecutor exits(configure("gcc", "posix", {"main_exits"}));
  EXPECT_EQ(exits.run({}).warnings, kWarnNotJoined);
  ProgramExecutor executor(configure("gcc", "posix", {"main_returns"}));
  EXPECT_EQ(executor.run({}).warnings, kWarnNotJoined | kWarnMainReturned);
  ASSERT_EQ(executor.warnings().all().size(), 2U);
  for (const CountedWarning& counted : executor.warnings().all()) {
    EXPECT_EQ(executor.processes().path(counted.first.unjoined), "0.1");
    EXPECT_EQ(counted.first.unjoined_count, 1U);
    EXPECT_EQ(executor.processes().path(counted.first.left_running), "0.1");
  }
  executor.run({});
  for (const CountedWarning& counted : executor.warnings().all()) EXPECT_EQ(counted.executions, 2U);
  ProgramExecutor joined(configure("gcc", "posix", {"mutex"}));
  EXPECT_EQ(joined.run({}).warnings, 0U);
  EXPECT_TRUE(joined.warnings().all().empty());
}

TEST(Programs, DeadlocksSayWhoWaitsForWhom) {
  ProgramExecutor executor(configure("gcc", "posix", {"deadlock"}));
  std::set<std::string> waits;
  testing::Exhaustive(executor, [&](const Execution& execution) {
    if (execution.outcome != Outcome::Deadlock) return;
    for (const Offer& offer : execution.pending)
      waits.insert(fmt::format("{} {} {}", executor.processes().path(offer.process), name(offer.operation.kind),
                               offer.holder == kNoProcess ? "-" : executor.processes().path(offer.holder)));
  }).run();
  EXPECT_EQ(waits, (std::set<std::string>{"0 join -", "0.1 lock 0.2", "0.2 lock 0.1"}));
}

}  // namespace
}  // namespace mazurka::program
