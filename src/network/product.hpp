// The explicit product TS(P) of a network (Def. 3 of *Revisiting Stateful POR*): enabled actions and successors of
// packed states, computed from tables.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "network/network.hpp"
#include "network/packed.hpp"

namespace mazurka::network {

/// An action that a client offers in one of its locations, with all that is needed to take it.
struct Offer {
  ActionId action;
  LocationId client_target;
  ComponentId server;
  std::uint32_t server_column;  ///< into Product's server table, plus location * server_width
  std::uint32_t server_width;
};

/// How an enabled action changes a packed state: the bits of its client and of its server.
struct Transition {
  std::array<std::uint64_t, 2> flips;
  std::array<std::uint32_t, 2> words;
  ActionId action;

  void apply(std::uint64_t* state) const {
    state[words[0]] ^= flips[0];
    state[words[1]] ^= flips[1];
  }
};

class Product {
 public:
  explicit Product(const Network& network);

  const Network& network() const { return *network_; }
  const PackedLayout& layout() const { return layout_; }

  std::vector<std::uint64_t> initial() const;

  /// What `client` offers in `location`, in action order, whether or not the server accepts.
  std::span<const Offer> offers(ComponentId client, LocationId location) const {
    const std::size_t row = rows_[client] + location;
    return std::span(offers_).subspan(offers_begin_[row], offers_begin_[row + 1] - offers_begin_[row]);
  }

  /// The target location of the server if it accepts `offer` in `state`, else kNoLocation.
  LocationId server_target(const Offer& offer, const std::uint64_t* state) const {
    return server_targets_[offer.server_column + std::size_t{layout_.get(state, offer.server)} * offer.server_width];
  }

  /// Calls `visit(transition)` for every enabled action: client by client, for each client server by server in the
  /// order of their first offers, for each server in action order.
  template <typename Visit>
  void for_each_enabled(const std::uint64_t* state, Visit&& visit) const {
    for (const Client& client : clients_) {
      const std::size_t row = client.row + client.field.get(state);
      for (std::uint32_t m = meetings_begin_[row]; m < meetings_begin_[row + 1]; ++m) {
        const std::size_t agreed = std::size_t{meetings_[m].agreed} + meetings_[m].server.get(state);
        for (std::uint32_t i = agreed_begin_[agreed]; i < agreed_begin_[agreed + 1]; ++i) visit(agreed_[i]);
      }
    }
  }
  /// An upper bound on the number of enabled actions.
  std::size_t most_enabled() const { return network_->actions().size(); }

  /// Replaces `state` by its successor by `action`. Returns false, and changes nothing, if the action is not enabled.
  bool take(std::uint64_t* state, ActionId action) const;

  /// Whether every client has reached a location without edges: a terminal state of the whole system.
  bool finished(const std::uint64_t* state) const;

 private:
  const Network* network_;
  PackedLayout layout_;
  std::vector<std::size_t> rows_;  // of a client: its first row in offers_begin_
  std::vector<std::uint32_t> offers_begin_;
  std::vector<Offer> offers_;
  std::vector<LocationId> server_targets_;

  // What a client in one of its locations may do with one server, by the server's location. A client that waits for a
  // value has an offer for each value, of which the server accepts one.
  struct Meeting {
    PackedField server;
    std::uint32_t agreed;  // where its entries, one per location of the server, start in agreed_begin_
  };
  struct Client {
    PackedField field;
    std::uint32_t row;  // that of its first location
  };
  void add_meetings(ComponentId client, LocationId location);
  Transition transition(ComponentId client, LocationId from, const Offer& offer, LocationId server_from,
                        LocationId server_to) const;

  std::vector<Client> clients_;
  std::vector<std::uint32_t> meetings_begin_;  // by row
  std::vector<Meeting> meetings_;
  std::vector<std::uint32_t> agreed_begin_;
  std::vector<Transition> agreed_;
};

}  // namespace mazurka::network
