#include "net/reachability.hpp"

#include <gtest/gtest.h>

namespace mazurka::net {
namespace {

///        (a●) ──▶ [t] ──▶ (b) ──▶ [v] ──▶ a if it is safe, else d, where the token of u may be already
///                          ┊
///        (c●) ───────────▶ [u] ──▶ (d)        u reads b
Net example(bool unsafe) {
  Net net;
  const PlaceId a = net.add_place("a", true);
  const PlaceId b = net.add_place("b");
  const PlaceId c = net.add_place("c", true);
  const PlaceId d = net.add_place("d");
  const TransitionId t = net.add_transition("t");
  const TransitionId u = net.add_transition("u");
  const TransitionId v = net.add_transition("v");
  net.add_input(a, t);
  net.add_output(t, b);
  net.add_read(b, u);
  net.add_input(c, u);
  net.add_output(u, d);
  net.add_input(b, v);
  net.add_output(v, unsafe ? d : a);
  net.finish();
  return net;
}

TEST(Reachability, CountsMarkingsAndEdges) {
  const ReachabilityGraph graph(example(false));
  EXPECT_TRUE(graph.complete());
  EXPECT_EQ(graph.markings().size(), 4U);
  EXPECT_EQ(graph.edges(), 5U);
  EXPECT_EQ(graph.deadlocks(), 0U);
}

TEST(Reachability, AProperEndIsNoDeadlock) {
  Net net;
  const PlaceId begin = net.add_place("begin", true);
  const PlaceId end = net.add_place("end");
  const TransitionId t = net.add_transition("t");
  net.add_input(begin, t);
  net.add_output(t, end);
  net.finish();
  EXPECT_EQ(ReachabilityGraph(net).deadlocks(), 1U);
  ReachabilityGraph::Limits limits;
  limits.is_end = [&](std::span<const Word> marking) { return holds(marking, end); };
  EXPECT_EQ(ReachabilityGraph(net, limits).deadlocks(), 0U);
}

TEST(Reachability, NamesThePlaceThatIsNotSafe) {
  const Net net = example(true);
  const ReachabilityGraph graph(net);
  ASSERT_TRUE(graph.unsafe());
  EXPECT_FALSE(graph.complete());
  EXPECT_EQ(unsafe_message(net, *graph.unsafe()),
            "the net is not 1-safe: place 'd' gets a second token when these fire in order: t u v");
}

TEST(Reachability, PathsAreReplayed) {
  const Net net = example(false);
  const ReachabilityGraph graph(net);
  for (std::uint32_t m = 0; m < graph.markings().size(); ++m) {
    const auto marking = Simulator(net).replay(graph.path_to(m));
    ASSERT_TRUE(marking);
    EXPECT_TRUE(std::equal(marking->begin(), marking->end(), graph.markings()[m].begin()));
  }
}

TEST(Reachability, StopsAtALimit) { EXPECT_FALSE(ReachabilityGraph(example(false), {.markings = 2}).complete()); }

TEST(Simulator, RefusesWhatIsNotEnabled) {
  const Net net = example(false);
  EXPECT_FALSE(Simulator(net).replay(std::vector<TransitionId>{1}));
  EXPECT_TRUE(Simulator(net).replay(std::vector<TransitionId>{0, 1, 2}));
}

TEST(PlainEncoding, TurnsReadArcsIntoLoops) {
  const Net plain = plain_encoding(example(false));
  EXPECT_FALSE(plain.has_reads());
  EXPECT_EQ(ReachabilityGraph(plain).markings().size(), 4U);
}

}  // namespace
}  // namespace mazurka::net
