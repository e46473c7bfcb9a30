#include "waiting/loop_runs.hpp"

#include <exception>

#include <fmt/format.h>

#include "core/listener.hpp"
#include "dpor/explore.hpp"
#include "support/forwarding.hpp"
#include "unfolding/explorer.hpp"
#include "walk/random.hpp"

namespace mazurka::waiting {
namespace {

/// No execution without endless loops is that long.
constexpr std::uint64_t kMostSteps = 400;

class Watcher final : public testing::Forwarding {
 public:
  explicit Watcher(Executor& inner, Findings& run) : Forwarding(inner), found_(run) {}

 private:
  void seen(const Job& job, Execution& execution) override {
    if (job.continuation == Continuation::Stop || execution.outcome == Outcome::SleepBlocked) return;
    ++found_.outcomes[std::string(mazurka::name(execution.outcome))];
    switch (execution.outcome) {
      case Outcome::Finished: found_.ends.insert(execution.output); break;
      case Outcome::Deadlock:
        if (!found_.deadlock) found_.deadlock = execution;
        break;
      case Outcome::Cut: break;
      default:
        found_.wrong = fmt::format("  an execution ends with {} ({})\n", mazurka::name(execution.outcome),
                                   mazurka::name(execution.failure.kind));
    }
  }

  Findings& found_;
};

class Starter final : public Listener {
 public:
  explicit Starter(Findings& run, bool goes_on = false) : found_(run), goes_on_(goes_on) {}
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  void on_new_beginning() override { found_ = {}; }
  bool on_progress(const Statistics&) override { return goes_on_ || found_.wrong.empty(); }

 private:
  Findings& found_;
  bool goes_on_;  ///< whatever is found
};

void explore(Watcher& watcher, Explorer explorer, std::uint64_t most, Findings& run) {
  Starter listener(run);
  if (explorer == Explorer::Random) {
    mazurka::walk::explore_random(watcher, {1, most, kMostSteps}, listener);
    return;
  }
  bool complete = false;
  Statistics statistics;
  if (explorer == Explorer::Unfolding) {
    unfolding::Options options;
    options.max_executions = most;
    options.max_steps = kMostSteps;
    const unfolding::Result result = unfolding::Explorer(watcher, options).run(listener);
    complete = result.complete;
    statistics = result.statistics;
  } else {
    dpor::Options options;
    options.max_executions = most;
    options.max_steps = kMostSteps;
    options.algorithm = explorer == Explorer::Source      ? dpor::Algorithm::Source
                        : explorer == Explorer::Observers ? dpor::Algorithm::Observers
                                                          : dpor::Algorithm::Optimal;
    const dpor::Result result = dpor::explore(watcher, options, listener);
    complete = result.complete;
    statistics = result.statistics;
  }
  run.blocked = statistics.blocked;
  run.large = statistics.executions + statistics.blocked + statistics.cut >= most;
  if (!complete && !run.large && run.wrong.empty()) run.wrong = "  it is not complete\n";
}

}  // namespace

std::string name(const Mode& mode) {
  constexpr const char* kModes[] = {"ignore", "explore", "check"};
  return fmt::format("--plain={} --isolation={} --checkpoints={}", kModes[static_cast<int>(mode.plain)],
                     mode.isolation == protocol::Isolation::Memory ? "memory" : "fork", mode.checkpoints);
}

std::string name(Explorer explorer) {
  constexpr const char* kNames[] = {"optimal", "source", "observers", "unfolding", "random"};
  return kNames[static_cast<int>(explorer)];
}

program::Configuration configure(const std::string& binary, const Program& program, const Mode& mode) {
  program::Configuration configuration;
  configuration.binary = binary;
  configuration.arguments = {std::to_string(program.number)};
  configuration.settings.plain = mode.plain;
  configuration.settings.isolation = mode.isolation;
  configuration.settings.checkpoints = mode.checkpoints;
  return configuration;
}

Findings explore(program::ProgramExecutor& executor, Explorer explorer, std::uint64_t most_executions) {
  Findings run;
  Watcher watcher(executor, run);
  try {
    explore(watcher, explorer, most_executions, run);
  } catch (const std::exception& error) {
    run.wrong = fmt::format("  {}\n", error.what());
  }
  return run;
}

Findings walk(program::ProgramExecutor& executor, std::uint64_t walks) {
  Findings found;
  Watcher watcher(executor, found);
  Starter listener(found, true);
  mazurka::walk::explore_random(watcher, {1, walks, 60}, listener);
  return found;
}

std::string differences(const Behaviour& expected, const Findings& run, Explorer explorer) {
  const bool all = explorer != Explorer::Random && !run.large && run.wrong.empty();
  std::string text = run.wrong;
  for (const std::string& end : run.ends)
    if (!expected.ends.contains(end)) text += fmt::format("  impossible: {}\n", end);
  for (const std::string& end : expected.ends)
    if (all && !run.ends.contains(end)) text += fmt::format("  lost: {}\n", end);
  if (run.deadlock && !expected.deadlock) text += "  a deadlock that is none\n";
  if (all && !run.deadlock && expected.deadlock) text += "  a deadlock is lost\n";
  if (explorer != Explorer::Source && run.blocked != 0)
    text += fmt::format("  {} executions are blocked\n", run.blocked);
  return text;
}

}  // namespace mazurka::waiting
