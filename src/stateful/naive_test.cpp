#include "stateful/naive.hpp"

#include <deque>

namespace mazurka::stateful::naive {
namespace {

using network::kNoLocation;
using network::Network;

ComponentId partner(const Network& network, ComponentId p, ActionId a) {
  return network.action(a).client == p ? network.action(a).server : network.action(a).client;
}

bool ready(const Network& network, ComponentId p, LocationId l, ActionId a) {
  return network.successor(p, l, a) != kNoLocation;
}

/// Whether p gets from l to before b by actions that `allowed` admits.
template <typename Allowed>
bool reaches(const Network& network, ComponentId p, LocationId l, ActionId b, Allowed&& allowed) {
  std::set<LocationId> seen{l};
  std::deque<LocationId> queue{l};
  while (!queue.empty()) {
    const LocationId at = queue.front();
    queue.pop_front();
    if (ready(network, p, at, b)) return true;
    for (ActionId x : network.actions_of(p)) {
      const LocationId target = network.successor(p, at, x);
      if (target != kNoLocation && allowed(x) && seen.insert(target).second) queue.push_back(target);
    }
  }
  return false;
}

std::set<ComponentId> domain(const Network& network, const Actions& actions) {
  std::set<ComponentId> result;
  for (ActionId a : actions) result.insert({network.action(a).client, network.action(a).server});
  return result;
}

}  // namespace

State unpack(const network::Product& product, const std::uint64_t* packed) {
  State s;
  for (ComponentId p = 0; p < product.network().components().size(); ++p) s.push_back(product.layout().get(packed, p));
  return s;
}

Actions enabled(const Network& network, const State& s) {
  Actions result;
  for (ActionId a = 0; a < network.actions().size(); ++a) {
    const ComponentId client = network.action(a).client;
    const ComponentId server = network.action(a).server;
    if (ready(network, client, s[client], a) && ready(network, server, s[server], a)) result.insert(a);
  }
  return result;
}

Actions closure(const Network& network, const State& s, ActionId of) {
  Actions c;
  for (ComponentId p : {network.action(of).client, network.action(of).server})
    for (ActionId a : network.actions_of(p))
      if (ready(network, p, s[p], a)) c.insert(a);
  for (std::size_t before = 0; before != c.size();) {
    before = c.size();
    for (ActionId b : Actions(c))
      for (ComponentId p : {network.action(b).client, network.action(b).server}) {
        if (!ready(network, p, s[p], b)) continue;
        const ComponentId q = partner(network, p, b);
        for (ActionId first : network.actions_of(q)) {
          const LocationId target = network.successor(q, s[q], first);
          if (target != kNoLocation && reaches(network, q, target, b, [](ActionId) { return true; })) c.insert(first);
        }
      }
  }
  return c;
}

std::set<ComponentId> p_closure(const Network& network, const State& s, ActionId b) {
  std::set<ComponentId> r{network.action(b).client, network.action(b).server};
  for (std::size_t before = 0; before != r.size();) {
    before = r.size();
    for (ComponentId p : std::set(r))
      for (ActionId c : network.actions_of(p))
        if (reaches(network, p, s[p], c, [](ActionId) { return true; })) r.insert(partner(network, p, c));
  }
  return r;
}

Actions pifs_set(const Network& network, const State& s, const Actions& start, bool over_dom_b) {
  Actions b = start;
  for (std::size_t before = 0; before != b.size();) {
    before = b.size();
    const auto dom = domain(network, b);
    const auto allowed = [&](ActionId x) {
      return !over_dom_b || (dom.contains(network.action(x).client) && dom.contains(network.action(x).server));
    };
    for (ActionId d : Actions(b))
      for (ComponentId p : {network.action(d).client, network.action(d).server}) {
        const LocationId target = network.successor(p, s[p], d);
        if (target == kNoLocation) continue;
        for (ActionId c : network.actions_of(p)) {
          const ComponentId q = partner(network, p, c);
          if (ready(network, q, s[q], c) && reaches(network, p, target, c, allowed)) b.insert(c);
        }
      }
  }
  return b;
}

bool pifs(const Network& network, const State& s, const Actions& b, bool over_dom_b) {
  const auto dom = domain(network, pifs_set(network, s, b, over_dom_b));
  for (ActionId e : enabled(network, s))
    if (!dom.contains(network.action(e).client) && !dom.contains(network.action(e).server)) return false;
  return true;
}

}  // namespace mazurka::stateful::naive
