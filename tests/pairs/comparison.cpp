#include "pairs/comparison.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

#include "dpor/explore.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"
#include "walk/naive.hpp"
#include "walk/random.hpp"

namespace mazurka::pairs {
namespace {

constexpr std::uint64_t kWalks = 50;

template <class Set>
std::string difference(const Set& expected, const Set& found, bool all) {
  std::string text;
  if (all)
    for (const std::string& each : expected)
      if (!found.contains(each)) text += "  lost: " + each + '\n';
  for (const std::string& each : found)
    if (!expected.contains(each)) text += "  not among all interleavings: " + each + '\n';
  return text;
}

/// A data race or a use of freed memory ends an execution in the middle of a step, which then tells nothing of how its
/// thread would have gone on, although its order with the other use is all that is wrong. A program with undefined
/// behaviour must be found out; what else it could do is not looked for.
bool is_undefined(const Outcomes& expected) {
  return expected.errors.contains("data race") || expected.errors.contains("use-after-free") ||
         expected.errors.contains("double-free");
}

/// A planned step that fails ends an execution before the others have gone on. Where the end of the process races with
/// everything, what they would have done before it is then not seen; that the program fails is.
bool hides_others(const program::ProgramExecutor& executor, const Outcomes& expected) {
  const auto is_failure = [](const std::string& kind) { return kind != "deadlock"; };
  return executor.configuration().settings.exit == protocol::Exit::Process &&
         std::any_of(expected.errors.begin(), expected.errors.end(), is_failure);
}

/// Runs the explorer and returns whether it claims to have seen everything without doing anything twice.
std::string explore(Watcher& watcher, Explorer explorer) {
  Forgetting listener(watcher);
  switch (explorer) {
    case Explorer::Random: walk::explore_random(watcher, {1, kWalks, UINT64_MAX}, listener); return "";
    case Explorer::Unfolding: {
      const unfolding::Result result = unfolding::Explorer(watcher, {}).run(listener);
      if (!result.complete) return "  it is not complete\n";
      return result.statistics.blocked == 0 ? "" : "  executions are blocked\n";
    }
    default: {
      dpor::Options options;
      options.algorithm = explorer == Explorer::Source      ? dpor::Algorithm::Source
                          : explorer == Explorer::Observers ? dpor::Algorithm::Observers
                                                            : dpor::Algorithm::Optimal;
      const dpor::Result result = dpor::explore(watcher, options, listener);
      if (!result.complete) return "  it is not complete\n";
      return explorer == Explorer::Source || result.statistics.blocked == 0 ? "" : "  executions are blocked\n";
    }
  }
}

/// Notes why the program was refused.
class Refusals final : public Listener {
 public:
  explicit Refusals(Watcher& watcher) : forgetting_(watcher) {}
  bool on_error(const Execution& execution, std::uint64_t) override {
    if (execution.outcome == Outcome::Unsupported) refused = execution.failure.words();
    return true;
  }
  bool on_progress(const Statistics&) override { return refused.empty(); }
  void on_new_beginning() override { forgetting_.on_new_beginning(); }

  std::string refused;

 private:
  Forgetting forgetting_;
};

}  // namespace

std::string name(const Mode& mode) {
  constexpr const char* kPlain[] = {"ignore", "explore", "check"};
  return fmt::format("--plain={} --exit={}{}", kPlain[static_cast<int>(mode.plain)],
                     mode.exit == protocol::Exit::Threads ? "threads" : "process",
                     mode.spurious_wakeups ? " --spurious-wakeups" : "");
}

std::vector<Mode> all_modes() {
  std::vector<Mode> modes;
  for (const bool spurious : {false, true})
    for (const auto exit : {protocol::Exit::Threads, protocol::Exit::Process})
      for (const auto plain : {protocol::Plain::Check, protocol::Plain::Explore, protocol::Plain::Ignore})
        modes.push_back({plain, exit, spurious});
  return modes;
}

std::string name(const Repetition& repetition) {
  return fmt::format("--isolation={} --checkpoints={}",
                     repetition.isolation == protocol::Isolation::Memory ? "memory" : "fork", repetition.checkpoints);
}

std::string name(Explorer explorer) {
  constexpr const char* kNames[] = {"optimal", "source", "observers", "unfolding", "random"};
  return kNames[static_cast<int>(explorer)];
}

program::Configuration configure(const std::string& binary, std::size_t number, const Mode& mode,
                                 const Repetition& repetition) {
  program::Configuration configuration;
  configuration.binary = binary;
  configuration.arguments = {std::to_string(number)};
  configuration.settings.plain = mode.plain;
  configuration.settings.exit = mode.exit;
  configuration.settings.spurious_wakeups = mode.spurious_wakeups;
  configuration.settings.isolation = repetition.isolation;
  configuration.settings.checkpoints = repetition.checkpoints;
  return configuration;
}

std::optional<Outcomes> all_interleavings(program::ProgramExecutor& executor, std::size_t limit) {
  Outcomes outcomes;
  std::size_t count = 0;
  const bool complete = walk::NaiveSearch(executor, {}).run([&](const Execution& execution) {
    outcomes.add(execution);
    return ++count <= limit;
  });
  return complete ? std::optional(std::move(outcomes)) : std::nullopt;
}

namespace {

/// What is learnt of waits decides what a step is, and which executions are cut for an assumption. The classes, and how
/// executions that are cut end, are those of all interleavings that know it; all else must not depend on it.
Outcomes with_waits(program::ProgramExecutor& executor, const Outcomes& expected) {
  if (executor.version() == 0) return expected;
  const auto is_cut = [](const std::string& end) { return end.starts_with(mazurka::name(Outcome::Cut)); };
  Outcomes known = *all_interleavings(executor, SIZE_MAX);
  std::erase_if(known.ends, [&](const std::string& end) { return !is_cut(end); });
  std::copy_if(expected.ends.begin(), expected.ends.end(), std::inserter(known.ends, known.ends.end()),
               [&](const std::string& end) { return !is_cut(end); });
  known.errors = expected.errors;
  return known;
}

}  // namespace

std::string compare(program::ProgramExecutor& executor, Explorer explorer, const Outcomes& all_steps) {
  Watcher watcher(executor);
  std::string text;
  try {
    text = explore(watcher, explorer);
  } catch (const std::exception& error) {
    return fmt::format("  {}\n", error.what());
  }
  const Outcomes& found = watcher.outcomes;
  const Outcomes expected = with_waits(executor, all_steps);
  const bool undefined = is_undefined(expected);
  if (undefined) text.clear();  // where a race decides what a step does, it need not do the same again
  const bool all = explorer != Explorer::Random && !undefined;
  if (undefined && explorer != Explorer::Random && found.errors.empty()) text += "  no error is found\n";
  const bool whole = all && !hides_others(executor, expected);
  text += difference(expected.ends, found.ends, whole);
  text += difference(expected.errors, found.errors, all);
  if (!whole || explorer == Explorer::Observers) return text;
  if (found.classes != expected.classes)
    text += fmt::format("  {} classes instead of {}\n", found.classes.size(), expected.classes.size());
  if (found.executions != found.classes.size())
    text += fmt::format("  {} classes in {} executions\n", found.classes.size(), found.executions);
  return text;
}

std::optional<std::string> compare_states(program::Configuration configuration, const Outcomes& expected,
                                          bool compares_output) {
  configuration.settings.keeps_states = true;
  program::ProgramExecutor executor(configuration);
  Watcher watcher(executor);
  Refusals listener(watcher);
  unfolding::Options options;
  options.cutoffs = true;
  unfolding::Result result;
  try {
    result = unfolding::Explorer(watcher, options).run(listener);
  } catch (const std::exception& error) {
    return fmt::format("  {}\n", error.what());
  }
  // Where a race decides what a step does, its effect varies.
  const bool varies = listener.refused.starts_with("the effect of the last step");
  if (varies && !is_undefined(expected)) return "  " + listener.refused + '\n';
  if (!listener.refused.empty()) return std::nullopt;
  Outcomes& found = watcher.outcomes;
  if (is_undefined(expected)) return found.errors.empty() ? "  no error is found\n" : "";
  std::string text = result.complete ? "" : "  it is not complete\n";
  if (result.statistics.blocked != 0) text += "  executions are blocked\n";
  const auto is_cut = [](const std::string& end) { return end.starts_with(mazurka::name(Outcome::Cut)); };
  std::erase_if(found.ends, is_cut);
  const auto has_deadlock = [](const Outcomes& outcomes) {
    return std::any_of(outcomes.ends.begin(), outcomes.ends.end(),
                       [](const std::string& end) { return end.starts_with(mazurka::name(Outcome::Deadlock)); });
  };
  if (has_deadlock(expected) && !has_deadlock(found)) text += "  no deadlock is found\n";
  if (compares_output) text += difference(expected.ends, found.ends, false);
  return text + difference(expected.errors, found.errors, true);
}

}  // namespace mazurka::pairs
