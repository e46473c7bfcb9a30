// Executions resumed from a checkpoint equal those that start at main, byte for byte.
#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "core/serial_executor.hpp"
#include "program/executor.hpp"
#include "program/names.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

struct Enough {};

/// Runs everything twice, with checkpoints and without.
class Twins : public SerialExecutor {
 public:
  Twins(const Configuration& configuration, int limit)
      : quick_(with(configuration, 1)), plain_(with(configuration, 0)), left_(limit) {}

  std::size_t process_count() const override { return quick_.process_count(); }

  ProgramExecutor& quick() { return quick_; }
  std::uint64_t resumed() const { return resumed_; }

 protected:
  void execute(const Job& job, Execution& quick) override {
    if (left_-- == 0) throw Enough{};  // never, if negative
    quick_.run(job, quick);
    resumed_ += quick_.worker().channel().resumed;
    plain_.run(job, from_main_);
    EXPECT_EQ(bytes_of(quick), bytes_of(from_main_)) << describe_both(quick, from_main_);
    if (::testing::Test::HasFailure()) throw Enough{};
  }

 private:
  static Configuration with(Configuration configuration, std::uint32_t checkpoints) {
    configuration.settings.checkpoints = checkpoints;
    return configuration;
  }
  std::string describe_both(const Execution& quick, const Execution& plain) {
    const ProgramNames names(quick_);
    std::string text = fmt::format("{} {} / {} {}\n", name(quick.outcome), testing::failure_key(quick),
                                   name(plain.outcome), testing::failure_key(plain));
    for (std::size_t i = 0; i < std::max(quick.events.size(), plain.events.size()); ++i) {
      const auto line = [&](const Execution& execution) {
        if (i >= execution.events.size()) return std::string("-");
        const Event& event = execution.events[i];
        return fmt::format("{}.{} {} = {} at {}", event.process, event.alternative, names.describe(event.operation, {}),
                           event.observed(), event.site);
      };
      text += fmt::format("{:>3} {:<50} {}\n", i, line(quick), line(plain) == line(quick) ? "" : line(plain));
    }
    return text;
  }

  ProgramExecutor quick_;
  ProgramExecutor plain_;
  Execution from_main_;
  int left_;
  std::uint64_t resumed_ = 0;
};

class Checkpoints : public ::testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  /// With and without the race detector.
  template <class Body>
  static void with_and_without_detector(Body body) {
    const auto [program, scenario] = GetParam();
    for (const protocol::Plain plain : {protocol::Plain::Ignore, protocol::Plain::Check}) {
      const bool is_built_twice = std::string_view(program) == "races" || std::string_view(program) == "memory";
      Configuration configuration = configure(is_built_twice ? "gcc-O0" : "gcc", program, {scenario});
      configuration.settings.plain = plain;
      body(configuration);
      if (HasFailure()) FAIL() << (plain == protocol::Plain::Check ? "with the race detector" : "without it");
    }
  }
};

TEST_P(Checkpoints, ChangeNothingInASearch) {
  with_and_without_detector([](const Configuration& configuration) {
    Twins twins(configuration, 1000);
    try {
      testing::Exhaustive(
          twins, [](const Execution&) {}, false)
          .run();
    } catch (const Enough&) {
    }
    EXPECT_GT(twins.resumed(), 0U) << "there was nothing to compare";
  });
}

/// Random jobs, each with a part of the previous schedule as prefix, and with everything that a job can ask for.
TEST_P(Checkpoints, ChangeNothingInRandomJobs) {
  with_and_without_detector([](const Configuration& configuration) {
    std::mt19937_64 random(7);
    const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
    Twins twins(configuration, -1);
    Execution execution;
    Job job;
    for (int i = 0; i < 600 && !HasFailure(); ++i) {
      const std::vector<Event>& last = execution.events;
      const std::size_t shared =
          below(4) == 0 ? below(last.size() + 1) : last.size() - below(std::min<std::size_t>(last.size(), 5));
      job.prefix.clear();
      for (std::size_t j = 0; j < shared; ++j) job.prefix.push_back(last[j].step());
      job.sleep.clear();
      if (shared < last.size() && below(3) == 0) job.sleep.push_back({last[shared].step(), last[shared].operation});
      job.seed = random();
      job.continuation = static_cast<Continuation>(below(6));
      job.guidance.change_count = static_cast<std::uint32_t>(below(4));
      for (std::uint32_t& change : job.guidance.changes) change = static_cast<std::uint32_t>(below(40));
      job.guidance.aim_count = last.empty() ? 0 : static_cast<std::uint32_t>(below(4));
      for (Aim& aim : job.guidance.aims)
        if (!last.empty()) {
          const Event& reader = last[below(last.size())];
          aim = {{reader.operation.object, last[below(last.size())].site, reader.site}, below(2) == 0};
        }
      job.max_steps = below(4) == 0 ? shared + below(10) : 2000;
      if (i % 100 == 99) kill(twins.quick().worker().process(), SIGKILL);
      twins.run(job, execution);
    }
    EXPECT_GT(twins.resumed(), 0U) << "there was nothing to compare";
  });
}

using Program = std::pair<const char*, const char*>;
INSTANTIATE_TEST_SUITE_P(
    All, Checkpoints,
    ::testing::Values(Program{"posix", "mutex"}, Program{"posix", "several_waiters"},
                      Program{"posix", "timed_condition"}, Program{"posix", "rwlock"}, Program{"posix", "keys"},
                      Program{"posix", "thread_exit"}, Program{"standard", "threads"},
                      Program{"standard", "conditions"}, Program{"standard", "futures"},
                      Program{"standard", "exceptions"}, Program{"standard", "containers"},
                      Program{"standard", "streams"}, Program{"races", "third_thread"}, Program{"races", "two_readers"},
                      Program{"races", "relaxed_publication"}, Program{"races", "fenced_publication"},
                      Program{"races", "release_sequence"}, Program{"races", "double_checked"},
                      Program{"races", "double_checked_atomic"}, Program{"memory", "before_free_elsewhere"}),
    [](const auto& program) { return std::string(program.param.first) + "_" + program.param.second; });

}  // namespace
}  // namespace mazurka::program
