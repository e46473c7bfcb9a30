// The reversals of two executions that differ in one race (docs/figures/execution.svg):
//
//     p:  p1 x = 1        q:  q1 y = 1, q2 a = x        r:  r1 z = 1, r2 x = 2
//
//     E1:   p   q   r                            E2:   p   q   r
//
//           p1                                         p1
//           │   q1                                     │   q1
//           └─▶ q2         race (p1, q2)               │       r1
//               │   r1                                 └─────▶ r2      race (p1, r2)
//               └─▶ r2     race (q2, r2)                   q2 ◀┘       race (r2, q2)
//
//     reversed: q1.q2 after the empty prefix       q1.r1.r2 after the empty prefix
//               r1.r2 after p1.q1                  q2 after p1.q1.r1
//
// In E1, p1 and r2 are dependent too, but ordered through q2: no race. In E2, p1 and q2 are ordered through r2.
#include "dpor/reversals.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/one_execution.hpp"

namespace mazurka::dpor {
namespace {

constexpr ProcessIndex kP = 0;
constexpr ProcessIndex kQ = 1;
constexpr ProcessIndex kR = 2;
constexpr std::uint64_t kX = 64;
constexpr std::uint64_t kY = 72;
constexpr std::uint64_t kZ = 80;

/// The length of the prefix, and the processes of the sequence.
using Visited = std::pair<std::size_t, std::vector<ProcessIndex>>;

TEST(Reversals, AreThoseOfTheDrawing) {
  using enum OperationKind;
  testing::OneExecution first;
  first.add(kP, Store, kX);
  first.add(kQ, Store, kY);
  first.add(kQ, Load, kX);
  first.add(kR, Store, kZ);
  first.add(kR, Store, kX);
  testing::OneExecution second;
  second.add(kP, Store, kX);
  second.add(kQ, Store, kY);
  second.add(kR, Store, kZ);
  second.add(kR, Store, kX);
  second.add(kQ, Load, kX);

  std::vector<Visited> visited;
  ReversalFinder finder(
      first, Trace::Stores::Ordered,
      [&](Reversal& v) {
        Visited& one = visited.emplace_back(v.at, std::vector<ProcessIndex>{});
        for (const LabelledStep& step : v.sequence) one.second.push_back(step.step.process);
        return Planned::Settled;
      },
      [](std::size_t) {});
  const Poll::GoOn always = [] { return true; };
  const auto reversals_of = [&](testing::OneExecution& system, std::size_t known, Execution& execution) {
    visited.clear();
    system.run(Job{}, execution);
    EXPECT_TRUE(finder.find(execution, known, always));
    return visited;
  };
  Execution e1;
  Execution e2;
  EXPECT_EQ(reversals_of(first, 0, e1), (std::vector<Visited>{{2, {kR, kR}}, {0, {kQ, kQ}}}));
  EXPECT_EQ(reversals_of(second, 2, e2), (std::vector<Visited>{{3, {kQ}}, {0, {kQ, kR, kR}}}));
}

// Whoever plans a reversal may know later whether it is settled: here two races, of which one turns out to be.
TEST(Reversals, AreVisitedAgainUnlessTheyAreSettled) {
  using enum OperationKind;
  testing::OneExecution system;
  system.add(kP, Store, kX);
  system.add(kQ, Store, kY);
  system.add(kQ, Load, kX);
  system.add(kR, Store, kZ);
  system.add(kR, Store, kX);

  using Asked = std::pair<std::size_t, Ticket>;  // the length of the prefix, and the condition
  std::vector<Asked> asked;
  Ticket tickets = kNoTicket;
  ReversalFinder finder(
      system, Trace::Stores::Ordered,
      [&](Reversal& v) {
        asked.emplace_back(v.at, v.unless_settled);
        if (v.unless_settled == kNoTicket) v.ticket = ++tickets;
        return Planned::Open;
      },
      [](std::size_t) {});
  const Poll::GoOn always = [] { return true; };
  Execution execution;
  system.run(Job{}, execution);
  const auto asked_with = [&](std::size_t known) {
    asked.clear();
    EXPECT_TRUE(finder.find(execution, known, always));
    return asked;
  };
  const std::size_t all = execution.events.size();
  EXPECT_EQ(asked_with(0), (std::vector<Asked>{{2, kNoTicket}, {2, 1}, {0, kNoTicket}, {0, 2}}));
  EXPECT_EQ(asked_with(all), (std::vector<Asked>{{2, 1}, {0, 2}}));
  const std::vector<Planned> answers{Planned::Settled, Planned::Open};
  finder.learn(1, answers);
  EXPECT_EQ(asked_with(all), (std::vector<Asked>{{0, kNoTicket}}));
}

}  // namespace
}  // namespace mazurka::dpor
