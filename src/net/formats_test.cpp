// PNML and TINA nets, and writers whose output is read back.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "net/ll_net_reader.hpp"
#include "net/net_reader.hpp"
#include "net/pnml_reader.hpp"
#include "net/tina_reader.hpp"
#include "net/writers.hpp"
#include "support/compare_nets.hpp"
#include "support/property.hpp"
#include "support/random_nets.hpp"

namespace mazurka::net {
namespace {

using testing::error_of;
using testing::same_net;

TEST(Writers, WhatIsWrittenIsReadBack) {
  EXPECT_TRUE(testing::property("formats", 300, [] {
    const Net net = (*testing::wild_nets()).build();
    RC_ASSERT(same_net(net, read_ll_net("x", to_ll_net(net))));
    RC_ASSERT(same_net(net, read_pnml("x", to_pnml(net))));
  }));
}

TEST(Writers, NamesWithQuotesSurvive) {
  Net net;
  net.add_place("a \"quoted\" <&> name", true);
  net.add_transition("it's");
  EXPECT_TRUE(same_net(net, read_ll_net("x", to_ll_net(net))));
  EXPECT_TRUE(same_net(net, read_pnml("x", to_pnml(net))));
  EXPECT_NE(to_dot(net).find("a \\\"quoted\\\""), std::string::npos);
}

TEST(TinaReader, ReadsTestArcsAndImplicitPlaces) {
  const Net net = read_tina(
      "x",
      "# a comment\nnet {my net}\ntr t1 : {a b} [0,w[ p1 p2?1 -> {p 3} p4*1\npl p1 (1)\npl p2 : l (1) t2 -> t3?1\n");
  ASSERT_EQ(net.transitions().size(), 3U);
  EXPECT_EQ(names_of(net, {0, 1, 2}), "t1 t2 t3");
  EXPECT_EQ(net.transition(0).context, std::vector<PlaceId>{1});
  EXPECT_EQ(net.transition(2).context, std::vector<PlaceId>{1});
  EXPECT_EQ(net.transition(0).pre, std::vector<PlaceId>{0});
  EXPECT_EQ(net.place(2).name, "p 3");
  EXPECT_EQ(net.transition(0).post, (std::vector<PlaceId>{2, 3}));
}

TEST(TinaReader, RefusesWhatItDoesNotMean) {
  EXPECT_EQ(error_of(read_tina, ""), "x:1:1: no net here: expected lines that start with tr or pl");
  EXPECT_EQ(error_of(read_tina, "foo"), "x:1:1: expected tr, pl, lb or net, found 'foo'");
  EXPECT_EQ(error_of(read_tina, "tr t p -> q*2"),
            "x:1:1: transition 't' puts 2 tokens on place 'q'; the net must be 1-safe");
  EXPECT_EQ(error_of(read_tina, "tr t p*0 -> q"),
            "x:1:6: the arc between place 'p' and transition 't' has weight 0; a weight is at least 1");
  EXPECT_EQ(error_of(read_tina, "tr t p*1x -> q"), "x:1:9: unexpected text after the weight of 'p'");
  EXPECT_EQ(error_of(read_tina, "tr t p!1 -> q"), "x:1:7: the stopwatch arc of 'p' is not supported");
  EXPECT_EQ(error_of(read_tina, "tr t p?-1 -> q"), "x:1:7: the inhibitor arc of 'p' is not supported");
  EXPECT_EQ(error_of(read_tina, "tr t [1,2] p -> q"), "x:1:6: time intervals other than [0,w[ are not supported");
  EXPECT_EQ(error_of(read_tina, "tr t p"), "x:1:7: expected '->'");
  EXPECT_EQ(error_of(read_tina, "tr t p -> q?1"),
            "x:1:11: the arc of 'q' cannot be a test arc: a test arc goes from a place to a transition");
  EXPECT_EQ(error_of(read_tina, "pl p (2)"), "x:1:6: place 'p' starts with 2 tokens; the net must be 1-safe");
  EXPECT_EQ(error_of(read_tina, "pl p (1)\npl p (1)"), "x:2:6: a second initial marking of place 'p'");
  EXPECT_EQ(error_of(read_tina, "pl p (1K)"), "x:1:8: expected ')' after the initial marking");
  EXPECT_EQ(error_of(read_tina, "pr a > b"), "x:1:1: priorities are not supported");
  EXPECT_EQ(error_of(read_tina, "tr {t"), "x:1:4: the name in braces is not closed");
  for (const char* first : {"net n", "lb p {}", "nt n 1 {a note}"})
    EXPECT_NE(error_of(read_tina, std::string(first) + " tr t p -> q").find("unexpected text after the declaration"),
              std::string::npos)
        << first;
}

TEST(TinaReader, SkipsNamesLabelsAndNotes) {
  const Net net = read_tina("x", "net {a {\\}} # no more\nnt n 1 {tr u -> q}\nlb p {}\nlb t l\ntr t : {} p -> q\n");
  EXPECT_EQ(net.transitions().size(), 1U);
  EXPECT_EQ(net.places().size(), 2U);
}

TEST(TinaReader, ATransitionThatNeedsTwoTokensOfAPlaceIsDead) {
  for (const char* text : {"tr t p*2 -> q*2\npl p (1)", "tr t p?2 -> q\npl p (1)", "tr t p*1K -> q\npl p (1)"}) {
    const Net net = read_tina("x", text);
    ASSERT_EQ(net.places().size(), 3U) << text;
    EXPECT_EQ(net.place(2).name, "p (second token)");
    EXPECT_FALSE(net.place(2).marked);
    EXPECT_TRUE(net.place(2).producers.empty());
    EXPECT_EQ(net.place(2).consumers, std::vector<TransitionId>{0}) << text;
  }
}

const char* const kPnml = R"(<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="ptnet"><page id="g">
<place id="a"><name><text>A</text></name><initialMarking><text> 1 </text></initialMarking></place>
<page id="h"><place id="b"/></page><transition id="t"/>
<arc id="1" source="a" target="t"/><arc id="2" source="t" target="b"><inscription><text>1</text></inscription></arc>
ARC</page></net></pnml>)";

std::string pnml_with(const std::string& arc) {
  std::string text = kPnml;
  return text.replace(text.find("ARC"), 3, arc);
}

TEST(PnmlReader, ReadsPagesAndReadArcs) {
  for (const char* arc : {"<arc id='3' source='b' target='t' type='read'/>",
                          "<arc id='3' source='b' target='t'><type value='test'/></arc>"}) {
    const Net net = read_pnml("x", pnml_with(arc));
    ASSERT_EQ(net.places().size(), 2U);
    EXPECT_EQ(net.place(0).name, "A");
    EXPECT_EQ(net.place(1).name, "b");
    EXPECT_EQ(net.transition(0).pre, std::vector<PlaceId>{0});
    EXPECT_EQ(net.transition(0).context, std::vector<PlaceId>{1});
  }
}

TEST(PnmlReader, RefusesWhatItDoesNotMean) {
  EXPECT_EQ(error_of(read_pnml, "<pnml><net>"), "x:1:11: not XML: Start-end tags mismatch");
  EXPECT_EQ(error_of(read_pnml, "<foo/>"), "x:1:1: not PNML: the root element must be <pnml>");
  EXPECT_EQ(error_of(read_pnml, pnml_with("<arc id='3' source='b' target='t' type='inhibitor'/>")),
            "x:6:2: arcs of type 'inhibitor' are not supported");
  EXPECT_EQ(error_of(read_pnml, pnml_with("<arc source='b' target='a'/>")),
            "x:6:2: an arc must join a place and a transition");
  EXPECT_EQ(error_of(read_pnml, pnml_with("<arc source='b' target='z'/>")),
            "x:6:2: the target 'z' of this arc is not a node of the net");
  EXPECT_EQ(error_of(read_pnml, pnml_with("<place id='a'/>")), "x:6:2: a second node with id 'a'");
}

TEST(NetReader, FindsTheFormat) {
  EXPECT_EQ(read_net("-", "PEP\nPTNet\nFORMAT_N\nPL\nTR\nTP\nPT\n").places().size(), 0U);
  EXPECT_EQ(read_net("-", "\n% a comment\nPEP\nPTNet\nFORMAT_N\nPL\nTR\nTP\nPT\n").places().size(), 0U);
  EXPECT_EQ(read_net("-", pnml_with("")).places().size(), 2U);
  EXPECT_EQ(read_net("x.tapn", pnml_with("")).places().size(), 2U);
  EXPECT_EQ(read_net("-", "tr t p -> q").places().size(), 2U);
  EXPECT_EQ(error_of(read_net, " \n"), "x: is empty");
}

}  // namespace
}  // namespace mazurka::net
