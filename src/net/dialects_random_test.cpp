// Random nets written in every dialect by code of the test are read as the same net; and random nets with weights
// behave as the token game with counters says.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "net/ll_net_reader.hpp"
#include "net/pnml_reader.hpp"
#include "net/reachability.hpp"
#include "net/tina_reader.hpp"
#include "net/writers.hpp"
#include "support/compare_nets.hpp"
#include "support/property.hpp"
#include "support/random_nets.hpp"

namespace mazurka::net {
namespace {

/// Calls input(p, t) and output(t, p) for all arcs of a net without read arcs, transition by transition.
template <typename Input, typename Output>
void for_each_arc(const Net& net, Input&& input, Output&& output) {
  for (TransitionId t = 0; t < net.transitions().size(); ++t) {
    for (PlaceId p : net.transition(t).pre) input(p, t);
    for (PlaceId p : net.transition(t).post) output(t, p);
  }
}

std::string as_pipe(const Net& net) {
  std::string out = "<pnml><net id=\"Net-One\" type=\"P/T net\"><token id=\"Default\" enabled=\"true\"/>\n";
  for (PlaceId p = 0; p < net.places().size(); ++p)
    out += fmt::format(
        "<place id=\"P{}\"><name><value>{}</value></name><initialMarking><value>Default,{}</value>"
        "</initialMarking><capacity><value>0</value></capacity></place>\n",
        p, net.place(p).name, net.place(p).marked ? 1 : 0);
  for (TransitionId t = 0; t < net.transitions().size(); ++t)
    out += fmt::format(
        "<transition id=\"T{}\"><name><value>{}</value></name><rate><value>1.0</value></rate><timed><value>"
        "false</value></timed><priority><value>1</value></priority></transition>\n",
        t, net.transition(t).name);
  const auto arc = [&](const std::string& source, const std::string& target) {
    out += fmt::format(
        "<arc id=\"{0} to {1}\" source=\"{0}\" target=\"{1}\"><inscription><value>Default,1</value>"
        "</inscription><tagged><value>false</value></tagged><type value=\"normal\"/></arc>\n",
        source, target);
  };
  for_each_arc(
      net, [&](PlaceId p, TransitionId t) { arc(fmt::format("P{}", p), fmt::format("T{}", t)); },
      [&](TransitionId t, PlaceId p) { arc(fmt::format("T{}", t), fmt::format("P{}", p)); });
  return out + "</net></pnml>\n";
}

std::string tapaal_nodes(const Net& net) {
  std::string out = "<pnml><net active=\"true\" id=\"N\" type=\"P/T net\">\n";
  for (PlaceId p = 0; p < net.places().size(); ++p)
    out += fmt::format("<place id=\"P{}\" name=\"{}\" initialMarking=\"{}\" invariant=\"&lt; inf\"/>\n", p,
                       net.place(p).name, net.place(p).marked ? 1 : 0);
  for (TransitionId t = 0; t < net.transitions().size(); ++t)
    out += fmt::format("<transition id=\"T{}\" name=\"{}\" urgent=\"false\" priority=\"0\"/>\n", t,
                       net.transition(t).name);
  return out;
}

/// As its editor saves nets.
std::string as_tapaal(const Net& net) {
  std::string out = tapaal_nodes(net);
  for_each_arc(
      net,
      [&](PlaceId p, TransitionId t) {
        out += fmt::format("<arc source=\"P{}\" target=\"T{}\" type=\"timed\" inscription=\"[0,inf)\" weight=\"1\"/>\n",
                           p, t);
      },
      [&](TransitionId t, PlaceId p) {
        out +=
            fmt::format("<arc source=\"T{}\" target=\"P{}\" type=\"normal\" inscription=\"1\" weight=\"1\"/>\n", t, p);
      });
  return out + "</net></pnml>\n";
}

/// As its engines are given nets.
std::string as_tapaal_engine(const Net& net) {
  std::string out = tapaal_nodes(net);
  for_each_arc(
      net,
      [&](PlaceId p, TransitionId t) {
        out += fmt::format(
            "<inputArc source=\"P{}\" target=\"T{}\"><inscription><value>1</value></inscription></inputArc>\n", p, t);
      },
      [&](TransitionId t, PlaceId p) {
        out += fmt::format(
            "<outputArc source=\"T{}\" target=\"P{}\"><inscription><value>1</value></inscription>"
            "</outputArc>\n",
            t, p);
      });
  return out + "</net></pnml>\n";
}

/// Places come first, so that they keep their order.
std::string as_tina(const Net& net) {
  std::string out = "net random\n";
  for (const Place& place : net.places()) out += fmt::format("pl {} ({})\n", place.name, place.marked ? 1 : 0);
  for (const Transition& transition : net.transitions()) {
    out += "tr " + transition.name + " [0,w[";
    for (PlaceId p : transition.pre) out += ' ' + net.place(p).name;
    for (PlaceId p : transition.context) out += ' ' + net.place(p).name + "?1";
    out += " ->";
    for (PlaceId p : transition.post) out += ' ' + net.place(p).name;
    out += '\n';
  }
  return out;
}

TEST(Dialects, EveryDialectIsTheSameNet) {
  EXPECT_TRUE(testing::property("dialects", 300, [] {
    const Net net = (*testing::component_nets(3, 5)).build();
    const Net plain = plain_encoding(net);
    const std::uint32_t deadlocks = ReachabilityGraph(net).deadlocks();
    for (const Net& again :
         {read_pnml("x", to_pnml(net)), read_tina("x", as_tina(net)), read_ll_net("x", to_ll_net(net))}) {
      RC_ASSERT(testing::same_net(again, net));
      RC_ASSERT(ReachabilityGraph(again).deadlocks() == deadlocks);
    }
    for (const Net& again :
         {read_pnml("x", as_pipe(plain)), read_pnml("x", as_tapaal(plain)), read_pnml("x", as_tapaal_engine(plain))}) {
      RC_ASSERT(testing::same_net(again, plain));
      RC_ASSERT(ReachabilityGraph(again).deadlocks() == deadlocks);
    }
  }));
}

/// A net whose arcs have weights, and the token game on counters.
struct Weighted {
  Net net;
  std::map<std::pair<TransitionId, PlaceId>, unsigned> in, read, out;

  using Marking = std::vector<unsigned>;

  bool enabled(const Marking& marking, TransitionId t) const {
    const auto has = [&](PlaceId p, const auto& weights) { return marking[p] >= weights.at({t, p}); };
    const Transition& transition = net.transition(t);
    return std::all_of(transition.pre.begin(), transition.pre.end(), [&](PlaceId p) { return has(p, in); }) &&
           std::all_of(transition.context.begin(), transition.context.end(), [&](PlaceId p) { return has(p, read); });
  }

  struct Graph {
    std::set<Marking> markings;
    bool safe = true;
    bool deadlock = false;
  };

  /// All markings, unless one of them has two tokens on a place.
  Graph explore() const {
    Marking initial;
    for (const Place& place : net.places()) initial.push_back(place.marked ? 1 : 0);
    Graph graph{{initial}};
    std::vector<Marking> open{initial};
    while (!open.empty()) {
      const Marking marking = open.back();
      open.pop_back();
      bool stuck = true;
      for (TransitionId t = 0; t < net.transitions().size(); ++t) {
        if (!enabled(marking, t)) continue;
        stuck = false;
        Marking next = marking;
        for (PlaceId p : net.transition(t).pre) next[p] -= in.at({t, p});
        for (PlaceId p : net.transition(t).post) next[p] += out.at({t, p});
        if (std::any_of(next.begin(), next.end(), [](unsigned tokens) { return tokens > 1; })) {
          graph.safe = false;
          return graph;
        }
        if (graph.markings.insert(next).second) open.push_back(next);
      }
      graph.deadlock = graph.deadlock || stuck;
    }
    return graph;
  }

  std::string as_pnml() const {
    std::string text = "<pnml><net id='n' type='ptnet'>";
    for (PlaceId p = 0; p < net.places().size(); ++p)
      text += fmt::format("<place id='p{}'><initialMarking><text>{}</text></initialMarking></place>", p,
                          net.place(p).marked ? 1 : 0);
    for (TransitionId t = 0; t < net.transitions().size(); ++t) text += fmt::format("<transition id='t{}'/>", t);
    constexpr const char* kArc =
        "<arc source='{}{}' target='{}{}' type='{}'><inscription><text>{}</text></inscription></arc>";
    for (const auto& [arc, weight] : in) text += fmt::format(kArc, 'p', arc.second, 't', arc.first, "normal", weight);
    for (const auto& [arc, weight] : read) text += fmt::format(kArc, 'p', arc.second, 't', arc.first, "test", weight);
    for (const auto& [arc, weight] : out) text += fmt::format(kArc, 't', arc.first, 'p', arc.second, "normal", weight);
    return text + "</net></pnml>";
  }
};

/// Every sixth input has weight 2; outputs have it where the transition is dead for that reason, and rarely elsewhere,
/// as such a net is refused.
Weighted with_weights(const testing::WildNet& spec, const std::vector<unsigned>& numbers) {
  Weighted weighted;
  weighted.net = spec.build();
  std::size_t next = 0;
  const auto is_two = [&](unsigned rarity) {
    return !numbers.empty() && numbers[next++ % numbers.size()] % rarity == 0;
  };
  for (TransitionId t = 0; t < weighted.net.transitions().size(); ++t) {
    bool dead = false;
    const auto weight = [&] { return is_two(6) ? (dead = true, 2U) : 1U; };
    for (PlaceId p : weighted.net.transition(t).pre) weighted.in[{t, p}] = weight();
    for (PlaceId p : weighted.net.transition(t).context) weighted.read[{t, p}] = weight();
    for (PlaceId p : weighted.net.transition(t).post) weighted.out[{t, p}] = is_two(dead ? 2 : 60) ? 2 : 1;
  }
  return weighted;
}

TEST(Dialects, WeightsMeanWhatTheTokenGameSays) {
  EXPECT_TRUE(testing::property("weights", 2000, [] {
    const testing::WildNet spec = *testing::wild_nets();
    const Weighted weighted = with_weights(spec, *rc::gen::container<std::vector<unsigned>>(29, testing::below(60)));
    const Weighted::Graph expected = weighted.explore();
    Net net;
    try {
      net = read_pnml("x", weighted.as_pnml());
    } catch (const InputError& error) {
      // A transition that puts two tokens on a place, and is not seen to be dead by its own inputs.
      RC_TAG("refused");
      RC_ASSERT(std::string(error.what()).find("puts 2 tokens on place") != std::string::npos);
      return;
    }
    const ReachabilityGraph graph(net);
    RC_TAG(expected.safe ? "safe" : "unsafe");
    RC_ASSERT(graph.unsafe().has_value() == !expected.safe);
    if (!expected.safe) return;
    RC_ASSERT(graph.markings().size() == expected.markings.size());
    RC_ASSERT((graph.deadlocks() > 0) == expected.deadlock);
    for (std::uint32_t m = 0; m < graph.markings().size(); ++m) {
      Weighted::Marking marking;
      for (PlaceId p = 0; p < weighted.net.places().size(); ++p)
        marking.push_back(holds(graph.markings()[m], p) ? 1 : 0);
      RC_ASSERT(expected.markings.contains(marking));
    }
  }));
}

}  // namespace
}  // namespace mazurka::net
