// PNML as tools write it: what is read, what is decoration, and what is refused by name.
#include <initializer_list>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "net/pnml_reader.hpp"
#include "support/compare_nets.hpp"

namespace mazurka::net {
namespace {

using testing::error_of;

/// p(1) -> t -> q, where the words in capitals are replaced by the given texts, and by nothing otherwise.
std::string dialect(std::initializer_list<std::pair<std::string, std::string>> texts) {
  std::string text = R"(<pnml>ROOT
<net id="n" type="ptnet" A_NET>IN_NET
<place id="p" A_PLACE>IN_PLACE</place>
<place id="q"/>
<transition id="t" A_TRANSITION>IN_TRANSITION</transition>
<arc id="a" source="p" target="t" A_ARC>IN_ARC</arc>
<arc id="b" source="t" target="q"/>
</net></pnml>)";
  const auto replace = [&](const std::string& word, const std::string& by) {
    if (const std::size_t at = text.find(word); at != std::string::npos) text.replace(at, word.size(), by);
  };
  for (const auto& [word, by] : texts) replace(word, by);
  for (const char* word :
       {"ROOT", "A_NET", "IN_NET", "A_PLACE", "IN_PLACE", "A_TRANSITION", "IN_TRANSITION", "A_ARC", "IN_ARC"})
    replace(word, "");
  return text;
}

std::string refusal(const std::string& word, const std::string& by) {
  return error_of(read_pnml, dialect({{word, by}}));
}

bool marked(const std::string& word, const std::string& by) {
  return read_pnml("x", dialect({{word, by}})).place(0).marked;
}

/// Whether t needs more than one token of p.
bool heavy(const std::string& word, const std::string& by) {
  const Net net = read_pnml("x", dialect({{word, by}}));
  EXPECT_EQ(net.transition(0).pre.size(), net.places().size() - 1);
  return net.places().size() == 3;
}

std::string of_type(const std::string& type) {
  std::string text = dialect({});
  return text.replace(text.find("ptnet"), 5, type);
}

TEST(PnmlDialects, TypesOfPlaceTransitionNets) {
  for (const char* type :
       {"", "P/T net", "PTNet", "ptnet", "http://www.pnml.org/version-2009/grammar/ptnet",
        "http://www.pnml.org/version-2009/grammar/pnmlcoremodel", "http://www.informatik.hu-berlin.de/top/pntd/ptNetb",
        "http://www.yasper.org/specs/epnml-1.1", "http://www.laas.fr/tina/tpn"})
    EXPECT_EQ(error_of(read_pnml, of_type(type)), "no error") << type;
  for (const char* type : {"http://www.pnml.org/version-2009/grammar/symmetricnet",
                           "http://www.pnml.org/version-2009/grammar/highlevelnet",
                           "http://www.pnml.org/version-2009/grammar/pt-hlpng", "hlnet", "stochastic", "RefNet"})
    EXPECT_EQ(error_of(read_pnml, of_type(type)),
              std::string("x:2:2: nets of type '") + type +
                  "' are not supported, only place/transition nets; unfold the net to one first");
}

TEST(PnmlDialects, AnEmptyNetIsRefused) {
  EXPECT_EQ(error_of(read_pnml, "<pnml><net id='n' type='ptnet'><page id='g'/></net></pnml>"),
            "x:1:8: the net is empty: it has no place and no transition");
}

TEST(PnmlDialects, MarkingsAndWeightsInAllWays) {
  for (const char* number :
       {"<text>1</text>", "<text> 1\n</text>", "<value>1</value>", "<value>Default,1</value>",
        "<value>Default, 1 ,Red,0</value>", "<value>Red,0,Default,1</value>", "1",
        "<graphics><offset x='0' y='1'/></graphics><text>1</text>", "<text><!-- -->1<!-- --></text>"}) {
    EXPECT_TRUE(marked("IN_PLACE", std::string("<initialMarking>") + number + "</initialMarking>")) << number;
    EXPECT_FALSE(heavy("IN_ARC", std::string("<inscription>") + number + "</inscription>")) << number;
  }
  for (const char* number : {"<text>2</text>", "<value>2</value>", "<value>Default,2</value>", "2"}) {
    EXPECT_EQ(refusal("IN_PLACE", std::string("<initialMarking>") + number + "</initialMarking>"),
              "x:3:2: place 'p' starts with 2 tokens; the net must be 1-safe");
    EXPECT_TRUE(heavy("IN_ARC", std::string("<inscription>") + number + "</inscription>")) << number;
  }
  EXPECT_FALSE(marked("IN_PLACE", "<initialMarking/>"));
  EXPECT_FALSE(marked("IN_PLACE", "<initialMarking><value>Default,0</value></initialMarking>"));
  EXPECT_EQ(refusal("IN_PLACE", "<initialMarking><text>1<!-- -->2</text></initialMarking>"),
            "x:3:2: place 'p' starts with 12 tokens; the net must be 1-safe");
  EXPECT_EQ(refusal("IN_ARC", "<inscription><text>0</text></inscription>"),
            "x:6:2: the arc between place 'p' and transition 't' has weight 0; a weight is at least 1");
}

TEST(PnmlDialects, NumbersThatAreNone) {
  EXPECT_EQ(refusal("IN_PLACE", "<initialMarking><text>one</text></initialMarking>"),
            "x:3:17: <initialMarking> must contain a number, found 'one'");
  for (const char* number :
       {"", "1.0", "x+1", "Default", "Default,", ",1", "Default,1,", "Default,1,Default,1", "99999999999999999999"})
    EXPECT_NE(refusal("IN_ARC", std::string("<inscription><value>") + number + "</value></inscription>"), "no error")
        << number;
  EXPECT_EQ(refusal("IN_PLACE", "<initialMarking><text>1</text><value>1</value></initialMarking>"),
            "x:3:47: <initialMarking> contains two texts; expected one");
  EXPECT_EQ(
      refusal("IN_PLACE", "<initialMarking><structure/></initialMarking>"),
      "x:3:33: <structure> inside <initialMarking>: only place/transition nets are supported; unfold the net to one "
      "first, with the tool that wrote it");
  EXPECT_EQ(refusal("IN_PLACE", "<initialMarking>0</initialMarking><initialMarking>1</initialMarking>"),
            "x:3:2: <place> gives two numbers, 0 and 1");
}

TEST(PnmlDialects, TokensOfTwoClassesAreRefused) {
  EXPECT_EQ(refusal("IN_PLACE", "<initialMarking><value>Default,1,Red,1</value></initialMarking>"),
            "x:3:17: tokens of class 'Red' beside tokens of class 'Default'; coloured tokens are not supported: unfold "
            "the net to one class first");
  EXPECT_NE(refusal("IN_PLACE", "<initialMarking><value>Red,1</value></initialMarking>"), "no error")
      << "an arc without an inscription carries a token of the default class";
}

TEST(PnmlDialects, PipeNet) {
  const Net net = read_pnml("x", R"(<?xml version="1.0" encoding="ISO-8859-1"?><pnml>
<net id="Net-One" type="P/T net"><token id="Default" enabled="true" red="0" green="0" blue="0"/>
<labels x="1" y="2" width="3" height="4" border="false"><text>a note</text></labels>
<place id="P0"><graphics><position x="1.0" y="2.0"/></graphics><name><value>start</value><graphics/></name>
<initialMarking><value>Default,1</value><graphics/></initialMarking><capacity><value>0</value></capacity></place>
<transition id="T0"><graphics/><name><value>T0</value></name><orientation><value>0</value></orientation>
<rate><value>1.0</value></rate><timed><value>false</value></timed><infiniteServer><value>false</value></infiniteServer>
<priority><value>1</value></priority></transition>
<arc id="P0 to T0" source="P0" target="T0"><graphics/><inscription><value>Default,1</value><graphics/></inscription>
<tagged><value>false</value></tagged><arcpath id="000" x="1" y="2" curvePoint="false"/><type value="normal"/></arc>
</net></pnml>)");
  ASSERT_EQ(net.places().size(), 1U);
  EXPECT_EQ(net.place(0).name, "start");
  EXPECT_TRUE(net.place(0).marked);
  EXPECT_EQ(net.transition(0).pre, std::vector<PlaceId>{0});
}

TEST(PnmlDialects, PrioritiesMustDecideNothing) {
  const auto second = [](const std::string& labels) {
    return error_of(read_pnml, dialect({{"IN_TRANSITION", "<timed><value>false</value></timed>"},
                                        {"IN_NET", "<transition id='u'>" + labels + "</transition>"}}));
  };
  EXPECT_EQ(second(""), "no error");
  EXPECT_EQ(second("<timed><value>false</value></timed><priority><value>1</value></priority>"), "no error");
  EXPECT_EQ(second("<timed><value>true</value></timed>"),
            "x:5:2: some transitions are immediate and some timed, and immediate ones fire first; priorities are not "
            "supported: make all transitions of one kind if that is not meant");
  EXPECT_EQ(second("<priority><value>2</value></priority>"),
            "x:5:2: transitions have different priorities; priorities are not supported");
  EXPECT_EQ(second("<timed><value>often</value></timed>"), "x:2:28: <timed> is neither true nor false, but 'often'");
}

TEST(PnmlDialects, Capacities) {
  for (const char* capacity : {"<value>0</value>", "<value>1</value>", "<value>5</value>", "<text>2</text>"})
    EXPECT_EQ(refusal("IN_PLACE", std::string("<capacity>") + capacity + "</capacity>"), "no error") << capacity;
  EXPECT_EQ(refusal("IN_PLACE", "<capacity><text>1</text></capacity>"),
            "x:3:17: the capacity 1 of place 'p' is not supported; remove it if the net is 1-safe without it");
  EXPECT_NE(refusal("IN_PLACE", "<capacity><value>-1</value></capacity>"), "no error");
}

const char* const kTapaal = R"xml(<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">
<declaration><structure><declarations><namedsort id="dot" name="dot"><dot/></namedsort></declarations></structure>
</declaration><constant name="k" value="3"/>
<net active="true" id="N" type="P/T net"><labels border="true" positionX="1">a note</labels>
<place displayName="true" id="P0" initialMarking="1" invariant="&lt; inf" name="start" nameOffsetX="-5" positionX="1">
<type><text>dot</text><structure><usersort declaration="dot"/></structure></type>
<hlinitialMarking><text>(1'dot)</text><structure><numberof><subterm><numberconstant value="1"><positive/>
</numberconstant></subterm><subterm><useroperator declaration="dot"/></subterm></numberof></structure>
</hlinitialMarking></place>
<place id="P1" initialMarking="0" invariant="&lt; inf" name="P1"/>
<transition angle="0" id="T0" infiniteServer="false" name="T0" player="0" priority="0" urgent="false" weight="1.0"/>
<arc id="A0" inscription="[0,inf)" source="P0" target="T0" type="timed" weight="1"><hlinscription><text>1'dot</text>
<structure><numberof><subterm><numberconstant value="1"><positive/></numberconstant></subterm><subterm><dotconstant/>
</subterm></numberof></structure></hlinscription><arcpath arcPointType="false" id="0" xCoord="1" yCoord="2"/></arc>
<arc id="A1" inscription="1" source="T0" target="P1" type="normal" weight="1"/>
</net><query active="true" name="Q"/><k-bound bound="3"/>
<feature isColored="false" isGame="false" isTimed="false"/></pnml>)xml";

TEST(PnmlDialects, TapaalNet) {
  const Net net = read_pnml("x", kTapaal);
  ASSERT_EQ(net.places().size(), 2U);
  EXPECT_EQ(net.place(0).name, "start");
  EXPECT_TRUE(net.place(0).marked);
  EXPECT_FALSE(net.place(1).marked);
  EXPECT_EQ(net.transition(0).pre, std::vector<PlaceId>{0});
  EXPECT_EQ(net.transition(0).post, std::vector<PlaceId>{1});
}

TEST(PnmlDialects, TapaalArcs) {
  const std::string nodes =
      "<pnml><net id='n' type='P/T net'><place id='p' initialMarking='1'/><place id='q' initialMarking='0'/>"
      "<transition id='t'/>\n";
  const auto arcs = [&](const std::string& text) { return nodes + text + "</net></pnml>"; };
  for (const char* text :
       {"<inputArc source='p' target='t'><inscription><value>1</value></inscription></inputArc>"
        "<outputArc source='t' target='q'><inscription><value>1</value></inscription></outputArc>",
        "<inputArc source='p' target='t' inscription='[0, inf)'/><outputArc source='t' target='q' inscription='1'/>",
        "<transportArc source='p' transition='t' target='q' inscription='[0,inf):1'/>",
        "<arc source='p' target='t' type='transport' inscription='[0,inf):1'/>"
        "<arc source='t' target='q' type='transport' inscription='[0,inf):1'/>"}) {
    const Net net = read_pnml("x", arcs(text));
    EXPECT_TRUE(net.place(0).marked);
    EXPECT_FALSE(net.place(1).marked);
    EXPECT_EQ(net.transition(0).pre, std::vector<PlaceId>{0}) << text;
    EXPECT_EQ(net.transition(0).post, std::vector<PlaceId>{1}) << text;
  }
  const auto refused = [&](const std::string& text) { return error_of(read_pnml, arcs(text)); };
  EXPECT_EQ(refused("<inputArc source='t' target='p'/>"), "x:2:2: an <inputArc> must lead from a place");
  EXPECT_EQ(refused("<outputArc source='p' target='t'/>"), "x:2:2: an <outputArc> must lead to a place");
  EXPECT_EQ(refused("<inhibitorArc source='p' target='t'/>"),
            "x:2:2: <inhibitorArc> inside <net>: inhibitor arcs are not supported; add a complementary place instead");
  EXPECT_EQ(refused("<arc source='p' target='t' type='tapnInhibitor'/>"),
            "x:2:2: arcs of type 'tapnInhibitor' are not supported");
  EXPECT_EQ(refused("<transportArc source='p' target='q'/>"),
            "x:2:2: the transition '' of this arc is not a node of the net");
  EXPECT_EQ(refused("<transportArc source='p' transition='t' target='q' inscription='[2,inf):1'/>"),
            "x:2:2: the interval '[2,inf)' is not supported: time is not; write '[0,inf)' if the untimed net is meant");
  EXPECT_EQ(refused("<outputArc source='t' target='q' weight='2' inscription='1'/>"),
            "x:2:2: transition 't' puts 2 tokens on place 'q'; the net must be 1-safe");
}

TEST(PnmlDialects, TimeGamesAndComponentsOfTapaalAreRefused) {
  EXPECT_EQ(
      refusal("A_PLACE", "invariant='&lt;= 3'"),
      "x:3:2: the invariant '<= 3' of place 'p' is not supported: time is not; write '< inf' if the untimed net is "
      "meant");
  EXPECT_EQ(refusal("A_ARC", "inscription='[1,4]'"),
            "x:6:2: the interval '[1,4]' is not supported: time is not; write '[0,inf)' if the untimed net is meant");
  EXPECT_EQ(
      refusal("A_TRANSITION", "urgent='true'"),
      "x:5:2: attribute urgent='true' of <transition>: time is not supported; write 'false' if the untimed net is "
      "meant");
  EXPECT_NE(refusal("A_TRANSITION", "player='1'").find("games are not supported"), std::string::npos);
  EXPECT_NE(refusal("A_TRANSITION", "priority='1'").find("priorities are not supported"), std::string::npos);
  EXPECT_NE(refusal("A_NET", "active='false'").find("an inactive component takes no part"), std::string::npos);
  EXPECT_NE(refusal("ROOT", "<feature isColored='true'/>").find("isColored='true'"), std::string::npos);
  EXPECT_NE(refusal("ROOT", "<feature isStochastic='true'/>").find("isStochastic='true'"), std::string::npos);
  EXPECT_EQ(refusal("ROOT", "<shared-place name='p' initialMarking='1'/>"),
            "x:1:8: <shared-place> inside <pnml>: nets of several components are not supported; compose them first");
  EXPECT_NE(refusal("ROOT", "<shared-transition name='t'/>"), "no error");
}

TEST(PnmlDialects, ColoursAreRefused) {
  const auto refused = [](const std::string& word, const std::string& by) {
    return refusal(word, by).find("only place/transition nets are supported") != std::string::npos;
  };
  EXPECT_TRUE(refused("IN_PLACE", "<type><text>Philo</text></type>"));
  EXPECT_TRUE(refused("IN_PLACE", "<type><structure><usersort declaration='philo'/></structure></type>"));
  EXPECT_TRUE(refused("IN_PLACE", "<hlinitialMarking><text>1'a</text></hlinitialMarking>"));
  EXPECT_TRUE(refused("IN_PLACE",
                      "<hlinitialMarking><structure><all><usersort declaration='philo'/></all></structure>"
                      "</hlinitialMarking>"));
  EXPECT_TRUE(refused("IN_ARC", "<hlinscription><structure><variable refvariable='x'/></structure></hlinscription>"));
  EXPECT_TRUE(refused("IN_NET",
                      "<declaration><structure><declarations><namedsort id='s'><cyclicenumeration/></namedsort>"
                      "</declarations></structure></declaration>"));
  const std::string two =
      "<structure><numberof><subterm><numberconstant value='2'/></subterm><subterm><dotconstant/>"
      "</subterm></numberof></structure>";
  EXPECT_EQ(refusal("IN_PLACE", "<hlinitialMarking>" + two + "</hlinitialMarking>"),
            "x:3:2: place 'p' starts with 2 tokens; the net must be 1-safe");
  EXPECT_TRUE(heavy("IN_ARC", "<hlinscription>" + two + "</hlinscription>"));
  EXPECT_EQ(
      error_of(read_pnml, dialect({{"A_ARC", "weight='1'"}, {"IN_ARC", "<hlinscription>" + two + "</hlinscription>"}})),
      "x:6:2: <arc> gives two numbers, 1 and 2");
  EXPECT_NE(refusal("IN_TRANSITION", "<condition><structure/></condition>").find("guards"), std::string::npos);
}

TEST(PnmlDialects, TypesOfArcs) {
  for (const char* type :
       {"<type value='test'/>", "<type><text>read</text></type>", "<arctype><text>test</text></arctype>"}) {
    const Net net = read_pnml("x", dialect({{"IN_ARC", type}}));
    EXPECT_EQ(net.transition(0).context, std::vector<PlaceId>{0}) << type;
    EXPECT_TRUE(net.transition(0).pre.empty()) << type;
  }
  for (const char* type : {"inhibitor", "reset", "stopwatch", "bidirectional"}) {
    const std::string message = "x:6:2: arcs of type '" + std::string(type) + "' are not supported";
    EXPECT_EQ(refusal("A_ARC", "type='" + std::string(type) + "'"), message);
    EXPECT_EQ(refusal("IN_ARC", "<type value='" + std::string(type) + "'/>"), message);
    EXPECT_EQ(refusal("IN_ARC", "<arctype><text>" + std::string(type) + "</text></arctype>"), message);
  }
  EXPECT_EQ(refusal("IN_ARC", "<type value='normal'/><arctype><text>inhibitor</text></arctype>"),
            "x:6:2: this arc has two types, 'normal' and 'inhibitor'");
  const Net net =
      read_pnml("x", dialect({{"IN_ARC", "<type value='test'/><inscription><text>2</text></inscription>"}}));
  EXPECT_EQ(net.places().size(), 3U) << "a read arc of weight 2 makes its transition dead";
}

TEST(PnmlDialects, DecorationIsSkipped) {
  for (const auto& [word, by] : std::initializer_list<std::pair<const char*, const char*>>{
           {"IN_NET", "<name><text>a net</text></name>"},
           {"IN_NET",
            "<toolspecific tool='nupn' version='1.1'><size places='2'/><structure units='1' "
            "safe='true'/></toolspecific>"},
           {"IN_NET", "<finalmarkings><marking><place idref='q'><text>1</text></place></marking></finalmarkings>"},
           {"IN_PLACE", "<graphics><position x='1' y='2'/></graphics><label><text>l</text></label>"},
           {"IN_TRANSITION", "<toolspecific tool='ProM' version='6.4' activity='$invisible$' localNodeID='1'/>"},
           {"IN_TRANSITION",
            "<toolspecific tool='WoPeD' version='1.0'><operator id='t' type='101'/><time>0</time></toolspecific>"},
           {"IN_TRANSITION", "<delay><interval closure='closed-open'><cn>0</cn><ci>infty</ci></interval></delay>"},
           {"A_NET", "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='a b'"},
           {"IN_ARC", "<!-- a comment --><?instruction?><graphics/>"}})
    EXPECT_EQ(refusal(word, by), "no error") << by;
}

TEST(PnmlDialects, WhatIsNotKnownIsRefusedByName) {
  const std::string unknown = "it is unknown and may change the behaviour of the net; remove it if it does not";
  EXPECT_EQ(refusal("ROOT", "<module/>"), "x:1:8: <module> inside <pnml>: " + unknown);
  EXPECT_EQ(refusal("IN_NET", "<priorities/>"), "x:2:28: <priorities> inside <net>: " + unknown);
  EXPECT_EQ(refusal("IN_PLACE", "<bound/>"), "x:3:17: <bound> inside <place>: " + unknown);
  EXPECT_EQ(refusal("IN_TRANSITION", "<server/>"), "x:5:22: <server> inside <transition>: " + unknown);
  EXPECT_EQ(refusal("IN_ARC", "<age/>"), "x:6:37: <age> inside <arc>: " + unknown);
  EXPECT_EQ(refusal("IN_PLACE", "one token"), "x:3:2: text directly inside <place> is not known");
  EXPECT_EQ(
      refusal("A_PLACE", "bound='1'"),
      "x:3:2: attribute 'bound' of <place> is not known and may change what the net does; remove it if it does not");
  EXPECT_EQ(refusal("A_PLACE", "initialMarking='1' initialMarking='0'"),
            "x:3:2: attribute 'initialMarking' of <place> is given twice");
  EXPECT_NE(refusal("IN_NET", "<page id='s' active='false'/>").find("attribute 'active' of <page>"), std::string::npos);
  EXPECT_EQ(error_of(read_pnml, dialect({}) + "<pnml/>"),
            "x:8:15: a second root element, <pnml>; a file must contain one net");
  for (const char* word : {"A_NET", "A_TRANSITION", "A_ARC"})
    EXPECT_NE(refusal(word, "bound='1'").find("attribute 'bound'"), std::string::npos) << word;
  EXPECT_EQ(
      refusal("IN_TRANSITION", "<delay><interval closure='closed'><cn>1</cn><cn>2</cn></interval></delay>"),
      "x:5:22: <delay> inside <transition>: time is not supported; remove the delays if the untimed net is meant");
  EXPECT_EQ(refusal("IN_ARC", "<toolspecific tool='x' version='1'><a><inhibitor/></a></toolspecific>"),
            "x:6:37: <inhibitor> inside <toolspecific> changes what the net does and is not supported");
  EXPECT_NE(refusal("IN_NET", "<referencePlace id='r' ref='p'/>").find("merge the pages first"), std::string::npos);
  EXPECT_NE(refusal("IN_NET", "<page id='s'><net id='m'/></page>").find("a net inside a net"), std::string::npos);
  EXPECT_NE(refusal("IN_PLACE", "<tagged><value>true</value></tagged>"), "no error");
}

}  // namespace
}  // namespace mazurka::net
