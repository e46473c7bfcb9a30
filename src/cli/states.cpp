// mazurka states: the state space of a network.
#include <cstdio>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/model.hpp"
#include "cli/progress.hpp"
#include "network/reachability.hpp"

namespace mazurka::cli {
namespace {

using network::ActionId;

struct Options {
  std::string model;
  std::string algorithm = "reach";
  std::uint64_t max_states = UINT64_MAX;
};

Result verdict(const network::Reachability& search) {
  if (!search.deadlocks().empty()) return Result::Bug;
  return search.complete() ? Result::Ok : Result::Incomplete;
}

void print_json(const network::Product& product, const network::Reachability& search) {
  auto answer = json_frame(verdict(search));
  answer["states"] = search.states();
  answer["transitions"] = search.transitions();
  answer["deadlocks"] = search.deadlocks().size();
  answer["complete"] = search.complete();
  answer["states_per_second"] = static_cast<double>(search.states()) / seconds_since_start();
  answer["bytes_per_state"] = static_cast<double>(search.bytes()) / static_cast<double>(search.states());
  if (!search.deadlocks().empty()) {
    auto& run = answer["deadlock_run"] = nlohmann::json::array();
    for (ActionId action : search.run_to(search.deadlocks().front()))
      run.push_back(product.network().action_name(action));
  }
  fmt::print("{}\n", answer.dump());
}

void print_text(const Context& context, const network::Product& product, const network::Reachability& search) {
  if (!search.deadlocks().empty()) {
    const auto id = search.deadlocks().front();
    fmt::print("deadlock: {} state{} in which some client waits for ever; a shortest run to one:\n",
               grouped(search.deadlocks().size()), search.deadlocks().size() == 1 ? "" : "s");
    print_run(product, search.run_to(id));
    print_waiting(product, search.state(id));
  }
  if (context.quiet) return;
  if (!search.complete()) fmt::print("incomplete: stopped before all states were seen; nothing is proved\n");
  fmt::print("states {}, transitions {}, deadlocks {}\n", grouped(search.states()), grouped(search.transitions()),
             grouped(search.deadlocks().size()));
  if (!context.stats) return;
  fmt::print("{:.2f} s, {} states per second, {:.1f} bytes per state, {} bits packed, peak memory {} MiB\n",
             seconds_since_start(),
             grouped(static_cast<unsigned long long>(static_cast<double>(search.states()) / seconds_since_start())),
             static_cast<double>(search.bytes()) / static_cast<double>(search.states()), product.layout().bits(),
             peak_rss_kib() / 1024);
}

void run(const Options& options, Context& context) {
  const Model model = load_model(options.model);
  const network::Product product(model.network);
  network::Reachability search(product, {options.max_states});
  {
    Progress progress(!context.quiet && !context.json);
    search.run([&](const network::ReachabilityProgress& p) {
      if (!progress.due()) return;
      progress.show(
          fmt::format("{} states, {} waiting, {} transitions, {} states/s", grouped(p.states),
                      grouped(p.states - p.expanded), grouped(p.transitions),
                      grouped(static_cast<unsigned long long>(static_cast<double>(p.states) / seconds_since_start()))));
    });
  }
  context.json ? print_json(product, search) : print_text(context, product, search);
  context.exit_code = exit_code(verdict(search));
}

}  // namespace

void register_states(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "states", "Explore the state space of a network");
  auto options = std::make_shared<Options>();
  command->add_option("model", options->model, kModelHelp)->required();
  command->add_option("--algorithm", options->algorithm, "How to explore")
      ->check(CLI::IsMember({"reach"}))
      ->capture_default_str();
  command->add_option("--max-states", options->max_states, "Stop, incomplete, beyond this many states");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace mazurka::cli
