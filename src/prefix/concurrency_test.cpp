// The concurrency relation on a small net, all pairs, against its definition.
//
//        a●          b●
//        │           │          r reads m and moves a to a';  s reads m and moves b to b';
//       [r]---(m●)---[s]        w consumes m.
//        │      │     │
//        a'    [w]    b'        Histories of w: {w}, {r,w}, {s,w}, {r,s,w}; the last needs a compound condition of m.
//               │
//               n
#include "prefix/concurrency.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "prefix/unfolder.hpp"

namespace mazurka::prefix {
namespace {

struct Example {
  net::Net net;
  PlaceId a, a2, b, b2, m, n;
  TransitionId r, s, w;

  Example() {
    a = net.add_place("a", true);
    a2 = net.add_place("a'");
    b = net.add_place("b", true);
    b2 = net.add_place("b'");
    m = net.add_place("m", true);
    n = net.add_place("n");
    r = net.add_transition("r");
    s = net.add_transition("s");
    w = net.add_transition("w");
    net.add_input(a, r);
    net.add_output(r, a2);
    net.add_read(m, r);
    net.add_input(b, s);
    net.add_output(s, b2);
    net.add_read(m, s);
    net.add_input(m, w);
    net.add_output(w, n);
    net.finish();
  }
};

/// The events of the history behind an enriched condition, as labels (no label occurs twice here).
std::set<TransitionId> labels_of(const Prefix& prefix, EnrichedId enriched) {
  std::set<TransitionId> labels;
  std::vector<EnrichedId> todo{enriched};
  while (!todo.empty()) {
    const EnrichedId x = todo.back();
    todo.pop_back();
    prefix.for_each_source(x, [&](HistoryId h) {
      if (h == 0) return;
      labels.insert(prefix.events()[prefix.histories()[h].event].label);
      for (EnrichedId link : prefix.links(h)) todo.push_back(link);
    });
  }
  return labels;
}

TEST(Histories, AreThoseOfTheDrawing) {
  const Example example;
  const Unfolding unfolding = unfold(example.net, Order::Erv);
  const Prefix& prefix = unfolding.prefix;
  std::map<TransitionId, std::set<std::set<TransitionId>>> histories;
  for (HistoryId h = 1; h < prefix.histories().size(); ++h) {
    const TransitionId label = prefix.events()[prefix.histories()[h].event].label;
    std::set<TransitionId> labels{label};
    for (EnrichedId link : prefix.links(h)) labels.merge(labels_of(prefix, link));
    EXPECT_EQ(labels.size(), prefix.histories()[h].size);
    EXPECT_TRUE(histories[label].insert(labels).second) << "a history was found twice";
  }
  const TransitionId r = example.r;
  const TransitionId s = example.s;
  const TransitionId w = example.w;
  EXPECT_EQ(prefix.event_count(), 3U);
  EXPECT_EQ(histories[r], (std::set<std::set<TransitionId>>{{r}}));
  EXPECT_EQ(histories[s], (std::set<std::set<TransitionId>>{{s}}));
  EXPECT_EQ(histories[w], (std::set<std::set<TransitionId>>{{w}, {r, w}, {s, w}, {r, s, w}}));
}

/// Rebuilds the relation history by history and compares every pair with the definition: the union of the histories
/// must leave both conditions in the cut, and w must not come before a reader that only one side knows.
TEST(Concurrency, AgreesWithItsDefinitionOnAllPairs) {
  const Example example;
  const TransitionId r = example.r;
  const TransitionId s = example.s;
  const TransitionId w = example.w;
  Prefix prefix(example.net);
  Concurrency concurrency(prefix);
  const auto add = [&](TransitionId label, std::vector<EnrichedId> links, std::uint32_t size) {
    const HistoryId h = prefix.add_history(prefix.add_event(label), links, size, size);
    return concurrency.add(h);
  };
  const Frontier start = concurrency.add(0);
  const EnrichedId a = start.first;
  const EnrichedId b = start.first + 1;
  const EnrichedId m = start.first + 2;
  const Frontier after_r = add(r, {a, m}, 1);
  EXPECT_EQ(after_r.end - after_r.first_reading, 1U) << "⟨m, {r}⟩";
  const Frontier after_s = add(s, {b, m}, 1);
  EXPECT_EQ(after_s.end - after_s.first_reading, 2U) << "⟨m, {s}⟩ and the compound ⟨m, {r,s}⟩";
  add(w, {m}, 1);

  for (EnrichedId x = 0; x < prefix.enriched().size(); ++x) {
    for (EnrichedId y = 0; y < prefix.enriched().size(); ++y) {
      if (x == y) continue;
      const bool generating = prefix.enriched()[x].generating() || prefix.enriched()[y].generating();
      if (prefix.enriched()[x].place == prefix.enriched()[y].place && !generating) continue;  // not kept, not needed
      const auto hx = labels_of(prefix, x);
      const auto hy = labels_of(prefix, y);
      std::set<TransitionId> both = hx;
      both.insert(hy.begin(), hy.end());
      // Conflict: one side has w without a reader that the other side has.
      const auto cut_short = [&](const auto& one, const auto& other) {
        return one.contains(w) && ((other.contains(r) && !one.contains(r)) || (other.contains(s) && !one.contains(s)));
      };
      const bool conflict = cut_short(hx, hy) || cut_short(hy, hx);
      const auto consumed = [&](EnrichedId z) {
        const PlaceId p = prefix.enriched()[z].place;
        return (p == example.a && both.contains(r)) || (p == example.b && both.contains(s)) ||
               (p == example.m && both.contains(w));
      };
      const bool expected = !conflict && !consumed(x) && !consumed(y);
      EXPECT_EQ(concurrency.concurrent(x, y), expected) << "pair " << x << "," << y;
      if (!expected) continue;
      const bool lacks_reader = prefix.enriched()[x].place == example.m &&
                                ((hy.contains(r) && !hx.contains(r)) || (hy.contains(s) && !hx.contains(s)));
      EXPECT_EQ(concurrency.stale(x, y), lacks_reader) << "pair " << x << "," << y;
    }
  }
}

}  // namespace
}  // namespace mazurka::prefix
