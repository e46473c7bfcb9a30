#include "network/reachability.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "network/families.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"

namespace mazurka::network {
namespace {

std::uint64_t states_of(std::string_view family, std::vector<unsigned> arguments) {
  const Network network = generate(family, arguments);
  const Product product(network);
  Reachability search(product, {});
  search.run();
  EXPECT_TRUE(search.complete());
  return search.states();
}

// Table 1 of *Revisiting Stateful Partial-Order Reduction*, and closed forms where they are known.
TEST(Reachability, MeetsThePapersNumbers) {
  EXPECT_EQ(states_of("bg", {3}), 163217U);
  EXPECT_EQ(states_of("mpat", {5}), 59616U);
  EXPECT_EQ(states_of("fs", {6}), 531441U);
  EXPECT_EQ(states_of("pet", {4}), 19029U);
  EXPECT_EQ(states_of("pet", {5}), 932573U);
  unsigned power = 25;
  for (unsigned n = 2; n <= 7; ++n, power *= 5) EXPECT_EQ(states_of("dp", {n}), power - 1) << "5^n - 1";
}

/// The product straight from Def. 3, with sets of vectors.
struct Plain {
  std::set<std::vector<LocationId>> states;
  std::uint64_t transitions = 0;
  std::uint64_t deadlocks = 0;
};
Plain plain_reachability(const Network& network) {
  Plain result;
  std::vector<LocationId> initial;
  for (ComponentId c = 0; c < network.components().size(); ++c) initial.push_back(network.initial(c));
  std::vector<std::vector<LocationId>> queue{initial};
  result.states.insert(initial);
  while (!queue.empty()) {
    const auto state = queue.back();
    queue.pop_back();
    bool moved = false;
    bool wants = false;
    for (ActionId a = 0; a < network.actions().size(); ++a) {
      const Action& action = network.action(a);
      auto next = state;
      const auto& find = [&](ComponentId c, EventId event) {
        for (const Edge& edge : network.component(c).edges)
          if (edge.source == state[c] && edge.event == event) return edge.target;
        return kNoLocation;
      };
      next[action.client] = find(action.client, action.client_event);
      next[action.server] = find(action.server, action.server_event);
      wants |= next[action.client] != kNoLocation;
      if (next[action.client] == kNoLocation || next[action.server] == kNoLocation) continue;
      moved = true;
      ++result.transitions;
      if (result.states.insert(next).second) queue.push_back(next);
    }
    if (!moved && wants) ++result.deadlocks;
  }
  return result;
}

TEST(Reachability, AgreesWithTheDefinitionOnRandomNetworks) {
  EXPECT_TRUE(testing::property("packed product = product by definition", 1'000, [](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    const Product product(network);
    Reachability search(product, {});
    search.run();
    const Plain plain = plain_reachability(network);
    RC_ASSERT(search.states() == plain.states.size());
    RC_ASSERT(search.transitions() == plain.transitions);
    RC_ASSERT(search.deadlocks().size() == plain.deadlocks);
    for (StateId id : search.deadlocks()) {
      auto state = product.initial();
      for (ActionId action : search.run_to(id)) RC_ASSERT(product.take(state.data(), action));
      RC_ASSERT(std::equal(state.begin(), state.end(), search.state(id)));
    }
  }));
}

TEST(Reachability, StopsAtItsLimitAndSaysSo) {
  const std::vector<unsigned> arguments{6};
  const Network network = generate("dp", arguments);
  const Product product(network);
  Reachability search(product, {100});
  search.run();
  EXPECT_FALSE(search.complete());
}

TEST(PackedLayout, SpreadsManyComponentsOverWords) {
  const std::vector<unsigned> arguments{40};
  const Network network = generate("dp", arguments);  // 40 * 3 + 40 bits
  const PackedLayout layout(network);
  EXPECT_EQ(layout.bits(), 160U);
  EXPECT_EQ(layout.words(), 3U);
  std::vector<std::uint64_t> state(layout.words(), 0);
  for (ComponentId c = 0; c < network.components().size(); ++c)
    layout.set(state.data(), c, network.location_count(c) - 1);
  for (ComponentId c = 0; c < network.components().size(); c += 2) layout.set(state.data(), c, 0);
  for (ComponentId c = 0; c < network.components().size(); ++c)
    EXPECT_EQ(layout.get(state.data(), c), c % 2 == 0 ? 0 : network.location_count(c) - 1);
}

TEST(StateStore, NumbersStatesInOrderOfArrival) {
  StateStore store(2);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t state[] = {i * 7, i % 3};
    const auto [id, fresh] = store.insert(state);
    ASSERT_TRUE(fresh);
    ASSERT_EQ(id, i);
  }
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t state[] = {i * 7, i % 3};
    const auto [id, fresh] = store.insert(state);
    ASSERT_FALSE(fresh);
    ASSERT_EQ(id, i);
    ASSERT_EQ(store[id][0], i * 7);
  }
}

}  // namespace
}  // namespace mazurka::network
