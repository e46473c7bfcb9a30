// With GoogleTest.
#include "ring.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <mazurka/test.hpp>

namespace {

/// Set-up is ordinary code: it runs once, before the closure is explored.
struct RingTest : testing::Test {
  void SetUp() override { ring.push(1); }
  Ring<int, 2> ring;
};

TEST_F(RingTest, HandsOverInOrder) {
  mazurka::check([&] {
    std::thread producer([&] { EXPECT_TRUE(ring.push(2)); });
    int value = 0;
    ASSERT_TRUE(ring.pop(value));
    EXPECT_EQ(value, 1);
    mazurka::goal("the second came in time");
    if (ring.pop(value)) {
      mazurka::reached("the second came in time");
      EXPECT_EQ(value, 2);
    }
    producer.join();
  });
  // What the closure did is undone; a plain build runs it once instead.
#ifdef MAZURKA_EXPLORER
  int value = 0;
  EXPECT_TRUE(ring.pop(value) && value == 1 && !ring.pop(value));
#endif
}

TEST(Ring, IsFullAtTwo) {
  const auto explored = mazurka::check([] {
    Ring<int, 2> ring;
    std::thread consumer([&] {
      int value = 0;
      if (ring.pop(value)) {
        EXPECT_EQ(value, 1);
      }
    });
    EXPECT_TRUE(ring.push(1));
    EXPECT_TRUE(ring.push(2));
    ring.push(3);
    consumer.join();
  });
  EXPECT_GE(explored.executions(), 1U);
}

}  // namespace
