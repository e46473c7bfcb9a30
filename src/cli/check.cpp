// mazurka check: explore the executions of a system.
#include <cstdio>
#include <set>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/system.hpp"
#include "core/listener.hpp"
#include "dpor/exploration.hpp"
#include "report/json.hpp"
#include "report/schedule_file.hpp"
#include "report/text.hpp"
#include "unfolding/dot.hpp"
#include "unfolding/exploration.hpp"
#include "walk/naive.hpp"
#include "walk/random.hpp"

namespace mazurka::cli {
namespace {

struct Options {
  SystemOptions system;
  std::string algorithm = "optimal";
  std::uint64_t max_executions = 0;  // 0: the algorithm's own default
  std::uint64_t max_steps = 1'000'000;
  double time_limit = 0;
  std::uint64_t seed = 1;
  bool keep_going = false;
  std::string save;
  std::string alternatives = "optimal";
  bool keep_events = false;
  std::string dot;
};

/// Collects errors, shows progress, and stops when it is time.
class CheckListener final : public Listener {
 public:
  CheckListener(const Context& context, const Options& options, const Executor& executor)
      : options_(options), executor_(executor), progress_(!context.quiet && !context.json) {}

  bool on_error(const Execution& execution, std::uint64_t) override {
    // The same failure in another interleaving is the same bug.
    if (seen_.insert(execution.error_kind + execution.message + report::waiting(executor_, execution)).second)
      found_.push_back(execution);
    return options_.keep_going;
  }

  bool on_progress(const Statistics& s) override {
    if (progress_.due()) {
      const double seconds = seconds_since_start();
      progress_.show(fmt::format("{} executions, {}/s, blocked {}, cut {}, errors {}, depth {}", grouped(s.executions),
                                 grouped(static_cast<unsigned long long>(s.executions_per_second(seconds))),
                                 grouped(s.blocked), grouped(s.cut), grouped(s.errors), s.max_depth));
    }
    return options_.time_limit <= 0 || seconds_since_start() < options_.time_limit;
  }

  void finish() { progress_.clear(); }
  const std::vector<Execution>& found() const { return found_; }

  /// The verdict of the whole exploration, `complete` being whether it saw everything.
  Result result(bool complete) const {
    for (const Execution& execution : found_) {
      if (execution.outcome == Outcome::Diverged) return Result::Nondeterminism;
      if (execution.outcome == Outcome::Unsupported) return Result::Unsupported;
    }
    if (!found_.empty()) return Result::Bug;
    return complete ? Result::Ok : Result::Incomplete;
  }

 private:
  const Options& options_;
  const Executor& executor_;
  Progress progress_;
  std::set<std::string> seen_;
  std::vector<Execution> found_;
};

struct Exploration {
  Statistics statistics;
  bool complete = false;
  std::vector<std::pair<std::string, std::uint64_t>> details;  ///< of the algorithm, for --stats
};

Exploration explore_unfolding(const Options& options, Executor& executor, Listener& listener) {
  unfolding::Options unfolding;
  if (options.alternatives != "optimal") unfolding.alternatives = std::stoul(options.alternatives);
  unfolding.keep_events = options.keep_events || !options.dot.empty();
  if (options.max_executions != 0) unfolding.max_executions = options.max_executions;
  unfolding.max_steps = options.max_steps;
  unfolding::Exploration exploration(executor, unfolding);
  const unfolding::Result result = exploration.run(listener);
  if (!options.dot.empty()) write_output(options.dot, unfolding::dot(exploration.events(), executor));
  const auto microseconds = [](double seconds) { return static_cast<std::uint64_t>(seconds * 1e6); };
  Exploration answer{result.statistics,
                     result.complete,
                     {{"unfolding_events", result.events_added},
                      {"peak_events", result.peak_events},
                      {"silent_ends", result.silent_ends},
                      {"clean_ups", result.clean_ups},
                      {"probes", result.probes},
                      {"alternatives_computed", result.comb.computed},
                      {"alternatives_found", result.comb.found},
                      {"comb_spikes", result.comb.spikes},
                      {"comb_spike_events", result.comb.spike_size},
                      {"comb_largest_spike", result.comb.largest_spike},
                      {"microseconds_executing", microseconds(result.seconds_executing)},
                      {"microseconds_adding_events", microseconds(result.seconds_adding)},
                      {"microseconds_conflicting_extensions", microseconds(result.seconds_extending)},
                      {"microseconds_alternatives", microseconds(result.seconds_alternatives)}}};
  for (std::size_t i = 0; i < result.causality_distances.size(); ++i)
    answer.details.emplace_back(fmt::format("causality_distance_{}", i), result.causality_distances[i]);
  for (std::size_t i = 0; i < result.conflict_distances.size(); ++i)
    answer.details.emplace_back(fmt::format("conflict_distance_{}", i), result.conflict_distances[i]);
  return answer;
}

Exploration explore(const Options& options, Executor& executor, Listener& listener) {
  if (options.algorithm == "unfolding") return explore_unfolding(options, executor, listener);
  if (options.algorithm == "source" || options.algorithm == "optimal") {
    dpor::Options dpor;
    dpor.algorithm = options.algorithm == "source" ? dpor::Algorithm::Source : dpor::Algorithm::Optimal;
    if (options.max_executions != 0) dpor.max_executions = options.max_executions;
    dpor.max_steps = options.max_steps;
    const dpor::Result result = dpor::Exploration(executor, dpor).run(listener);
    return {result.statistics,
            result.complete,
            {{"races", result.races}, {"planned_steps", result.planned}, {"probes", result.probes}}};
  }
  if (options.algorithm == "naive") {
    walk::NaiveOptions naive;
    if (options.max_executions != 0) naive.max_executions = options.max_executions;
    naive.max_steps = options.max_steps;
    const walk::NaiveResult result = walk::explore_naive(executor, naive, listener);
    return {result.statistics, result.complete, {}};
  }
  walk::RandomOptions random;
  random.seed = options.seed;
  random.max_steps = options.max_steps;
  if (options.max_executions != 0) random.executions = options.max_executions;
  return {walk::explore_random(executor, random, listener), false, {}};
}

/// Saves the n-th error where --save says, as FILE.mzk, FILE-2.mzk, …, and returns the command that runs it again.
std::string save(const Options& options, const std::string& hash, const Executor& executor, const Execution& execution,
                 std::size_t n) {
  if (options.save.empty()) return "";
  std::string file = options.save;
  if (n > 0) {
    const std::size_t dot = file.ends_with(".mzk") ? file.size() - 4 : file.size();
    file.insert(dot, fmt::format("-{}", n + 1));
  }
  report::ScheduleFile schedule;
  schedule.system = options.system.input;
  schedule.arguments = options.system.arguments;
  schedule.options = options.system.to_lines();
  schedule.hash = hash;
  schedule.error = execution.error_kind;
  schedule.steps = report::entries(executor, execution);
  write_output(file, report::write_schedule(schedule));
  return fmt::format("mazurka replay {}", file);
}

void print_text(const Context& context, const Executor& executor, const CheckListener& listener,
                const Exploration& exploration, const std::vector<std::string>& replays) {
  for (std::size_t i = 0; i < listener.found().size(); ++i) {
    fmt::print("{}", report::text(executor, listener.found()[i]));
    fmt::print("\n{}\n\n", replays[i].empty() ? "add --save bug.mzk to keep this schedule for `mazurka replay`"
                                              : "replay it with: " + replays[i]);
  }
  if (context.quiet) return;
  const Statistics& s = exploration.statistics;
  if (listener.found().empty())
    fmt::print("{}\n", exploration.complete ? "ok: every execution was explored and none fails"
                                            : "incomplete: no bug found, but not every execution was explored");
  fmt::print("executions {}, blocked {}, cut {}, errors {}\n", grouped(s.executions), grouped(s.blocked),
             grouped(s.cut), grouped(s.errors));
  if (!context.stats) return;
  for (const auto& [key, value] : exploration.details) fmt::print("{} {}\n", key, grouped(value));
  fmt::print("{} events, longest execution {}, {:.2f} s, {} executions per second, peak memory {} MiB\n",
             grouped(s.events), s.max_depth, seconds_since_start(),
             grouped(static_cast<unsigned long long>(s.executions_per_second(seconds_since_start()))),
             peak_rss_kib() / 1024);
}

void print_json(const Executor& executor, const CheckListener& listener, const Exploration& exploration,
                const std::vector<std::string>& replays) {
  const Statistics& s = exploration.statistics;
  auto answer = json_frame(listener.result(exploration.complete));
  answer["executions"] = s.executions;
  answer["blocked"] = s.blocked;
  answer["cut"] = s.cut;
  answer["events"] = s.events;
  answer["executions_per_second"] = s.executions_per_second(seconds_since_start());
  for (const auto& [key, value] : exploration.details) answer[key] = value;
  auto& errors = answer["errors"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < listener.found().size(); ++i)
    errors.push_back(report::json(executor, listener.found()[i], replays[i]));
  fmt::print("{}\n", answer.dump());
}

void run(const Options& options, Context& context) {
  const std::unique_ptr<System> system = load_system(options.system);
  Executor& executor = system->executor();
  CheckListener listener(context, options, executor);
  const Exploration exploration = explore(options, executor, listener);
  listener.finish();
  std::vector<std::string> replays;
  for (std::size_t i = 0; i < listener.found().size(); ++i)
    replays.push_back(save(options, system->hash(), executor, listener.found()[i], i));
  if (context.json) {
    print_json(executor, listener, exploration, replays);
  } else {
    print_text(context, executor, listener, exploration, replays);
  }
  // A proof that rests on a condition which nothing checks must say so.
  if (!context.json && !context.quiet && system->is_program() && options.system.plain == "check" &&
      listener.result(exploration.complete) == Result::Ok)
    fmt::print(
        "note: this holds if the program has no data race, which is not checked yet; --plain=explore needs no such "
        "condition\n");
  context.exit_code = exit_code(listener.result(exploration.complete));
}

}  // namespace

void register_check(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "check", "Explore the executions of a system");
  auto options = std::make_shared<Options>();
  add_system_options(*command, options->system);
  command
      ->add_option("--algorithm", options->algorithm,
                   "optimal, source, unfolding: every class of equivalent executions; random: random walks; "
                   "naive: every interleaving")
      ->check(CLI::IsMember({"optimal", "source", "unfolding", "random", "naive"}))
      ->capture_default_str();
  command
      ->add_option("--alternatives", options->alternatives,
                   "Of the unfolding: optimal, or a number K for K-partial alternatives")
      ->check([](const std::string& text) {
        const bool number =
            !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
        return text == "optimal" || (number && std::stoul(text) > 0) ? "" : "give `optimal` or a number above 0";
      })
      ->capture_default_str();
  command->add_flag("--keep-events", options->keep_events,
                    "Of the unfolding: forget no event, so that unfolding_events counts the distinct ones");
  command->add_option("--dot", options->dot, "Of the unfolding: draw its events for Graphviz (implies --keep-events)");
  command->add_option("--max-executions", options->max_executions,
                      "Stop after this many executions (random: 10000 unless said otherwise)");
  command->add_option("--max-steps", options->max_steps, "Cut an execution after this many steps")
      ->capture_default_str();
  command->add_option("--time-limit", options->time_limit, "Stop after this many seconds");
  command->add_option("--seed", options->seed, "Of random walks: execution i uses seed + i")->capture_default_str();
  command->add_flag("--keep-going", options->keep_going, "Go on after the first bug and report all distinct ones");
  command->add_option("--save", options->save, "Save the schedule of a bug to this .mzk file");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace mazurka::cli
