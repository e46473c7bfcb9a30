// The unfolder against brute force on thousands of random nets.
#include <set>

#include <gtest/gtest.h>

#include "net/reachability.hpp"
#include "prefix/questions.hpp"
#include "prefix/unfolder.hpp"
#include "support/prefix_configurations.hpp"
#include "support/property.hpp"
#include "support/random_nets.hpp"
#include "support/reference_unfolder.hpp"

namespace mazurka::prefix {
namespace {

using testing::ComponentNet;
using testing::counts_of;
using testing::PrefixConfigurations;
using testing::ReferenceUnfolder;
using testing::WildNet;

constexpr int kCases = 20000;
constexpr std::uint32_t kReferenceMarkings = 24;
constexpr std::size_t kReferenceHistories = 50;

std::set<std::vector<net::Word>> markings_of(const net::ReachabilityGraph& graph) {
  std::set<std::vector<net::Word>> markings;
  for (std::uint32_t m = 0; m < graph.markings().size(); ++m)
    markings.emplace(graph.markings()[m].begin(), graph.markings()[m].end());
  return markings;
}

/// Markings, and where it is cheap enough the exact size, of the prefix under both orders.
void check_prefix(const net::Net& net, const std::set<std::vector<net::Word>>& reachable) {
  for (Order order : {Order::Erv, Order::McMillan}) {
    const Unfolding unfolding = unfold(net, order);
    RC_ASSERT(unfolding.complete);
    const PrefixConfigurations configurations(unfolding.prefix);
    if (!configurations.exceeded()) RC_ASSERT(configurations.markings() == reachable);
    if (reachable.size() > kReferenceMarkings || unfolding.prefix.history_count() > kReferenceHistories) continue;
    const ReferenceUnfolder reference(net, order == Order::Erv);
    if (!reference.exceeded()) RC_ASSERT(counts_of(unfolding.prefix) == reference.counts());
  }
}

void check_questions(const net::Net& net, const net::ReachabilityGraph& graph, const Prefix& prefix) {
  using Reply = Answer::Reply;
  RC_ASSERT((find_deadlock(prefix).reply == Reply::Yes) == (graph.deadlocks() > 0));
  for (TransitionId t = 0; t < net.transitions().size(); ++t) {
    const Answer answer = find_firing(prefix, t);
    RC_ASSERT((answer.reply == Reply::Yes) == graph.fired()[t]);
    if (answer.reply == Reply::Yes) RC_ASSERT(net::Simulator(net).replay(answer.witness).has_value());
  }
  const auto p = *rc::gen::inRange<PlaceId>(0, static_cast<PlaceId>(net.places().size()));
  const auto q = *rc::gen::inRange<PlaceId>(0, static_cast<PlaceId>(net.places().size()));
  bool together = false;
  for (std::uint32_t m = 0; m < graph.markings().size(); ++m)
    together = together || (net::holds(graph.markings()[m], p) && net::holds(graph.markings()[m], q));
  RC_ASSERT((find_cover(prefix, std::vector{p, q}).reply == Reply::Yes) == together);

  // A reachable marking, and one that differs from it in one place.
  const auto any = graph.markings()[*rc::gen::inRange<std::uint32_t>(0, graph.markings().size())];
  for (bool change : {false, true}) {
    std::vector<net::Word> marking(any.begin(), any.end());
    if (change) net::flip(marking, p);
    std::vector<PlaceId> places;
    for (PlaceId x = 0; x < net.places().size(); ++x)
      if (net::holds(marking, x)) places.push_back(x);
    RC_ASSERT((find_marking(prefix, places).reply == Reply::Yes) == graph.markings().contains(marking));
  }
}

TEST(RandomNets, PrefixHasExactlyTheReachableMarkings) {
  EXPECT_TRUE(testing::property("prefix of component nets", kCases, [] {
    const net::Net net = (*testing::component_nets(4, 20)).build();
    const net::ReachabilityGraph graph(net);
    RC_ASSERT(graph.complete());
    check_prefix(net, markings_of(graph));
  }));
}

TEST(RandomNets, PlainEncodingHasTheSameMarkings) {
  EXPECT_TRUE(testing::property("plain encodings", kCases / 10, [] {
    const net::Net net = (*testing::component_nets(4, 16)).build();
    const net::Net plain = plain_encoding(net);
    const net::ReachabilityGraph graph(net);
    RC_ASSERT(markings_of(graph) == markings_of(net::ReachabilityGraph(plain)));
    check_prefix(plain, markings_of(graph));
  }));
}

TEST(RandomNets, AnswersAgreeWithReachability) {
  EXPECT_TRUE(testing::property("questions", kCases, [] {
    const net::Net net = (*testing::component_nets(5, 16)).build();
    const net::ReachabilityGraph graph(net);
    RC_ASSERT(graph.complete());
    const Unfolding unfolding = unfold(net, Order::Erv);
    RC_ASSERT(unfolding.complete);
    check_questions(net, graph, unfolding.prefix);
  }));
}

TEST(RandomNets, UnsafeNetsAreRecognised) {
  EXPECT_TRUE(testing::property("wild nets", kCases, [] {
    const net::Net net = (*testing::wild_nets()).build();
    const net::ReachabilityGraph graph(net);
    const Unfolding unfolding = unfold(net, Order::Erv);
    RC_ASSERT(unfolding.unsafe.has_value() == graph.unsafe().has_value());
    if (!graph.unsafe()) check_prefix(net, markings_of(graph));
  }));
}

}  // namespace
}  // namespace mazurka::prefix
