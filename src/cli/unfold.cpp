// mazurka unfold: the complete prefix of a net, and questions about its reachable markings.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/incomplete.hpp"
#include "cli/input_kind.hpp"
#include "cli/model.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/quick_search.hpp"
#include "cli/reports.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "net/from_network.hpp"
#include "net/net_reader.hpp"
#include "net/reachability.hpp"
#include "net/writers.hpp"
#include "prefix/prefix_writers.hpp"
#include "prefix/questions.hpp"
#include "prefix/unfolder.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

using net::Net;
using net::PlaceId;
using net::TransitionId;
using Reply = prefix::Answer::Reply;

struct UnfoldOptions {
  std::string file;
  std::string order = "erv";
  bool deadlock = false;
  std::optional<std::string> cover;
  std::optional<std::string> reach;
  std::optional<std::string> fire;
  std::string dot;
  std::string net_dot;
  std::string prefix_file;
  std::string convert;
  bool explicit_graph = false;
  std::optional<std::string> final;
  LimitOptions limits;

  bool asks() const { return deadlock || cover || reach || fire; }
};

/// A node by its name or, after '#', by its number in the file, counted from 1.
template <typename Node>
std::uint32_t find_node(const std::vector<Node>& nodes, const std::string& text, const char* kind) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].name != text) continue;
    if (found)
      throw InputError(fmt::format("several {}s are called '{}'; use #N, their number in the file", kind, text));
    found = i;
  }
  if (found) return *found;
  std::size_t number = 0;
  if (text.starts_with('#') &&
      std::from_chars(text.data() + 1, text.data() + text.size(), number).ptr == text.data() + text.size() &&
      number >= 1 && number <= nodes.size())
    return static_cast<std::uint32_t>(number - 1);
  throw InputError(fmt::format("the net has no {} '{}'", kind, text));
}

/// Names separated by commas; a name that holds a comma itself can be given alone.
std::vector<PlaceId> find_places(const Net& net, const std::string& list) {
  if (net.find_place(list)) return {*net.find_place(list)};
  std::vector<PlaceId> places;
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    places.push_back(find_node(net.places(), list.substr(start, end - start), "place"));
    start = end + 1;
  }
  return places;
}

std::vector<std::string> names(const Net& net, const std::vector<TransitionId>& sequence) {
  std::vector<std::string> list;
  list.reserve(sequence.size());
  for (TransitionId t : sequence) list.push_back(net.transition(t).name);
  return list;
}

/// One question, resolved before the work starts, so that a misspelt name costs nothing.
struct Question {
  const char* key = nullptr;
  std::string text;
  std::vector<PlaceId> places = {};
  TransitionId transition = 0;
  prefix::Ends ends = {};  ///< that are no deadlocks

  bool is_deadlock() const { return std::string_view(key) == "deadlock"; }
};

prefix::Ends ends_of(const net::ProductNet& loaded, const UnfoldOptions& options) {
  prefix::Ends ends{loaded.unfinished, std::nullopt};
  if (options.final) ends.final = find_places(loaded.net, *options.final);
  return ends;
}

std::optional<Question> resolve(const net::ProductNet& loaded, const UnfoldOptions& options) {
  const Net& net = loaded.net;
  if (options.deadlock) {
    Question question{"deadlock", "deadlock"};
    question.ends = ends_of(loaded, options);
    return question;
  }
  if (options.cover)
    return Question{"cover", fmt::format("marking with {}", *options.cover), find_places(net, *options.cover)};
  if (options.reach)
    return Question{"reach", fmt::format("marking {{{}}}", *options.reach), find_places(net, *options.reach)};
  if (options.fire)
    return Question{"fire",
                    fmt::format("firing of '{}'", *options.fire),
                    {},
                    find_node(net.transitions(), *options.fire, "transition"),
                    {}};
  return std::nullopt;
}

prefix::Answer answer(const prefix::Prefix& prefix, const Question& question) {
  const std::string_view key = question.key;
  if (key == "deadlock") return prefix::find_deadlock(prefix, question.ends);
  if (key == "cover") return prefix::find_cover(prefix, question.places);
  if (key == "reach") return prefix::find_marking(prefix, question.places);
  return prefix::find_firing(prefix, question.transition);
}

/// The same question answered by the reachability graph.
prefix::Answer answer(const Net& net, const net::ReachabilityGraph& graph, const Question& question) {
  const std::string_view key = question.key;
  const net::Simulator simulator(net);
  std::vector<net::Word> wanted(net::words_for(net.places().size()));
  for (PlaceId p : question.places) net::put(wanted, p);
  for (std::uint32_t m = 0; m < graph.markings().size(); ++m) {
    const auto marking = graph.markings()[m];
    bool yes = false;
    if (key == "deadlock") {
      yes = simulator.deadlocked(marking) && !question.ends.is_end(marking, net.places().size());
    } else if (key == "fire") {
      yes = simulator.enabled(marking, question.transition);
    } else {
      yes = true;
      for (std::size_t i = 0; i < wanted.size(); ++i)
        yes = yes && (key == "cover" ? (marking[i] & wanted[i]) == wanted[i] : marking[i] == wanted[i]);
    }
    if (!yes) continue;
    prefix::Answer answer{Reply::Yes, graph.path_to(m)};
    if (key == "fire") answer.witness.push_back(question.transition);
    return answer;
  }
  return {graph.complete() ? Reply::No : Reply::Interrupted, {}};
}

/// What both ways of exploring have to say at the end.
void conclude(Context& context, const Net& net, bool complete, const nlohmann::ordered_json& statistics,
              const std::string& summary, const std::optional<Question>& question,
              const std::optional<prefix::Answer>& answer) {
  context.prompt_end.reset();
  Result result = complete ? Result::Ok : Result::Incomplete;
  if (answer && answer->reply == Reply::Yes) result = Result::Bug;
  if (answer && answer->reply == Reply::Interrupted) result = Result::Incomplete;
  // A `no` over an unfinished prefix proves nothing.
  const bool known = answer && (answer->reply == Reply::Yes || result == Result::Ok);
  context.exit_code = exit_code(result);
  if (context.json) {
    auto json = json_frame(result);
    json.update(statistics);
    if (result == Result::Incomplete) json["incomplete"] = to_json(std::vector{interrupt_reason(context.time_limit)});
    if (known) {
      json[question->key] = answer->reply == Reply::Yes;
      if (answer->reply == Reply::Yes) json["witness"] = names(net, answer->witness);
    }
    print_answer(json);
    return;
  }
  if (context.quiet) return;
  fmt::print("{}{}\n", summary, complete ? "" : "  (incomplete: nothing is proved)");
  if (result == Result::Incomplete)
    fmt::print("{}", report::item(report::sentence(interrupt_reason(context.time_limit)), output_style()));
  if (known && answer->reply == Reply::Yes) {
    fmt::print("{}: reachable by {}\n", question->text, counted(answer->witness.size(), "step"));
    for (const std::string& name : names(net, answer->witness)) fmt::print("  {}\n", name);
  } else if (known) {
    fmt::print("{}: not reachable\n", question->text);
  } else if (question) {
    fmt::print("{}: unknown\n", question->text);
  }
  if (context.stats) fmt::print("{:.2f} s, peak memory {} MiB\n", seconds_since_start(), peak_rss_kib() / 1024);
}

void run_explicit(Context& context, const UnfoldOptions& options, const net::ProductNet& loaded,
                  const std::optional<Question>& question) {
  const Net& net = loaded.net;
  Progress progress(!context.quiet && !context.json);
  net::ReachabilityGraph::Limits limits;
  limits.watch = [&](const net::ReachabilityGraph& so_far) {
    if (progress.due())
      progress.show(fmt::format("{} markings, {} transitions, deadlocks {}, {:.0f} s",
                                grouped(so_far.markings().size()), grouped(so_far.edges()), grouped(so_far.deadlocks()),
                                seconds_since_start()));
  };
  const prefix::Ends ends = ends_of(loaded, options);
  limits.is_end = [&](std::span<const net::Word> marking) { return ends.is_end(marking, net.places().size()); };
  const net::ReachabilityGraph graph(net, limits);
  progress.clear();
  if (graph.unsafe()) throw InputError({options.file}, net::unsafe_message(net, *graph.unsafe()));
  std::optional<prefix::Answer> reply;
  if (question) reply = answer(net, graph, *question);
  const nlohmann::ordered_json statistics = {
      {"states", graph.markings().size()}, {"transitions", graph.edges()}, {"deadlocks", graph.deadlocks()}};
  conclude(context, net, graph.complete(), statistics,
           fmt::format("markings {}  transitions {}  deadlocks {}", graph.markings().size(), graph.edges(),
                       graph.deadlocks()),
           question, reply);
}

/// The answer of the search alone.
void conclude_search(Context& context, const Net& net, const QuickSearch& quick, const Question& question) {
  const net::DeadlockSearch& search = quick.search();
  const auto reply = quick.answer();
  const nlohmann::ordered_json statistics = {
      {"states", search.markings()}, {"transitions", search.edges()}, {"method", "stubborn sets"}};
  conclude(context, net, reply.has_value(), statistics,
           fmt::format("markings {}  transitions {}  (stubborn sets)", search.markings(), search.edges()), question,
           reply);
}

/// A net of which no prefix can be made.
void run_unsafe(Context& context, const Net& net, QuickSearch* quick, const std::optional<Question>& question,
                const InputError& refusal) {
  if (quick == nullptr || (net.weights() && net.weights()->has_capacities)) throw InputError(refusal);
  if (quick->run_to_the_end() == QuickSearch::Status::GaveUp) throw InputError(refusal);
  conclude_search(context, net, *quick, *question);
}

void run_prefix(Context& context, const UnfoldOptions& options, const Net& net,
                const std::optional<Question>& question) {
  // A deadlock is often a few steps away. What is asked for beside the answer needs the prefix all the same.
  std::optional<QuickSearch> quick;
  if (question && question->is_deadlock() && options.dot.empty() && options.prefix_file.empty())
    quick.emplace(net, question->ends, net::DeadlockSearch::Limits{});
  QuickSearch* const search = quick ? &*quick : nullptr;
  if (net.weights() && net.weights()->unsafe) return run_unsafe(context, net, search, question, *net.weights()->unsafe);
  const bool may_search = quick && !(net.weights() && net.weights()->has_capacities);
  constexpr double kFirst = 0.3;  // seconds
  if (may_search && quick->run_for(kFirst) == QuickSearch::Status::Found)
    return conclude_search(context, net, *quick, *question);

  const auto order = options.order == "erv" ? prefix::Order::Erv : prefix::Order::McMillan;
  Progress progress(!context.quiet && !context.json);
  const double start = seconds_since_start();
  double searched = 0;
  unsigned calls = 0;
  const prefix::Unfolding unfolding = prefix::unfold(net, order, [&](const prefix::Prefix& so_far) {
    if (progress.due())
      progress.show(fmt::format("{} events, {} histories, {} cutoffs, {:.0f} s", grouped(so_far.event_count()),
                                grouped(so_far.history_count()), grouped(so_far.cutoff_count()),
                                seconds_since_start()));
    constexpr unsigned kNowAndThen = 64;
    if (!may_search || ++calls % kNowAndThen != 0) return true;
    const double now = seconds_since_start();
    const bool found = quick->run_beside(now - start - searched) == QuickSearch::Status::Found;
    searched += seconds_since_start() - now;
    return !found;
  });
  progress.clear();
  if (may_search && quick->search().status() == QuickSearch::Status::Found)
    return conclude_search(context, net, *quick, *question);
  if (unfolding.unsafe)
    return run_unsafe(context, net, search, question,
                      InputError({options.file}, net::unsafe_message(net, *unfolding.unsafe)));
  const prefix::Prefix& result = unfolding.prefix;
  if (!options.dot.empty()) write_beside_answer(context, options.dot, prefix::to_dot(result));
  if (!options.prefix_file.empty())
    write_beside_answer(context, options.prefix_file,
                        options.prefix_file.ends_with(".ll_net") ? net::to_ll_net(prefix::occurrence_net(result))
                                                                 : prefix::to_json(result));
  std::optional<prefix::Answer> reply;
  if (question && !interrupted()) reply = answer(result, *question);
  const nlohmann::ordered_json statistics = {{"events", result.event_count()},
                                             {"conditions", result.conditions()},
                                             {"histories", result.history_count()},
                                             {"cutoffs", result.cutoff_count()}};
  conclude(context, net, unfolding.complete, statistics,
           fmt::format("events {}  conditions {}  histories {}  cutoffs {}", result.event_count(), result.conditions(),
                       result.history_count(), result.cutoff_count()),
           question, reply);
}

/// Networks become product nets; everything else is a net.
net::ProductNet load(const std::string& file, bool any) {
  require_net(file);
  if (file.ends_with(".tck") || file.ends_with(".sync"))
    return net::net_from_network(load_model(file, network::Clients::Any).network);
  return {any ? net::read_any_net(file, read_input(file)) : net::read_net(file, read_input(file)), {}, {}, {}};
}

/// Nothing was asked but to write the net in another format.
void conclude_conversion(Context& context, const Net& net) {
  context.prompt_end.reset();
  if (context.json) {
    auto json = json_frame(Result::Ok);
    json["places"] = net.places().size();
    json["transitions"] = net.transitions().size();
    print_answer(json);
  } else if (!context.quiet) {
    fmt::print("places {}  transitions {}\n", net.places().size(), net.transitions().size());
  }
}

void run_unfold(Context& context, const UnfoldOptions& options) {
  start_within(context, options.limits);
  // The search for deadlocks does without 1-safeness.
  const bool any = options.deadlock && !options.explicit_graph && options.convert.empty() && options.net_dot.empty();
  const net::ProductNet loaded = load(options.file, any);
  const Net& net = loaded.net;
  const std::optional<Question> question = resolve(loaded, options);
  if (!options.net_dot.empty()) write_beside_answer(context, options.net_dot, net::to_dot(net));
  if (!options.convert.empty())
    write_beside_answer(context, options.convert,
                        options.convert.ends_with(".ll_net") ? net::to_ll_net(net) : net::to_pnml(net));
  const bool only_converts = !options.convert.empty() && !question && !options.explicit_graph && options.dot.empty() &&
                             options.prefix_file.empty();
  if (only_converts) return conclude_conversion(context, net);
  if (options.explicit_graph)
    run_explicit(context, options, loaded, question);
  else
    run_prefix(context, options, net, question);
}

}  // namespace

void register_unfold(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, context, "unfold", "Complete prefix of a Petri net with read arcs, and questions about it");
  const auto options = std::make_shared<UnfoldOptions>();
  command
      ->add_option("net", options->file,
                   "A net (.ll_net, .pnml, .tapn, TINA .net; - for standard input) or a network (.tck, .sync)")
      ->required();
  command->add_option("--order", options->order, "Adequate order (default erv)")
      ->check(CLI::IsMember({"mcmillan", "erv"}));
  auto* questions = command->add_option_group("questions", "A yes is a bug: exit 1 with a firing sequence");
  auto* deadlock = questions->add_flag("--deadlock", options->deadlock, "Can the net deadlock?");
  questions->add_option("--cover", options->cover, "Can all of these places be marked at once? p1,p2,...");
  questions->add_option("--reach", options->reach, "Is the marking of exactly these places reachable? p1,p2,...");
  questions->add_option("--fire", options->fire, "Can this transition fire?");
  questions->require_option(0, 1);
  command
      ->add_option("--final", options->final,
                   "The marking of exactly these places is a final marking, not a deadlock: p1,p2,...")
      ->needs(deadlock);
  add_limit_options(*command, options->limits);
  auto* dot = command->add_option("--dot", options->dot, "Write the prefix as a DOT graph");
  command->add_option("--net-dot", options->net_dot, "Write the net as a DOT graph");
  auto* file = command->add_option("--prefix", options->prefix_file,
                                   "Write the prefix as JSON, or as a net if FILE ends in .ll_net");
  command->add_option("--convert", options->convert, "Write the net as PNML, or as PEP net if FILE ends in .ll_net");
  command->add_flag("--explicit", options->explicit_graph, "Explore the reachability graph instead, for comparison")
      ->excludes(dot)
      ->excludes(file);
  command->callback([&context, options] { run_unfold(context, *options); });
}

}  // namespace mazurka::cli
