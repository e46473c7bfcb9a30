#include "net/dijkstra.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "net/ll_net_reader.hpp"
#include "net/reachability.hpp"
#include "net/writers.hpp"

namespace mazurka::net {
namespace {

TEST(Dijkstra, IsTheFamilyOfTheCollection) {
  const auto folder = std::filesystem::path(MAZURKA_SOURCE_DIR).parent_path() / "shared/nets/gen";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  for (unsigned n : {3U, 4U, 5U}) {
    std::ifstream in(folder / ("dij" + std::to_string(n) + ".ll_net"));
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_EQ(to_ll_net(dijkstra(n)), to_ll_net(read_ll_net("dij", text))) << n;
  }
}

TEST(Dijkstra, ExcludesAndDoesNotGetStuck) {
  const Net net = dijkstra(3);
  const ReachabilityGraph graph(net);
  ASSERT_TRUE(graph.complete());
  EXPECT_EQ(graph.deadlocks(), 0U);
  const PlaceId first = *net.find_place("l6/0");
  const PlaceId second = *net.find_place("l6/1");
  for (std::uint32_t m = 0; m < graph.markings().size(); ++m)
    EXPECT_FALSE(holds(graph.markings()[m], first) && holds(graph.markings()[m], second));
}

}  // namespace
}  // namespace mazurka::net
