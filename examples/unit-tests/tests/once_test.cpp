// With Catch2.
#define CATCH_CONFIG_MAIN
#include <thread>

#include <catch2/catch.hpp>
#include <mazurka/test.hpp>

#include "lazy.hpp"

TEST_CASE("a lazy value is made once") {
  mazurka::check([] {
    Lazy<int> lazy;
    int made = 0;
    const auto ask = [&] { return lazy.get([&] { return ++made; }); };
    std::thread other([&] { ask(); });
    CHECK(ask() == 1);
    other.join();
    CHECK(made == 1);
  });
}
