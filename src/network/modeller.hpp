// A small language to build networks: locks and variables are servers, clients are programs over them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "network/names.hpp"
#include "network/network.hpp"

namespace mazurka::network {

/// The linear order on actions (Remark 20 of *Revisiting Stateful POR*: the size of a reduction depends on it).
enum class ActionOrder {
  ByClient,  ///< in the order in which clients first use them
  ByServer,  ///< all actions of the first server, then of the second, …
};

class Modeller {
 public:
  explicit Modeller(std::string name);

  /// `acq: free -> held`, `rel: held -> free`.
  ComponentId lock(const std::string& name);
  /// One location per value; `read<v>` stays at v, `write<v>` leads to v from anywhere.
  ComponentId variable(const std::string& name, unsigned values, unsigned initial);
  /// A server without locations yet.
  ComponentId server(const std::string& name);
  ComponentId client(const std::string& name);

  /// Adds a location; the first one of a component is its initial location.
  LocationId location(ComponentId component, const std::string& name);
  void server_edge(ComponentId server, LocationId source, LocationId target, std::string_view event);

  /// Adds an edge of a client that performs `operation` of `server`, and the synchronisation if it is new.
  void step(ComponentId client, LocationId source, LocationId target, ComponentId server, std::string_view operation);
  /// The same with a fresh target location, which is returned.
  LocationId then(ComponentId client, LocationId source, ComponentId server, std::string_view operation);

  Network build(ActionOrder order, Clients clients = Clients::Acyclic);

 private:
  ComponentId component(const std::string& name, Role role);
  EventId event(const std::string& name);

  Description description_;
  Names events_;
  std::map<std::pair<ComponentId, EventId>, std::size_t> synchronised_;  // (client, its event): the action
};

std::string read_event(unsigned value);
std::string write_event(unsigned value);

}  // namespace mazurka::network
