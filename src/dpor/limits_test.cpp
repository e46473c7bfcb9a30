// A limit is heard while the races of one execution are looked for, however long it is.
#include <gtest/gtest.h>

#include "dpor/explore.hpp"
#include "support/one_execution.hpp"

namespace mazurka::dpor {
namespace {

using testing::OneExecution;
using testing::SoonOver;

TEST(Limits, AreHeardInALongExecutionWithoutRaces) {
  for (const Algorithm algorithm : {Algorithm::Source, Algorithm::Optimal, Algorithm::Observers}) {
    OneExecution system;
    for (int i = 0; i < 200'000; ++i) system.add(0, OperationKind::Load, 64);
    SoonOver listener;
    Options options;
    options.algorithm = algorithm;
    EXPECT_FALSE(explore(system, options, listener).complete);
    EXPECT_EQ(listener.asked, 2);
  }
}

// A million races, and each takes a look at the rest of the execution.
TEST(Limits, AreHeardAmongManyRaces) {
  for (const Algorithm algorithm : {Algorithm::Source, Algorithm::Optimal}) {
    OneExecution system;
    for (std::uint32_t i = 0; i < 1'000'000; ++i) system.add(i % 2, OperationKind::ReadModifyWrite, 64);
    SoonOver listener;
    Options options;
    options.algorithm = algorithm;
    EXPECT_FALSE(explore(system, options, listener).complete);
    EXPECT_EQ(listener.asked, 2);
  }
}

}  // namespace
}  // namespace mazurka::dpor
