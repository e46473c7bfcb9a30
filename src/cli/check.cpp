// mazurka check: explore the executions of a system.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/checkpoint.hpp"
#include "cli/command.hpp"
#include "cli/cut_places.hpp"
#include "cli/explore.hpp"
#include "cli/incomplete.hpp"
#include "cli/input_kind.hpp"
#include "cli/intended_races.hpp"
#include "cli/limits.hpp"
#include "cli/newer_sources.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/ranks.hpp"
#include "cli/reports.hpp"
#include "cli/system.hpp"
#include "cli/trust.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/listener.hpp"
#include "program/command_line.hpp"
#include "program/compiler_arguments.hpp"
#include "program/protocol.hpp"
#include "report/failure_text.hpp"
#include "report/json.hpp"
#include "report/minimise.hpp"
#include "report/same_failure.hpp"
#include "report/schedule_file.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

struct CheckOptions {
  SystemOptions system;
  ExploreOptions explore;
  double time_limit = 0;
  bool keep_going = false;
  std::string deadlocks = "report";
  std::string save;
  bool as_found = false;
  std::string checkpoint;  ///< a file; empty: none is written
  double checkpoint_every = 60;
  std::string resume;  ///< a file; empty: a new search
  int answer = -1;     ///< a descriptor: of the test that asks for its closure to be explored
  TrustOptions trust;
  ReportOptions reports;
};

/// " of about 12,000 (+-900)", two digits each, where there is an estimate.
std::string estimate(const Statistics& s) {
  if (s.estimate <= 0) return "";
  const auto two_digits = [](double number) {
    const double unit = number < 100 ? 1 : std::pow(10, std::floor(std::log10(number)) - 1);
    return number < 1e15 ? grouped(static_cast<unsigned long long>(std::round(number / unit) * unit))
                         : fmt::format("{:.1e}", number);
  };
  return fmt::format(" of about {} (+-{})", two_digits(s.estimate), two_digits(s.estimate_deviation));
}

/// Whether all there is was seen, and not one execution came to its end: assumptions cut them all.
bool is_vacuous(const ExplorationResult& exploration) {
  return exploration.complete && exploration.statistics.executions + exploration.statistics.by_cutoff == 0;
}

/// Collects errors, shows progress, and stops when it is time.
class CheckListener final : public Listener {
 public:
  CheckListener(const Context& context, const CheckOptions& options, System& system, bool several_ranks)
      : options_(options),
        system_(system),
        names_(system.names()),
        progress_(!context.quiet && !context.json),
        several_ranks_(several_ranks) {}

  bool on_error(const Execution& execution, std::uint64_t) override {
    system_.refresh();
    // The same failure in another interleaving is the same bug.
    const auto is_same = [&](const Execution& known) { return report::same_bug(names_, known, execution); };
    if (std::none_of(found_.begin(), found_.end(), is_same)) found_.push_back(execution);
    return options_.keep_going;
  }

  bool deadlocks_fail() const override { return options_.deadlocks == "report"; }

  void on_new_beginning() override {
    found_.clear();
    on_bound({});
  }
  void on_cut(const Execution& execution) override { cut_places_.add(execution); }
  void on_bound(const Bound& bound) override {
    system_.begin_exploration();
    cut_places_.clear();
    bound_ = bound;
  }

  bool on_progress(const Statistics& s) override {
    constexpr double kPercent = 100;
    if (progress_.due()) {
      const double seconds = seconds_since_start();
      progress_.show(
          fmt::format("{} executions{}, {}/s{}, blocked {}, cut {}, errors {}, depth {}{}", grouped(s.executions),
                      estimate(s), grouped(static_cast<unsigned long long>(s.executions_per_second(seconds))),
                      s.busy > 0 ? fmt::format(", {:.0f} % busy", kPercent * s.busy) : "", grouped(s.blocked),
                      grouped(s.cut), grouped(s.errors), s.max_depth,
                      bound_.steps == Bound::kUnlimited ? "" : fmt::format(", {} steps per thread", bound_.steps)));
    }
    out_of_time_ = options_.time_limit > 0 && seconds_since_start() >= options_.time_limit;
    // Where there are checkpoints, the last is to be written first (ask_before_interrupts).
    return !out_of_time_ || (!options_.checkpoint.empty() && !interrupted());
  }

  /// Nothing is explored any more. What several explorers found is put in an order that does not depend on who was
  /// first.
  void finish() {
    progress_.clear();
    system_.end_exploration();
    if (system_.executors().size() == 1 && !several_ranks_) return;
    const auto order = [](const Execution& execution) {
      return std::tuple(name(execution.failure.kind), execution.failure.site, execution.events.size());
    };
    std::ranges::stable_sort(found_, {}, order);
  }
  const std::vector<Execution>& found() const { return found_; }
  /// What was found before the search was resumed.
  void set_found(std::vector<Execution> found) { found_ = std::move(found); }
  bool out_of_time() const { return out_of_time_; }
  const CutPlaces& cut_places() const { return cut_places_; }

  /// The result of the whole exploration.
  Result result(const ExplorationResult& exploration) const {
    for (const Execution& execution : found_) {
      if (execution.outcome == Outcome::Diverged) return Result::Nondeterminism;
      if (execution.failure.kind == FailureKind::DamagedMemory) return Result::Bug;
      if (execution.outcome == Outcome::Unsupported) return Result::Unsupported;
    }
    if (!found_.empty()) return Result::Bug;
    return exploration.complete && !is_vacuous(exploration) ? Result::Ok : Result::Incomplete;
  }

 private:
  const CheckOptions& options_;
  System& system_;
  const Names& names_;
  Progress progress_;
  bool several_ranks_;
  bool out_of_time_ = false;
  std::vector<Execution> found_;
  CutPlaces cut_places_;
  Bound bound_;  ///< of the exploration under way, where there are several
};

/// The options that a search depends on, besides the system.
std::vector<std::string> search_options(const CheckOptions& options) {
  std::vector<std::string> lines = options.system.to_lines();
  for (const std::string& argument : options.system.arguments) lines.push_back("argument=" + argument);
  const ExploreOptions& explore = options.explore;
  lines.push_back("algorithm=" + explore.algorithm);
  lines.push_back("initial=" + explore.initial);
  lines.push_back(fmt::format("max-steps={}", explore.max_steps));
  lines.push_back(fmt::format("max-threads={}", explore.max_threads));
  lines.push_back(fmt::format("context-switches={}", explore.context_switches));
  lines.push_back(fmt::format("keep-going={}", options.keep_going ? "yes" : "no"));
  lines.push_back("deadlocks=" + options.deadlocks);
  return lines;
}

/// Saves the n-th error where --save says, as FILE.mzk, FILE-2.mzk, …, and returns the command that runs it again.
std::string save(Context& context, const CheckOptions& options, const System& system, const Execution& execution,
                 std::size_t n) {
  if (options.save.empty()) return "";
  std::string file = options.save;
  if (n > 0) {
    const std::size_t dot = file.ends_with(".mzk") ? file.size() - 4 : file.size();
    file.insert(dot, fmt::format("-{}", n + 1));
  }
  report::ScheduleFile schedule;
  schedule.system = options.system.input;
  schedule.folder = std::filesystem::current_path().string();
  schedule.arguments = options.system.arguments;
  SystemOptions system_options = options.system;
  system_options.waits = system.waits();
  system_options.states = explores_states(options.explore) && system.is_program();
  schedule.options = system_options.to_lines();
  schedule.hash = system.hash();
  schedule.error = name(execution.failure.kind);
  schedule.steps = report::entries(system.names(), execution);
  schedule.outputs = report::outputs(system.names(), execution);
  if (!write_beside_answer(context, file, report::write_schedule(schedule))) return "";
  return fmt::format("mazurka replay {}", file);
}

/// The schedule that is shown.
report::Minimised shown(const CheckOptions& options, System& system, const Execution& found) {
  if (!options.as_found && found.can_be_repeated())
    return report::minimise(system.executor(), system.names(), found, {});
  report::Minimised as_it_is;
  as_it_is.execution = found;
  as_it_is.switches = as_it_is.switches_before = report::context_switches(found.events);
  return as_it_is;
}

/// The warnings with the lines of the user's own code. There are few that differ.
WarningCounts prepared_warnings(System& system) {
  WarningCounts warnings = system.warnings();
  warnings.begin_exploration();
  for (CountedWarning& counted : warnings.all()) {
    counted.executions = counted.most_before;
    if (counted.warning != kWarnLeak) counted.first = system.prepared_for_report(std::move(counted.first));
  }
  return warnings;
}

report::Summary conclude(Context& context, const CheckOptions& options, System& system, const CheckListener& listener,
                         const ExplorationResult& exploration) {
  report::Summary summary;
  summary.system = options.system.input;
  summary.version = MAZURKA_VERSION;
  summary.command = "check";
  summary.can_be_saved = options.system.zygote.empty();
  summary.result = listener.result(exploration);
  summary.complete = exploration.complete;
  summary.statistics = exploration.statistics;
  summary.details = exploration.details;
  const Depth& depth = exploration.depth;
  summary.reach = {depth.deepened, depth.bound, depth.explored, depth.explorations, depth.runs, {}};
  if (summary.result == Result::Incomplete) {
    summary.reach.cut = listener.cut_places().most_frequent(system);
    summary.incomplete = why_incomplete(options.explore, exploration, summary.reach,
                                        {options.time_limit, listener.out_of_time()}, system.is_program());
  }
  if (const std::string seen = what_was_sampled(exploration); !seen.empty()) summary.notes.push_back(seen);
  if (is_vacuous(exploration)) summary.notes.emplace_back("assumptions cut every execution, so nothing was checked");
  // Before schedules are minimised and shown, which takes executions of its own.
  const Names& names = system.names();
  summary.warnings = report::warning_texts(names, prepared_warnings(system));
  for (const Execution& found : listener.found()) {
    const report::Minimised minimised = shown(options, system, found);
    std::string replay = save(context, options, system, minimised.execution, summary.errors.size());
    report::Story story = report::tell(names, system.prepared_for_report(minimised.execution));
    story.minimised = minimised.runs != 0;
    story.minimal = minimised.minimal;
    story.switches_found = minimised.switches_before;
    story.replay = std::move(replay);
    summary.errors.push_back(std::move(story));
  }
  if (exploration.statistics.cutoffs != 0 && summary.result == Result::Ok && !options.explore.exact)
    summary.notes.emplace_back("states are identified by 128-bit hashes; --exact compares them byte by byte");
  if (options.deadlocks == "ignore" && summary.result == Result::Ok)
    summary.notes.emplace_back("deadlocks were not checked (--deadlocks=ignore)");
  // A proof that rests on a condition which nothing checks must say so.
  if (system.is_program() && options.system.plain == "ignore" && summary.result == Result::Ok)
    summary.notes.emplace_back(
        "this holds if the program has no data race and no use after free, which --plain=ignore does not check");
  if (system.has_long_waits() && summary.result != Result::Bug)
    summary.notes.emplace_back(
        "time-outs of a minute or more were assumed to expire only when nothing else can run (docs/messages.md, Time)");
  add_unseen(system.unseen(), options.trust, summary);
  for (const auto& [goal, reached] : system.goals()) summary.goals.push_back({goal, reached});
  if (const std::string missed = report::missed_goals(summary); !missed.empty() && summary.errors.empty()) {
    // Where the search is not complete, executions that it has not seen may reach them.
    if (options.system.strict && summary.result == Result::Ok)
      summary.result = Result::Bug;
    else
      summary.notes.push_back(missed);
  }
  if (summary.result == Result::Nondeterminism)
    summary.notes.emplace_back(
        "under the same schedule a program must behave the same: it must not depend on anything that Mazurka does not "
        "control, such as the CPU's time stamps and random numbers, other processes, or memory that uninstrumented "
        "code writes");
  add_intended_races(system, summary);
  for (const Execution& found : listener.found())
    if (const std::string advice = race_advice(names, found); !advice.empty()) {
      summary.notes.push_back(advice);
      break;
    }
  add_newer_sources(summary);
  summary.seconds = seconds_since_start();
  return summary;
}

/// The numbers of the algorithm as people read them: a line each, names without underscores, times in seconds. What did
/// not happen is not mentioned.
void print_details(const std::vector<std::pair<std::string, std::uint64_t>>& details) {
  constexpr std::string_view kTime = "microseconds_";
  for (const auto& [key, value] : details) {
    if (value == 0) continue;
    const bool time = key.starts_with(kTime);
    std::string words = time ? key.substr(kTime.size()) : key;
    std::replace(words.begin(), words.end(), '_', ' ');
    fmt::print("  {:<32} {:>14}\n", words,
               time ? fmt::format("{:.2f} s", static_cast<double>(value) / 1e6) : grouped(value));
  }
}

void print_text(const Context& context, const report::Summary& summary) {
  if (context.quiet) return;
  print_errors(summary);
  const Statistics& s = summary.statistics;
  if (summary.errors.empty() || summary.result == Result::Incomplete) print_sentence(report::headline(summary));
  for (const std::string& reason : report::reasons(summary)) fmt::print("{}", report::item(reason, output_style()));
  fmt::print("executions {}, blocked {}, cut {}, errors {}\n", grouped(s.executions), grouped(s.blocked),
             grouped(s.cut), grouped(s.errors));
  if (context.stats) {
    print_details(summary.details);
    fmt::print("{} in all, {} in the longest execution\n", counted(s.events, "step"), grouped(s.max_depth));
    fmt::print("{:.2f} s, {} executions per second, peak memory {} MiB\n", seconds_since_start(),
               grouped(static_cast<unsigned long long>(s.executions_per_second(summary.exploring))),
               peak_rss_kib() / 1024);
  }
  for (const std::string& note : summary.notes) print_sentence("note: " + note);
  for (const std::string& warning : report::warning_lines(summary)) print_sentence(warning);
}

void print_json(const report::Summary& summary) {
  const Statistics& s = summary.statistics;
  auto answer = to_json(summary);
  answer["complete"] = summary.complete;
  answer["failed_executions"] = s.errors;
  answer["executions"] = s.executions;
  answer["blocked"] = s.blocked;
  answer["cut"] = s.cut;
  answer["events"] = s.events;
  answer["executions_per_second"] = s.executions_per_second(summary.exploring);
  if (summary.reach.deepened || !summary.reach.cut.empty()) answer["reach"] = report::json(summary.reach);
  for (const auto& [key, value] : summary.details) answer[key] = value;
  add_unseen(summary, answer);
  if (!summary.goals.empty()) {
    auto& goals = answer["goals"] = nlohmann::ordered_json::array();
    for (const report::Summary::Goal& goal : summary.goals)
      goals.push_back({{"name", goal.name}, {"reached", goal.reached}});
  }
  add_intended_races(summary, answer);
  auto& warnings = answer["warnings"] = nlohmann::ordered_json::array();
  for (const auto& [text, executions] : summary.warnings)
    warnings.push_back({{"message", text}, {"executions", executions}});
  print_answer(answer);
}

/// Tells a test what its closure did, in numbers.
void send_answer(int file, const report::Summary& summary) {
  const Statistics& s = summary.statistics;
  const auto missed = std::ranges::count(summary.goals, false, &report::Summary::Goal::reached);
  protocol::ClosureAnswer answer{};
  answer.executions = s.executions;
  answer.blocked = s.blocked;
  answer.cut = s.cut;
  answer.errors = s.errors;
  answer.seconds = summary.seconds;
  answer.complete = summary.complete ? 1 : 0;
  answer.goals_missed = static_cast<std::uint32_t>(missed);
  if (write(file, &answer, sizeof answer) != sizeof answer)
    throw InputError("the test that started this exploration has ended");
}

/// What must be the same in all ranks.
std::vector<std::string> described(const CheckOptions& options, const System& system) {
  std::vector<std::string> lines = search_options(options);
  lines.push_back("version=" MAZURKA_VERSION);
  lines.push_back("system=" + system.hash());
  return lines;
}

/// Throws InputError, with the reason, if several ranks cannot explore this.
void refuse_ranks(const CheckOptions& options) {
  if (!can_be_kept(options.explore))
    throw InputError(
        "several ranks are for --algorithm=optimal, source and observers, without --hunt; start mazurka once");
  if (options.explore.context_switches != UINT32_MAX)
    throw InputError("what --context-switches leaves out depends on the order of exploration; start mazurka once");
  if (options.explore.jobs != 1)
    throw InputError("-j is not for several ranks, which have one explorer each; start more ranks instead");
  if (options.system.input == "-") throw InputError("standard input reaches one rank only; give a file");
  if (program::is_source(options.system.input))
    throw InputError(
        {options.system.input},
        "is a source, which each rank would compile for itself; build it with mazurka cc or mazurka c++, and start the "
        "ranks with the program");
}

/// A rank that explores for rank 0.
void run_member(const CheckOptions& options, Transport& transport) {
  ask_before_interrupts();  // rank 0 decides when the search ends
  dpor::Link link(transport);
  try {
    refuse_ranks(options);
    SystemOptions system_options = options.system;
    system_options.registry = std::make_shared<RemoteRegistry>(link);
    system_options.ranks_here = launched().on_this_machine;
    const std::unique_ptr<System> system = load_system(system_options);
    explore_for_rank_0(link, *system, {options.keep_going, options.deadlocks == "report", described(options, *system)});
  } catch (...) {
    fail_for_rank_0(link, std::current_exception());
  }
}

void run_check(const CheckOptions& options, Context& context) {
  const std::unique_ptr<Transport> transport = options.system.zygote.empty() ? connect_ranks() : nullptr;
  if (transport && transport->rank() != 0) return run_member(options, *transport);
  SystemOptions system_options = options.system;
  std::optional<TeamOfRanks> ranks;
  if (transport) {
    const auto registry = std::make_shared<program::SharedRegistry>();
    ranks.emplace(*transport, registry);
    refuse_ranks(options);
    system_options.registry = registry;
    system_options.ranks_here = launched().on_this_machine;
  }
  if (options.explore.cutoffs && options.explore.algorithm != "unfolding")
    throw InputError("--cutoffs needs --algorithm=unfolding");
  if (options.explore.cache != 0 && !options.explore.cutoffs) throw InputError("--cache needs --cutoffs");
  if (options.explore.exact && !options.explore.cutoffs) throw InputError("--exact needs --cutoffs");
  const std::string& algorithm = options.explore.algorithm;
  if (options.explore.context_switches != UINT32_MAX && algorithm != "optimal" && algorithm != "source" &&
      algorithm != "observers")
    throw InputError(fmt::format(
        "--context-switches needs --algorithm=optimal, source or observers; {} has no such bound", algorithm));
  if (!options.save.empty() && !options.system.zygote.empty())
    throw InputError(
        "--save is for programs: the schedule of a closure depends on the state of its test at the call; run the test "
        "again to find the same execution");
  system_options.any_clients = system_options.states = explores_states(options.explore);
  system_options.exact = options.explore.exact;
  system_options.lockstep = options.explore.algorithm == "unfolding" || options.explore.algorithm == "stateful-naive";
  const bool is_kept = !options.checkpoint.empty() || !options.resume.empty();
  if (is_kept && !can_be_kept(options.explore))
    throw InputError("--checkpoint and --resume need --algorithm=optimal, source or observers, without --hunt");
  if (is_kept && !options.system.zygote.empty())
    throw InputError("--checkpoint and --resume are for programs and networks: a closure ends with its test");
  if (is_kept && program::is_source(options.system.input))
    throw InputError(
        {options.system.input},
        "is a source, which may be compiled to something else next time; build it with mazurka cc or mazurka c++, and "
        "give --checkpoint or --resume with the program");
  system_options.explorers = explorer_count(options.explore);
  if (system_options.explorers > 1 && !options.system.zygote.empty())
    throw InputError("-j is for programs and networks: the workers for a closure come from one process; use -j 1");
  const std::unique_ptr<System> system = load_system(system_options);
  if (explores_states(options.explore) && system->is_program() && options.system.isolation == "fork")
    throw InputError("states are compared by copies of the memory; remove --isolation=fork");
  Checkpoint from;
  if (!options.resume.empty()) {
    from = parse_checkpoint(read_input(options.resume, Contents::Bytes), options.resume);
    expect_same(from, system->hash(), search_options(options), options.resume);
  }
  if (!options.checkpoint.empty()) ask_before_interrupts();
  if (options.time_limit > 0) interrupt_after(std::max(options.time_limit - seconds_since_start(), 1e-3));
  if (options.explore.hunt > 0) {
    const double left = options.time_limit > 0 ? options.time_limit - seconds_since_start() : options.explore.hunt;
    interrupt_after(std::max(std::min(options.explore.hunt, left), 1e-3));
  }
  CheckListener listener(context, options, *system, ranks.has_value());
  CheckpointWriter writer(options.checkpoint, options.checkpoint_every, [&] {
    Checkpoint checkpoint = describe(*system, listener.found());
    checkpoint.options = search_options(options);
    return checkpoint;
  });
  if (!options.resume.empty()) listener.set_found(restore(from, *system));
  if (ranks) {
    ranks->begin(*system, described(options, *system));
    if (!options.checkpoint.empty())
      ranks->set_advice(fmt::format("if {0} was written before, run the same command with --resume {0} to continue\n",
                                    options.checkpoint));
  }
  const double start = seconds_since_start();
  const ExplorationResult exploration =
      explore(context, options.explore, system->executors(), system->names(), system->is_program(), listener,
              {options.checkpoint.empty() ? nullptr : &writer, options.resume.empty() ? nullptr : &from,
               ranks ? &ranks->team() : nullptr});
  const double exploring = seconds_since_start() - start;
  listener.finish();
  report::Summary summary = conclude(context, options, *system, listener, exploration);
  summary.exploring = exploring;
  if (!writer.failure().empty()) context.unwritten.push_back(writer.failure());
  if (writer.has_written() && !exploration.complete)
    summary.notes.push_back(
        fmt::format("to continue from the last checkpoint, run the same command with --resume {}", options.checkpoint));
  write_reports(context, options.reports, summary);
  if (context.json)
    print_json(summary);
  else
    print_text(context, summary);
  if (options.answer >= 0) send_answer(options.answer, summary);
  context.exit_code = exit_code(summary.result);
}

}  // namespace

void register_check(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "check", "Explore the executions of a system");
  auto options = std::make_shared<CheckOptions>();
  add_system_options(*command, options->system);
  add_explore_options(*command, options->explore);
  add_trust_option(*command, options->trust);
  command->add_option("--time-limit", options->time_limit, "Stop after this many seconds")->check(check_seconds);
  command->add_flag(
      "--keep-going", options->keep_going,
      "Continue after the first bug and report all distinct ones; how many executions fail depends on the algorithm");
  command
      ->add_option("--deadlocks", options->deadlocks,
                   "An execution in which threads are blocked forever: report (a bug) or ignore (a normal end)")
      ->check(CLI::IsMember({"report", "ignore"}))
      ->capture_default_str();
  command->add_option("--save", options->save, "Save the schedule of a bug to this .mzk file, for `mazurka replay`");
  command->add_flag("--no-minimise", options->as_found, "Show the schedule as it was found");
  command->add_option(
      "--checkpoint", options->checkpoint,
      "Save the search to this file every minute and when it is stopped, so that --resume can continue it "
      "(optimal, source, observers)");
  command->add_option("--checkpoint-every", options->checkpoint_every, "With --checkpoint: seconds between two saves")
      ->check(check_seconds)
      ->capture_default_str();
  command->add_option("--resume", options->resume,
                      "Continue the search saved in this file; only -j and limits may differ from its options");
  add_report_options(*command, options->reports);
  // For the runtime: runtime/worker/closure.hpp.
  command->add_option("--zygote", options->system.zygote)->group("");
  command->add_option("--answer", options->answer)->group("");
  command->callback([options, &context] {
    std::vector<std::string> words = program::split_words(options->system.cflags);
    words.insert(words.end(), context.compiler_words.begin(), context.compiler_words.end());
    options->system.cflags = program::join_words(words);
    run_check(*options, context);
  });
}

}  // namespace mazurka::cli
