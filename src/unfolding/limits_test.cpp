// A limit is heard while the extensions of one configuration are computed, of which there may be very many.
#include <gtest/gtest.h>

#include "support/one_execution.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka::unfolding {
namespace {

TEST(Limits, AreHeardAmongExponentiallyManyExtensions) {
  //   load  load  …  load      forty processes; no two loads are ordered
  //     \     |       /
  //           store            a history for every subset of the loads: 2^40 of them
  testing::OneExecution system;
  for (std::uint32_t process = 1; process <= 40; ++process) system.add(process, OperationKind::Load, 64);
  system.add(0, OperationKind::Store, 64);
  testing::SoonOver listener;
  EXPECT_FALSE(Explorer(system, {}).run(listener).complete);
  EXPECT_EQ(listener.asked, 2);
}

TEST(Limits, AreHeardWhileALongExecutionIsAdded) {
  testing::OneExecution system;
  for (int i = 0; i < 100'000; ++i) system.add(0, OperationKind::Load, 64);
  testing::SoonOver listener;
  EXPECT_FALSE(Explorer(system, {}).run(listener).complete);
  EXPECT_EQ(listener.asked, 2);
}

}  // namespace
}  // namespace mazurka::unfolding
