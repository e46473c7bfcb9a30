// Networks of automata: client/server systems (Def. 1 and 2 of *Revisiting Stateful Partial-Order Reduction*).
//
// A component is a finite automaton whose edges are labelled with events. An action synchronises one event of one
// client with one event of one server; the order of the actions in the input is the linear order that the stateful
// algorithms use. In the paper every action has its own letter in both components. Here a server may offer the same
// event (say, `acq`) to all its clients, so that a lock has two edges for any number of clients.
//
// An edge of a client whose event is not synchronised is local. It becomes an action with an implicit server of one
// location, so that everything built on networks handles one shape of action only.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace mazurka::network {

using ComponentId = std::uint32_t;
using EventId = std::uint32_t;
using ActionId = std::uint32_t;
using LocationId = std::uint32_t;

inline constexpr LocationId kNoLocation = std::numeric_limits<LocationId>::max();

enum class Role : std::uint8_t { Unknown, Client, Server };

/// The position of an entity in its input; zero if there is none.
struct InputPosition {
  unsigned line = 0;
  unsigned column = 0;
};

struct Location {
  std::string name;
  std::string labels;  ///< kept for the writer, no meaning here
  bool initial = false;
  InputPosition position;
};

struct Edge {
  LocationId source;
  LocationId target;
  EventId event;
  InputPosition position;
};

struct Component {
  std::string name;
  Role role = Role::Unknown;
  std::vector<Location> locations;
  std::vector<Edge> edges;
  InputPosition position;
  bool implicit = false;  ///< made for local actions; not part of the input
};

struct Action {
  ComponentId client;
  EventId client_event;
  ComponentId server;
  EventId server_event;
  InputPosition position;
};

/// The contents of an input, before checks. The components of an action are in input order: `build` puts the client
/// first.
struct Description {
  std::string name;
  std::string file;  ///< for messages
  std::vector<std::string> events;
  std::vector<Component> components;
  std::vector<Action> actions;
};

/// Whether clients may be cyclic. Then only explorations of states, and complete prefixes, terminate.
enum class Clients : std::uint8_t { Acyclic, Any };

/// A checked network with tables for following edges. Immutable.
class Network {
 public:
  /// Checks the description, infers missing roles, adds implicit servers. Throws InputError with the position at fault.
  static Network build(Description description, Clients clients = Clients::Acyclic);

  const std::string& name() const { return description_.name; }
  const std::vector<std::string>& events() const { return description_.events; }
  const std::vector<Component>& components() const { return description_.components; }
  const std::vector<Action>& actions() const { return description_.actions; }
  const Component& component(ComponentId id) const { return description_.components[id]; }
  const Action& action(ActionId id) const { return description_.actions[id]; }

  std::span<const ComponentId> clients() const { return clients_; }
  std::span<const ComponentId> servers() const { return servers_; }

  LocationId initial(ComponentId component) const { return initial_[component]; }
  std::uint32_t location_count(ComponentId component) const {
    return static_cast<std::uint32_t>(description_.components[component].locations.size());
  }

  /// The actions of a component, in action order.
  std::span<const ActionId> actions_of(ComponentId component) const;

  /// The target location of `component` by `action`, or kNoLocation. \pre `component` is in dom(action).
  LocationId successor(ComponentId component, LocationId location, ActionId action) const {
    const Columns& columns = columns_[action];
    const bool is_client = component == description_.actions[action].client;
    return successors_[table_[component] + std::size_t{location} * width_[component] +
                       (is_client ? columns.client : columns.server)];
  }

  /// Def. 10: two actions are dependent if their domains intersect.
  bool dependent(ActionId a, ActionId b) const {
    const Action& x = description_.actions[a];
    const Action& y = description_.actions[b];
    return x.client == y.client || x.server == y.server;
  }

  /// `client.event`; `client.event/server.event` if the two event names differ.
  std::string action_name(ActionId action) const;

 private:
  // The columns of an action in the successor tables of its two components.
  struct Columns {
    std::uint32_t client;
    std::uint32_t server;
  };

  void index_actions();
  void build_tables();

  Description description_;
  std::vector<ComponentId> clients_;
  std::vector<ComponentId> servers_;
  std::vector<LocationId> initial_;
  std::vector<ActionId> actions_of_;
  std::vector<std::uint32_t> actions_of_begin_;
  std::vector<Columns> columns_;
  std::vector<std::size_t> table_;  // where a component's table starts in successors_
  std::vector<std::uint32_t> width_;
  std::vector<LocationId> successors_;
};

}  // namespace mazurka::network
