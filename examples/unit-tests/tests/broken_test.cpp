// What a failure looks like: two atomic steps are not one.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <mazurka/test.hpp>

TEST(Counter, LosesAnIncrement) {
  mazurka::check([] {
    std::atomic<int> hits{0};
    std::thread other([&] { hits = hits + 1; });
    hits = hits + 1;
    other.join();
    EXPECT_EQ(hits, 2);
  });
}
