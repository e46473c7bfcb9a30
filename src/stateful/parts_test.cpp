// The parts of the exploration against their definitions, in every reachable state of random networks.
#include <gtest/gtest.h>

#include "network/modeller.hpp"
#include "network/reachability.hpp"
#include "stateful/closure.hpp"
#include "stateful/first_sets.hpp"
#include "stateful/ifs.hpp"
#include "stateful/naive.hpp"
#include "stateful/p_closure.hpp"
#include "stateful/pifs.hpp"
#include "stateful/rpifs.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"

namespace mazurka::stateful {
namespace {

using network::Network;
using testing::NetworkSpec;
using testing::property;

constexpr std::uint64_t kMaxStates = 400;

std::set<std::uint32_t> members(const std::vector<Word>& set) {
  std::set<std::uint32_t> result;
  for_each_bit(set, [&](std::uint32_t i) { result.insert(i); });
  return result;
}

std::vector<Word> bits(const std::set<std::uint32_t>& members, std::uint32_t words) {
  std::vector<Word> result(words);
  for (std::uint32_t i : members) set_bit(result.data(), i);
  return result;
}

/// Calls `visit(product, facts, packed state)` in every reachable state of a network, if there are not too many.
template <typename Visit>
void in_all_states(const Network& network, Visit&& visit) {
  const network::Product product(network);
  const LocalFacts facts(network);
  network::Reachability all(product, {kMaxStates});
  all.run();
  for (network::StateId s = 0; s < all.states(); ++s) visit(product, facts, all.state(s));
}

/// The subsets of a set of at most five members; of a larger one, those of its first five, with the rest added.
std::vector<naive::Actions> some_subsets(const naive::Actions& set) {
  const std::vector<ActionId> all(set.begin(), set.end());
  const std::size_t varied = std::min<std::size_t>(all.size(), 5);
  std::vector<naive::Actions> result;
  for (std::uint32_t choice = 0; choice < (1U << varied); ++choice) {
    naive::Actions subset(all.begin() + static_cast<std::ptrdiff_t>(varied), all.end());
    for (std::uint32_t i = 0; i < varied; ++i)
      if ((choice >> i) & 1U) subset.insert(all[i]);
    result.push_back(std::move(subset));
  }
  return result;
}

TEST(Closure, IsThatOfTheDefinition) {
  EXPECT_TRUE(property("closure and p-closure", 1500, [](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    in_all_states(network, [&](const auto& product, const LocalFacts& facts, const std::uint64_t* packed) {
      const View view(facts, product.layout(), packed);
      Closure closure(facts);
      PClosure p_closure(facts);
      const auto s = naive::unpack(product, packed);
      for (ActionId b : naive::enabled(network, s)) {
        RC_ASSERT(members(closure.closure(view, b)) == naive::closure(network, s, b));
        RC_ASSERT(members(p_closure.closure(view, b)) == naive::p_closure(network, s, b));
      }
    });
  }));
}

TEST(Pifs, IsThatOfTheDefinitionAndIfsImpliesIt) {
  EXPECT_TRUE(property("IFS implies PIFS implies rPIFS", 700, [](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    const network::Product product(network);
    const FirstSets first_sets(product, {kMaxStates, 100'000});
    RC_PRE(first_sets.complete());
    Ifs ifs(product);
    in_all_states(network, [&](const auto&, const LocalFacts& facts, const std::uint64_t* packed) {
      const View view(facts, product.layout(), packed);
      Pifs pifs(facts);
      const auto s = naive::unpack(product, packed);
      for (const naive::Actions& b : some_subsets(naive::enabled(network, s))) {
        const auto set = bits(b, facts.action_words());
        bool includes_first = false;
        for (FirstSets::SetId id : first_sets.of(packed)) {
          const auto& first = first_sets.set(id);
          includes_first = includes_first || std::includes(b.begin(), b.end(), first.begin(), first.end());
        }
        RC_ASSERT(ifs.test(packed, set) == includes_first);
        RC_ASSERT(pifs.test(view, set.data()) == naive::pifs(network, s, b, true));
        RC_ASSERT(rpifs(view, set) == naive::pifs(network, s, b, false));
        RC_ASSERT(!includes_first || pifs.test(view, set.data()));
        RC_ASSERT(!pifs.test(view, set.data()) || rpifs(view, set));
      }
      for (ActionId b : naive::enabled(network, s)) {
        const Pifs::Answer answer = pifs.test_one(view, b);
        RC_ASSERT(answer.wraps == naive::pifs(network, s, {b}, true));
        RC_ASSERT(answer.wraps || answer.size == naive::pifs_set(network, s, {b}, true).size());
      }
    });
  }));
}

TEST(Closure, CoversAndIsWithinThePSet) {
  EXPECT_TRUE(property("Lemma 37 and Remark 39", 700, [](const NetworkSpec& spec) {
    const Network network = to_network(spec);
    const network::Product product(network);
    const FirstSets first_sets(product, {kMaxStates, 100'000});
    RC_PRE(first_sets.complete());
    in_all_states(network, [&](const auto&, const LocalFacts& facts, const std::uint64_t* packed) {
      const View view(facts, product.layout(), packed);
      Closure closure(facts);
      PClosure p_closure(facts);
      for (ActionId b : naive::enabled(network, naive::unpack(product, packed))) {
        const auto c = members(closure.closure(view, b));
        const auto r = p_closure.closure(view, b);
        for (ActionId a : c)
          if (view.client_ready(a) && view.server_ready(a))
            RC_ASSERT(has_bit(r.data(), facts.client(a)) && has_bit(r.data(), facts.server(a)));
        for (FirstSets::SetId id : first_sets.of(packed)) {
          const auto& first = first_sets.set(id);
          RC_ASSERT(std::any_of(first.begin(), first.end(), [&](ActionId a) { return c.contains(a); }));
        }
      }
    });
  }));
}

// Figure 1:
//
//   client P_b:    start ──b──▶ ·              server S_ab:   s0 ──a, b──▶ s1
//   client P_ce:   start ──e──▶ · ──a──▶ ·     server S_e:    s0 ──e──▶ s1
//                    └──c──▶ ·                 server S_c:    s0 ──c──▶ s1
//
// closure(s, b): a, since S_ab is ready for it too; e, since P_ce can do it before a. Not c, which conflicts with e
// only.
TEST(Closure, OfFigureOneIsNoPersistentSet) {
  network::Modeller model("figure1");
  const auto ab = model.server("ab");
  const auto ab0 = model.location(ab, "s0");
  const auto ab1 = model.location(ab, "s1");
  model.server_edge(ab, ab0, ab1, "a");
  model.server_edge(ab, ab0, ab1, "b");
  const auto se = model.server("e");
  model.server_edge(se, model.location(se, "s0"), model.location(se, "s1"), "e");
  const auto sc = model.server("c");
  model.server_edge(sc, model.location(sc, "s0"), model.location(sc, "s1"), "c");
  const auto pb = model.client("pb");
  model.then(pb, model.location(pb, "start"), ab, "b");
  const auto pce = model.client("pce");
  const auto start = model.location(pce, "start");
  model.then(pce, model.then(pce, start, se, "e"), ab, "a");
  model.then(pce, start, sc, "c");
  const Network network = model.build(network::ActionOrder::ByClient);
  const network::Product product(network);
  const LocalFacts facts(network);
  const View view(facts, product.layout(), product.initial().data());
  std::set<std::string> names;
  for (ActionId a : members(Closure(facts).closure(view, 0)))
    names.insert(network.events()[network.action(a).server_event]);
  EXPECT_EQ(names, (std::set<std::string>{"a", "b", "e"}));
}

}  // namespace
}  // namespace mazurka::stateful
