#include "stateful/view.hpp"

namespace mazurka::stateful {

View::View(const LocalFacts& facts, const network::PackedLayout& layout, const std::uint64_t* state)
    : facts_(&facts), client_ready_(facts.action_words()), server_ready_(facts.action_words()) {
  const network::Network& network = facts.network();
  for (ComponentId p = 0; p < network.components().size(); ++p) {
    at_.push_back(layout.get(state, p));
    insert((network.component(p).role == network::Role::Client ? client_ready_ : server_ready_).data(),
           facts.out(row(p)));
  }
}

void View::move(Word* ready, ComponentId p, LocationId to) {
  // Not the alphabet: only what p was ready for can be set.
  remove(ready, facts_->out(row(p)));
  at_[p] = to;
  insert(ready, facts_->out(row(p)));
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
