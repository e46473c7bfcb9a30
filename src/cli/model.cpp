#include "cli/model.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/input_kind.hpp"
#include "network/aut.hpp"
#include "network/tck.hpp"
#include "report/schedule_file.hpp"

namespace mazurka::cli {

using network::Action;
using network::ActionId;
using network::ComponentId;
using network::LocationId;
using network::Network;

Model load_model(const std::string& file, network::Clients clients) {
  require_network(file);
  std::string bytes = read_input(file);
  if (!file.ends_with(".sync")) {
    const std::string hash = report::content_hash(bytes);
    return {network::read_tck(bytes, file == "-" ? "<stdin>" : file, clients), hash};
  }
  const std::string text = bytes;
  const auto load = [&](const std::string& name) {
    std::string automaton = read_input((std::filesystem::path(file).parent_path() / name).string());
    bytes += automaton;
    return automaton;
  };
  Network network = network::read_sync(text, file, load, clients);
  return {std::move(network), report::content_hash(bytes)};
}

void print_run(const network::Product& product, std::span<const ActionId> run) {
  const Network& network = product.network();
  std::size_t width = 0;
  for (ActionId id : run) width = std::max(width, network.component(network.action(id).client).name.size());
  auto state = product.initial();
  for (std::size_t i = 0; i < run.size(); ++i) {
    const Action& action = network.action(run[i]);
    const LocationId before = product.layout().get(state.data(), action.server);
    product.take(state.data(), run[i]);
    const auto& server = network.component(action.server);
    fmt::print("  {:>3}  {:<{}}  {}", i + 1, network.component(action.client).name, width,
               network.events()[action.client_event]);
    if (!server.implicit)
      fmt::print("   ({}: {} -> {})", server.name, server.locations[before].name,
                 server.locations[product.layout().get(state.data(), action.server)].name);
    fmt::print("\n");
  }
}

void print_waiting(const network::Product& product, const std::uint64_t* state) {
  const Network& network = product.network();
  for (ComponentId client : network.clients()) {
    std::vector<std::string> awaited;
    for (const network::Offer& offer : product.offers(client, product.layout().get(state, client))) {
      const auto& server = network.component(offer.server);
      awaited.push_back(fmt::format("{} ({} is {})", network.events()[network.action(offer.action).client_event],
                                    server.name, server.locations[product.layout().get(state, offer.server)].name));
    }
    if (!awaited.empty()) fmt::print("  {} waits for {}\n", network.component(client).name, fmt::join(awaited, " or "));
  }
}

}  // namespace mazurka::cli
