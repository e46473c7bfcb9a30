// The relations of a small event structure, drawn, and all its subsets: which of them are configurations?
//
// A store p and two loads q, r of one variable by three processes. An event is its label and its history, so p occurs
// once for each set of loads that come before it. Arrows are immediate causality (docs/figures/unfolding.svg).
//
//        p              q               r
//       / \            / \             / \        |
//      v   v          v   v           v   v       | causality goes down
//     q1   r1        pq    `-> pqr <-'    pr      |
//                    |                    |       v
//                    v                    v
//                    r2                   q2
//
// Immediate conflict: p # q, p # r, pq # r and pr # q (a load comes before a store or after it).
// Maximal configurations: {p, q1, r1}, {q, pq, r2}, {q, r, pqr}, {r, pr, q2}.
#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "unfolding/configuration.hpp"

namespace mazurka::unfolding {
namespace {

using Events = std::set<EventId>;

class Drawing : public ::testing::Test {
 protected:
  Drawing() {
    run({{0, &p}, {1, &q1}, {2, &r1}});
    run({{1, &q}, {0, &pq}, {2, &r2}});
    run({{1, &q}, {2, &r}, {0, &pqr}});
    run({{2, &r}, {0, &pr}, {1, &q2}});
    all = {p, q1, r1, q, r, pq, pqr, pr, r2, q2};
  }

  bool is_configuration(const Events& events_of_it) const {
    Configuration c(events);
    Events rest = events_of_it;
    while (!rest.empty()) {
      const auto next = std::find_if(rest.begin(), rest.end(), [&](EventId e) { return c.can_be_extended_by(e); });
      if (next == rest.end()) return false;
      c.push(*next);
      rest.erase(next);
    }
    return true;
  }

  /// The events whose causes are all in C: those enabled at C, and those in conflict with it.
  void expect_extensions(const std::vector<EventId>& sequence, const Events& enabled, const Events& conflicting) const {
    Configuration c(events);
    for (const EventId e : sequence) c.push(e);
    Events found_enabled;
    Events found_conflicting;
    for (const EventId e : all) {
      const auto causes = events.causes(e);
      const auto is_in_c = [&](EventId cause) { return c.contains(cause); };
      if (c.contains(e) || !std::all_of(causes.begin(), causes.end(), is_in_c)) continue;
      (c.conflict(e) == c.size() ? found_enabled : found_conflicting).insert(e);
    }
    EXPECT_EQ(found_enabled, enabled);
    EXPECT_EQ(found_conflicting, conflicting);
  }

  EventStructure events;
  EventId p = kNoEvent, q = kNoEvent, r = kNoEvent;
  EventId q1 = kNoEvent, r1 = kNoEvent, pq = kNoEvent, pr = kNoEvent, pqr = kNoEvent, r2 = kNoEvent, q2 = kNoEvent;
  std::vector<EventId> all;

 private:
  struct Taken {
    ProcessIndex process;
    EventId* event;
  };
  /// Adds the events of one execution: process 0 stores, the others load.
  void run(const std::vector<Taken>& execution) {
    events.widen(3);
    Configuration c(events);
    for (const Taken& step : execution) {
      Operation operation;
      operation.kind = step.process == 0 ? OperationKind::Store : OperationKind::Load;
      operation.object = 64;
      operation.size = 4;
      const LabelId label = events.labels().intern({step.process, 0}, operation);
      std::vector<EventId> causes;
      c.causes_at_end(label, causes);
      const EventId e = events.intern(label, c.last(step.process), causes, c);
      EXPECT_TRUE(*step.event == kNoEvent || *step.event == e) << "an event with the same history is the same event";
      *step.event = e;
      c.push(e);
    }
  }
};

TEST_F(Drawing, HasTenEvents) {
  EXPECT_EQ(Events(all.begin(), all.end()).size(), 10U);
  EXPECT_EQ(events.size(), 10U);
}

TEST_F(Drawing, Causality) {
  const std::set<std::pair<EventId, EventId>> before{{p, q1},  {p, r1},  {q, pq}, {q, r2}, {pq, r2},
                                                     {q, pqr}, {r, pqr}, {r, pr}, {r, q2}, {pr, q2}};
  for (const EventId a : all)
    for (const EventId b : all)
      EXPECT_EQ(a != b && events.before(a, b), before.contains({a, b})) << "events " << a << " and " << b;
}

TEST_F(Drawing, ImmediateConflict) {
  const std::set<std::pair<EventId, EventId>> immediate{{p, q}, {p, r}, {pq, r}, {pr, q}};
  for (const EventId a : all)
    for (const EventId b : all)
      EXPECT_EQ(a != b && events.immediate_conflict(a, b), immediate.contains({a, b}) || immediate.contains({b, a}))
          << "events " << a << " and " << b;
}

// Conflict is inherited: two events are compatible iff they are in one of the maximal configurations.
TEST_F(Drawing, ConflictAndConcurrency) {
  const std::vector<Events> maximal{{p, q1, r1}, {q, pq, r2}, {q, r, pqr}, {r, pr, q2}};
  const std::set<std::pair<EventId, EventId>> concurrent{{q, r}, {q1, r1}};
  for (const EventId a : all)
    for (const EventId b : all) {
      if (a == b) continue;
      const bool compatible =
          std::any_of(maximal.begin(), maximal.end(), [&](const Events& c) { return c.contains(a) && c.contains(b); });
      EXPECT_EQ(events.conflict(a, b), !compatible) << "events " << a << " and " << b;
      EXPECT_EQ(!events.conflict(a, b) && !events.before(a, b) && !events.before(b, a),
                concurrent.contains({a, b}) || concurrent.contains({b, a}));
    }
}

TEST_F(Drawing, ConfigurationsAmongAllSubsets) {
  const std::set<Events> expected{{},     {p},     {p, q1}, {p, r1},     {p, q1, r1}, {q},        {r},
                                  {q, r}, {q, pq}, {r, pr}, {q, pq, r2}, {r, pr, q2}, {q, r, pqr}};
  for (std::uint32_t subset = 0; subset < 1U << all.size(); ++subset) {
    Events chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((subset >> i & 1U) != 0) chosen.insert(all[i]);
    EXPECT_EQ(is_configuration(chosen), expected.contains(chosen)) << "subset " << subset;
  }
}

TEST_F(Drawing, Extensions) {
  expect_extensions({}, {p, q, r}, {});
  expect_extensions({p}, {q1, r1}, {q, r});
  expect_extensions({p, q1, r1}, {}, {q, r});
  expect_extensions({q}, {r, pq}, {p});
  expect_extensions({q, r}, {pqr}, {p, pq, pr});
  expect_extensions({q, pq}, {r2}, {p, r});
}

}  // namespace
}  // namespace mazurka::unfolding
