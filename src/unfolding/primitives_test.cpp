// Programs for each primitive of POSIX and of C++: the maximal configurations are the classes of executions that a
// search with sleep sets finds, which tries every step of every state.
#include <set>

#include <gtest/gtest.h>

#include "core/foata.hpp"
#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka::unfolding {
namespace {

using testing::ClassRecorder;
using testing::Silent;
using Classes = std::set<FoataForm>;

class Primitives : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Primitives, EveryClassOnce) {
  const auto& [program, argument] = GetParam();
  for (const bool plain : {false, true}) {
    // What the standard library does plainly is too much for a search without reduction.
    if (plain && (program != std::string("posix"))) continue;
    // Unwinding a stack reads and writes what the compiler's runtime keeps for itself, not the same every time.
    if (plain && argument == std::string("thread_exit")) continue;
    program::Configuration configuration = program::configure("gcc", program, {argument});
    if (plain) configuration.settings.plain = protocol::Plain::Explore;
    program::ProgramExecutor executor(configuration);
    Classes expected;
    const auto visit = [&](const Execution& execution) { expected.insert(foata_normal_form(execution.events)); };
    testing::Exhaustive(executor, visit).run();
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}, Alternatives::kOptimal}) {
      ClassRecorder recorder(executor);
      Silent listener;
      Options options;
      options.alternatives = k;
      const Result result = Explorer(recorder, options).run(listener);
      EXPECT_TRUE(result.complete) << "k = " << k;
      EXPECT_EQ(recorder.classes, expected) << "k = " << k << ", plain " << plain;
      EXPECT_FALSE(recorder.repeated) << "k = " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Primitives,
    ::testing::Values(
        std::pair{"posix", "mutex"}, std::pair{"posix", "trylock"}, std::pair{"posix", "timedlock"},
        std::pair{"posix", "kinds"}, std::pair{"posix", "deadlock"}, std::pair{"posix", "condition"},
        std::pair{"posix", "lost_wakeup"}, std::pair{"posix", "several_waiters"}, std::pair{"posix", "broadcast_two"},
        std::pair{"posix", "timed_condition"}, std::pair{"posix", "rwlock"}, std::pair{"posix", "try_rwlock"},
        std::pair{"posix", "barrier"}, std::pair{"posix", "spin"}, std::pair{"posix", "semaphore"},
        std::pair{"posix", "try_semaphore"}, std::pair{"posix", "once"}, std::pair{"posix", "keys"},
        std::pair{"posix", "thread_exit"}, std::pair{"posix", "detached"}, std::pair{"posix", "choices"},
        std::pair{"posix", "atomic_section"}, std::pair{"posix", "lost_update"}, std::pair{"posix", "plain"},
        std::pair{"standard", "threads"}, std::pair{"standard", "joining"}, std::pair{"standard", "mutexes"},
        std::pair{"standard", "shared"}, std::pair{"standard", "conditions"}, std::pair{"standard", "timed_conditions"},
        std::pair{"standard", "futures"}, std::pair{"standard", "latches"}, std::pair{"standard", "wide"},
        std::pair{"standard", "any_size"}, std::pair{"standard", "once"}, std::pair{"standard", "statics"}),
    [](const auto& test) { return std::string(test.param.first) + "_" + test.param.second; });

}  // namespace
}  // namespace mazurka::unfolding
