#include "program/patience.hpp"

#include <gtest/gtest.h>

namespace mazurka::program {
namespace {

TEST(Patience, SleepsTwiceAsOftenAfterEverySpinInVain) {
  Patience patience;
  int questions = 0;
  const auto never = [&] { return ++questions == 0; };
  const auto spins = [&] {
    questions = 0;
    EXPECT_FALSE(patience.spin(never));
    return questions > 1;
  };
  for (const int naps : {1, 2, 4, 8, 16, 32, 64, 64}) {
    EXPECT_TRUE(spins());
    for (int i = 0; i < naps; ++i) EXPECT_FALSE(spins()) << i << " of " << naps;
  }
}

TEST(Patience, TakesTurnsUntilTheOtherIsDone) {
  Patience patience;
  int turns = 0;
  EXPECT_TRUE(patience.yield_until([&] { return turns == 3; }, [&] { ++turns; }));
  EXPECT_EQ(turns, 3);
  EXPECT_FALSE(patience.yield_until([] { return false; }, [&] { ++turns; }));
  const int before = turns;
  EXPECT_FALSE(patience.yield_until([] { return false; }, [&] { ++turns; }));
  EXPECT_EQ(turns, before) << "turns in vain are not repeated at once";
}

TEST(Patience, ReturnsWhenASpinSucceeds) {
  Patience patience;
  EXPECT_FALSE(patience.spin([] { return false; }));
  EXPECT_TRUE(patience.spin([] { return true; })) << "a nap that is not needed";
  int questions = 0;
  EXPECT_TRUE(patience.spin([&] { return ++questions == 100; }));
  // After a success, one failure counts as the first again.
  EXPECT_FALSE(patience.spin([] { return false; }));
  EXPECT_FALSE(patience.spin([] { return false; }));
  questions = 0;
  EXPECT_TRUE(patience.spin([&] { return ++questions == 100; }));
}

}  // namespace
}  // namespace mazurka::program
