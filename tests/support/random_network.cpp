#include "support/random_network.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "network/modeller.hpp"
#include "network/tck.hpp"

namespace mazurka::testing {

using network::ComponentId;
using network::LocationId;
using network::Modeller;

namespace {

enum class Kind { Lock, Variable, Channel };

struct Server {
  Kind kind;
  ComponentId id;
  unsigned values = 0;  // of a variable
};

Server make_server(Modeller& model, std::size_t index, unsigned number) {
  switch (number % 5) {
    case 0:
    case 1: return {Kind::Lock, model.lock(fmt::format("lock{}", index))};
    case 2: return {Kind::Variable, model.variable(fmt::format("bit{}", index), 2, 0), 2};
    case 3: return {Kind::Variable, model.variable(fmt::format("var{}", index), 3, 0), 3};
    default: {
      const ComponentId id = model.server(fmt::format("channel{}", index));
      for (int used = 0; used <= 2; ++used) model.location(id, fmt::format("n{}", used));
      for (LocationId used : {0U, 1U}) {
        model.server_edge(id, used, used + 1, "put");
        model.server_edge(id, used + 1, used, "get");
      }
      return {Kind::Channel, id};
    }
  }
}

/// What a client does with a server: one operation, or several of which the server allows one at a time (a read).
std::vector<std::string> operations(const Server& server, unsigned number, std::set<ComponentId>& held) {
  switch (server.kind) {
    case Kind::Lock:  // taken if it is free, else released: mostly well-nested, seldom stuck
      if (held.erase(server.id) != 0) return {"rel"};
      held.insert(server.id);
      return {"acq"};
    case Kind::Channel: return {number % 2 == 0 ? "put" : "get"};
    case Kind::Variable: break;
  }
  if (number == 11) return {network::read_event(1)};  // waits for a value
  if (number % 2 == 0) return {network::write_event(number / 2 % server.values)};
  std::vector<std::string> reads;
  for (unsigned value = 0; value < server.values; ++value) reads.push_back(network::read_event(value));
  return reads;
}

}  // namespace

namespace {

network::Network to_network(const NetworkSpec& spec, network::Clients clients) {
  Modeller model("random");
  std::vector<Server> servers;
  for (std::size_t i = 0; i < spec.servers.size(); ++i) servers.push_back(make_server(model, i, spec.servers[i]));
  for (std::size_t i = 0; i < spec.clients.size(); ++i) {
    const ComponentId client = model.client(fmt::format("c{}", i));
    LocationId source = model.location(client, "start");
    LocationId target = source;
    std::set<std::pair<ComponentId, std::string>> offered;  // from `source`: components are deterministic
    std::set<ComponentId> held;
    for (const EdgeSpec& edge : spec.clients[i]) {
      const bool branches = edge.branches && target != source;
      if (!branches) {
        source = target;
        offered.clear();
      }
      const Server& server = servers[edge.server % servers.size()];
      const bool joins = branches && edge.joins;
      const LocationId before = target;
      for (const std::string& operation : operations(server, edge.operation, held)) {
        if (!offered.emplace(server.id, operation).second) continue;
        if (joins || target != before) {
          model.step(client, source, target, server.id, operation);
        } else {
          target = model.then(client, source, server.id, operation);
        }
      }
    }
    for (ComponentId lock : held) target = model.then(client, target, lock, "rel");
    if (clients == network::Clients::Any && (i == 0 || spec.clients[i].size() % 2 == 1)) {
      const ComponentId loop = model.server(fmt::format("loop{}", i));
      model.location(loop, "idle");
      model.server_edge(loop, 0, 0, "again");
      model.step(client, target, 0, loop, "again");
    }
  }
  return model.build(network::ActionOrder::ByClient, clients);
}

}  // namespace

network::Network to_network(const NetworkSpec& spec) { return to_network(spec, network::Clients::Acyclic); }
network::Network to_cyclic_network(const NetworkSpec& spec) { return to_network(spec, network::Clients::Any); }

std::ostream& operator<<(std::ostream& out, const NetworkSpec& spec) {
  return out << "\n" << network::write_tck(to_network(spec));
}

rc::Gen<NetworkSpec> network_specs(int max_clients, int max_edges) {
  const auto byte = rc::gen::inRange<std::uint8_t>(0, 12);
  const auto edge = rc::gen::build<EdgeSpec>(
      rc::gen::set(&EdgeSpec::branches, rc::gen::map(rc::gen::inRange(0, 4), [](int x) { return x == 3; })),
      rc::gen::set(&EdgeSpec::joins), rc::gen::set(&EdgeSpec::server, byte), rc::gen::set(&EdgeSpec::operation, byte));
  const auto clients = rc::gen::mapcat(rc::gen::inRange(2, max_clients + 1), [=](int n) {
    const int edges = std::max(2, max_edges / n);
    const auto client = rc::gen::mapcat(rc::gen::inRange(1, edges + 1), [edge](int length) {
      return rc::gen::container<std::vector<EdgeSpec>>(static_cast<std::size_t>(length), edge);
    });
    return rc::gen::container<std::vector<std::vector<EdgeSpec>>>(static_cast<std::size_t>(n), client);
  });
  const auto servers = rc::gen::mapcat(rc::gen::inRange(1, 4), [byte](int n) {
    return rc::gen::container<std::vector<std::uint8_t>>(static_cast<std::size_t>(n), byte);
  });
  // Always of full size: small cases come from shrinking, not from the start of a run.
  return rc::gen::resize(rc::kNominalSize, rc::gen::build<NetworkSpec>(rc::gen::set(&NetworkSpec::servers, servers),
                                                                       rc::gen::set(&NetworkSpec::clients, clients)));
}

}  // namespace mazurka::testing
