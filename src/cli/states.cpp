// mazurka states: the state space of a network, whole or reduced.
#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/incomplete.hpp"
#include "cli/limits.hpp"
#include "cli/model.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/reports.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "network/parallel_reachability.hpp"
#include "network/reachability.hpp"
#include "report/text.hpp"
#include "stateful/export.hpp"
#include "stateful/graph.hpp"
#include "stateful/verify.hpp"

namespace mazurka::cli {
namespace {

using network::ActionId;
using stateful::GraphExplorer;
using stateful::Verification;

struct StatesOptions {
  std::string model;
  std::string algorithm = "reach";
  std::uint64_t max_states = UINT64_MAX;
  std::size_t max_deadlock_runs = 100;
  std::uint32_t jobs = 1;
  bool verify = false;
  bool count_paths = false;
  std::string dot;
  std::string aut;
  LimitOptions limits;

  bool needs_graph() const { return verify || count_paths || !dot.empty() || !aut.empty(); }
};

/// What a search found, whichever it was.
struct Findings {
  bool complete = false;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t deadlocks = 0;
  std::vector<std::vector<ActionId>> deadlock_runs;  ///< the first ones
  std::size_t bytes = 0;
  std::optional<stateful::GraphStatistics> reduction;
  std::uint64_t distinct_states = 0;  ///< of a reduction
  bool triples_exact = true;
  std::optional<stateful::PathCounts> paths;
  std::optional<Verification> verification;

  Result result() const {
    if (deadlocks != 0) return Result::Bug;
    const bool unverified = verification && verification->status != Verification::Status::Holds;
    return complete && !unverified ? Result::Ok : Result::Incomplete;
  }
  std::vector<report::Incompleteness> incomplete(const StatesOptions& options) const {
    std::vector<report::Incompleteness> reasons;
    if (!complete && interrupted())
      reasons.push_back(interrupt_reason(options.limits.seconds));
    else if (!complete)
      reasons.push_back({"max-states", fmt::format("the limit of {} was reached", counted(options.max_states, "state")),
                         "raise --max-states, or try an --algorithm that needs fewer"});
    if (complete && verification && verification->status != Verification::Status::Holds)
      reasons.push_back({"not-verified", verification->message, "remove --verify-reduction, or use a smaller model"});
    return reasons;
  }
  double bytes_per_state() const { return static_cast<double>(bytes) / static_cast<double>(states); }
  double states_per_second() const { return static_cast<double>(states) / seconds_since_start(); }
};

void show(Progress& progress, const network::ReachabilityProgress& p) {
  if (!progress.due()) return;
  progress.show(
      fmt::format("{} states, {} waiting, {} transitions, {} states/s", grouped(p.states),
                  grouped(p.states - p.expanded), grouped(p.transitions),
                  grouped(static_cast<unsigned long long>(static_cast<double>(p.states) / seconds_since_start()))));
}

template <typename Search>
Findings counts_of(const Search& search) {
  Findings found;
  found.complete = search.complete();
  found.states = search.states();
  found.transitions = search.transitions();
  found.bytes = search.bytes();
  return found;
}

Findings search_all(const network::Product& product, const StatesOptions& options, Progress& progress) {
  network::Reachability search(product, {options.max_states});
  search.run([&](const network::ReachabilityProgress& p) { show(progress, p); });
  Findings found = counts_of(search);
  found.deadlocks = search.deadlocks().size();
  for (std::size_t i = 0; i < std::min(options.max_deadlock_runs, search.deadlocks().size()); ++i)
    found.deadlock_runs.push_back(search.run_to(search.deadlocks()[i]));
  return found;
}

Findings search_in_parallel(const network::Product& product, const StatesOptions& options, std::uint32_t explorers,
                            Progress& progress) {
  network::ParallelReachability search(product, {options.max_states}, explorers);
  search.run([&](const network::ReachabilityProgress& p) { show(progress, p); });
  Findings found = counts_of(search);
  found.deadlocks = search.deadlocks();
  for (std::size_t i = 0; i < std::min(options.max_deadlock_runs, search.deadlocks()); ++i)
    found.deadlock_runs.push_back(search.run_to_deadlock(i));
  return found;
}

/// Refuses what depends on the order in which one explorer goes through the states.
std::uint32_t explorer_count(const StatesOptions& options) {
  if (options.jobs == 1) return 1;
  if (options.algorithm != "reach")
    throw InputError(fmt::format(
        "-j is for --algorithm=reach: what {} leaves out depends on the order in which states are explored; use -j 1",
        options.algorithm));
  const char* const wanted = options.verify         ? "--verify-reduction"
                             : options.count_paths  ? "--count-paths"
                             : !options.dot.empty() ? "--dot"
                             : !options.aut.empty() ? "--aut"
                                                    : nullptr;
  if (wanted != nullptr)
    throw InputError(fmt::format("-j keeps states but not the graph that {} needs; use -j 1", wanted));
  return jobs_or_processors(options.jobs);
}

/// What is asked of the finished graph.
void examine(Context& context, const GraphExplorer& explorer, const StatesOptions& options, Findings& found) {
  if (options.count_paths) found.paths = count_paths(explorer, postorder(explorer));
  if (!options.dot.empty()) write_beside_answer(context, options.dot, to_dot(explorer));
  if (!options.aut.empty()) write_beside_answer(context, options.aut, to_aut(explorer));
  if (!options.verify) return;
  found.verification = verify_reduction(explorer);
  if (found.verification->status == Verification::Status::Fails)
    throw InvariantViolation(
        fmt::format("the graph of {} is not a reduction of the system: {}; this is a bug in mazurka, please report it",
                    explorer.algorithm().name, found.verification->message));
}

Findings search_reduced(Context& context, const network::Product& product, const StatesOptions& options,
                        Progress& progress) {
  const stateful::LocalFacts facts(product.network());
  GraphExplorer explorer(product, facts, stateful::find_algorithm(options.algorithm).value(),
                         {options.max_states, options.needs_graph()});
  explorer.run([&](const stateful::GraphStatistics& s) {
    if (!progress.due()) return;
    progress.show(fmt::format(
        "{} nodes, {} waiting, {} edges, {} nodes/s", grouped(s.nodes()), grouped(s.waiting), grouped(s.edges),
        grouped(static_cast<unsigned long long>(static_cast<double>(s.nodes()) / seconds_since_start()))));
  });
  progress.clear();
  Findings found;
  found.complete = explorer.complete();
  found.states = explorer.statistics().nodes();
  found.transitions = explorer.statistics().edges;
  found.deadlocks = explorer.deadlocks().size();
  found.bytes = explorer.bytes();
  found.reduction = explorer.statistics();
  found.distinct_states = explorer.nodes().distinct_states();
  found.triples_exact = facts.triples_exact();
  for (std::size_t i = 0; i < std::min(options.max_deadlock_runs, explorer.deadlocks().size()); ++i)
    found.deadlock_runs.push_back(explorer.run_to(explorer.deadlocks()[i]));
  if (found.complete) examine(context, explorer, options, found);
  return found;
}

/// A number where JSON readers can hold it, else its digits.
nlohmann::json json_number(const stateful::BigNatural& number) {
  if (number.fits()) return number.low();
  return number.digits();
}

void print_json(const network::Product& product, const StatesOptions& options, const Findings& found) {
  auto answer = json_frame(found.result());
  answer["algorithm"] = options.algorithm;
  answer["states"] = found.states;
  answer["transitions"] = found.transitions;
  answer["deadlocks"] = found.deadlocks;
  answer["complete"] = found.complete;
  answer["states_per_second"] = found.states_per_second();
  answer["bytes_per_state"] = found.bytes_per_state();
  if (found.reduction) {
    answer["distinct_states"] = found.distinct_states;
    answer["blocked"] = found.reduction->blocked;
    answer["refused"] = found.reduction->refused;
    answer["subsumed"] = found.reduction->subsumed;
    answer["triples_exact"] = found.triples_exact;
  }
  if (found.result() == Result::Incomplete) answer["incomplete"] = to_json(found.incomplete(options));
  if (found.paths) {
    answer["paths"] = json_number(found.paths->maximal);
    answer["full_runs"] = json_number(found.paths->full);
  }
  if (found.verification) {
    answer["verified"] = found.verification->status == Verification::Status::Holds;
    answer["full_states"] = found.verification->full_states;
  }
  if (!found.deadlock_runs.empty()) {
    auto& runs = answer["deadlock_runs"] = nlohmann::json::array();
    for (const auto& actions : found.deadlock_runs) {
      auto& run = runs.emplace_back(nlohmann::json::array());
      for (ActionId action : actions) run.push_back(product.network().action_name(action));
    }
    answer["deadlock_run"] = runs.front();
  }
  print_answer(answer);
}

void print_deadlocks(const network::Product& product, const Findings& found) {
  if (found.deadlocks == 0) return;
  fmt::print("deadlock: {} state{} in which some client is blocked forever\n", grouped(found.deadlocks),
             found.deadlocks == 1 ? "" : "s");
  for (const auto& run : found.deadlock_runs) {
    fmt::print("a run to one:\n");
    print_run(product, run);
    auto state = product.initial();
    for (ActionId action : run) product.take(state.data(), action);
    print_waiting(product, state.data());
  }
  if (found.deadlocks > found.deadlock_runs.size())
    fmt::print("{} more; --max-deadlock-runs shows them\n", grouped(found.deadlocks - found.deadlock_runs.size()));
}

void print_text(const Context& context, const network::Product& product, const StatesOptions& options,
                const Findings& found) {
  if (context.quiet) return;
  print_deadlocks(product, found);
  if (!found.complete) {
    print_sentence(fmt::format("incomplete: stopped before all states were explored; nothing is proved{}",
                               options.needs_graph() ? ", and the graph was not examined" : ""));
    for (const report::Incompleteness& why : found.incomplete(options))
      fmt::print("{}", report::item(report::sentence(why), output_style()));
  }
  fmt::print("{} {}, transitions {}, deadlocks {}\n", found.reduction ? "nodes" : "states", grouped(found.states),
             grouped(found.transitions), grouped(found.deadlocks));
  if (found.paths)
    fmt::print("paths {}, of which {} end in a terminal state\n", found.paths->maximal.digits(),
               found.paths->full.digits());
  if (found.verification) {
    if (found.verification->status == Verification::Status::Holds)
      fmt::print("verified: sound and complete for the {} of the system ({})\n",
                 counted(found.verification->full_states, "state"),
                 counted(found.verification->first_sets, "first set"));
    else
      print_sentence("not verified: " + found.verification->message);
  }
  if (!found.triples_exact)
    print_sentence(
        "note: some process has too many local paths, so PIFS was approximated; the result is still complete");
  if (!context.stats) return;
  if (const auto& r = found.reduction)
    print_sentence(fmt::format("{}, {} left out, {} to a subsuming node, {} refused",
                               counted(found.distinct_states, "distinct state"), counted(r->blocked, "blocked node"),
                               counted(r->subsumed, "edge"), counted(r->refused, "successor")));
  print_sentence(fmt::format("{:.2f} s, {} states per second, {} bytes per state, {} bits packed, peak memory {} MiB",
                             seconds_since_start(), grouped(static_cast<unsigned long long>(found.states_per_second())),
                             grouped(static_cast<unsigned long long>(found.bytes_per_state())), product.layout().bits(),
                             peak_rss_kib() / 1024));
}

void run_states(const StatesOptions& options, Context& context) {
  start_within(context, options.limits);
  // The plain search needs neither sleep sets nor local facts; it also finds shortest runs.
  const bool plain = options.algorithm == "reach" && !options.needs_graph();
  const std::uint32_t explorers = explorer_count(options);
  const Model model = load_model(options.model, plain ? network::Clients::Any : network::Clients::Acyclic);
  const network::Product product(model.network);
  Findings found;
  {
    Progress progress(!context.quiet && !context.json);
    found = explorers > 1 ? search_in_parallel(product, options, explorers, progress)
            : plain       ? search_all(product, options, progress)
                          : search_reduced(context, product, options, progress);
  }
  context.prompt_end.reset();
  context.json ? print_json(product, options, found) : print_text(context, product, options, found);
  context.exit_code = exit_code(found.result());
}

}  // namespace

void register_states(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "states", "Explore the state space of a network");
  auto options = std::make_shared<StatesOptions>();
  std::vector<std::string> names;
  std::string help = "How to explore:";
  for (const stateful::Algorithm& algorithm : stateful::algorithms()) {
    names.emplace_back(algorithm.name);
    help += fmt::format("\n{}: {}", algorithm.name, algorithm.description);
  }
  command->add_option("model", options->model, kModelHelp)->required();
  command->add_option("--algorithm", options->algorithm, help)->check(CLI::IsMember(names))->capture_default_str();
  command
      ->add_option("--max-states", options->max_states,
                   "Stop beyond this many states or nodes, with an incomplete result")
      ->check(check_count);
  command->add_option("-j,--jobs", options->jobs, "For reach: the number of explorers; 0: one per processor")
      ->check(check_jobs)
      ->capture_default_str();
  add_limit_options(*command, options->limits);
  command->add_option("--max-deadlock-runs", options->max_deadlock_runs, "Show runs to at most this many deadlocks")
      ->check(check_natural)
      ->capture_default_str();
  command->add_flag("--verify-reduction", options->verify,
                    "Check against the whole state space that the graph has a run of every class and no other");
  command->add_flag("--count-paths", options->count_paths, "Count the paths of the graph");
  command->add_option("--dot", options->dot, "Write the graph to this file, for Graphviz");
  command->add_option("--aut", options->aut, "Write the graph to this file, in Aldebaran format");
  command->callback([options, &context] { run_states(*options, context); });
}

}  // namespace mazurka::cli
