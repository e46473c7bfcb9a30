#include "stateful/view.hpp"

namespace mazurka::stateful {

View::View(const LocalFacts& facts, const network::PackedLayout& layout, const std::uint64_t* state)
    : facts_(&facts),
      layout_(&layout),
      in_word_(layout.words()),
      client_ready_(facts.action_words()),
      server_ready_(facts.action_words()) {
  const network::Network& network = facts.network();
  for (ComponentId p = 0; p < network.components().size(); ++p) {
    at_.push_back(layout.get(state, p));
    if (network.location_count(p) > 1) in_word_[layout.field(p).word].push_back(p);
    insert((network.component(p).role == network::Role::Client ? client_ready_ : server_ready_).data(),
           facts.out(row(p)));
  }
}

void View::move(Word* ready, ComponentId p, LocationId to) {
  // Not the whole alphabet: only the actions that p was ready for can be set.
  remove(ready, facts_->out(row(p)));
  at_[p] = to;
  insert(ready, facts_->out(row(p)));
}

bool View::any_enabled() const {
  for (std::uint32_t w = 0; w < words(); ++w)
    if (enabled(w) != 0) return true;
  return false;
}

void View::load(const std::uint64_t* from, const std::uint64_t* to) {
  const network::Network& network = facts_->network();
  for (std::uint32_t w = 0; w < in_word_.size(); ++w) {
    if (from[w] == to[w]) continue;
    for (ComponentId p : in_word_[w]) {
      const LocationId location = layout_->get(to, p);
      if (location == at_[p]) continue;
      move((network.component(p).role == network::Role::Client ? client_ready_ : server_ready_).data(), p, location);
    }
  }
}

View::Undo View::take(ActionId a) {
  const network::Network& network = facts_->network();
  const ComponentId client = facts_->client(a);
  const ComponentId server = facts_->server(a);
  const Undo before{at_[client], at_[server]};
  move(client_ready_.data(), client, network.successor(client, before.client, a));
  move(server_ready_.data(), server, network.successor(server, before.server, a));
  return before;
}

void View::undo(ActionId a, Undo before) {
  move(client_ready_.data(), facts_->client(a), before.client);
  move(server_ready_.data(), facts_->server(a), before.server);
}

}  // namespace mazurka::stateful
