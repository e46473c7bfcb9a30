// The tables of known prefix sizes (Mole's and Cunf's), row by row; skipped where the shared nets are not at hand.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "net/net_reader.hpp"
#include "net/reachability.hpp"
#include "prefix/questions.hpp"
#include "prefix/unfolder.hpp"
#include "support/reference_unfolder.hpp"

namespace mazurka::prefix {
namespace {

using testing::counts_of;
using Counts = testing::ReferenceUnfolder::Counts;

const std::filesystem::path kShared = std::filesystem::path(MAZURKA_SOURCE_DIR).parent_path() / "shared";

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kLargest = 3000;  // events; sanitizers are slow
#else
constexpr std::size_t kLargest = 200000;
#endif

std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

net::Net load(const std::filesystem::path& path) { return net::read_net(path.string(), slurp(path)); }

/// Rows where we differ, with our figures: docs/prefix.md explains them. ReferenceAgrees below shows which is right.
const std::map<std::string, Counts> kDifferent = {
    {"plain/large/ftp_1.sync.ll_net", {83889, 251720, 83889, 33348}},
    {"contextual/med/bruijn_2.sync.ll_net", {655, 881, 1191, 250}},
    {"contextual/med/knuth_2.ll_net", {450, 582, 851, 185}},
    {"contextual/med/knuth_2.sync.ll_net", {471, 630, 874, 185}},
    {"gen/dij3.ll_net", {351, 543, 1225, 525}},
    {"gen/dij4.ll_net", {1945, 2776, 12853, 6677}},
    {"gen/dij5.ll_net", {10067, 13561, 122665, 72492}},
};

std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(in, line);  // the heading
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

void check_table(const char* table, bool contextual) {
  const auto path = kShared / "oracles" / table;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  std::size_t checked = 0;
  for (const auto& row : rows_of(path)) {
    const std::size_t at = contextual ? 4 : 3;
    const Counts theirs{std::stoul(row[at]), std::stoul(row[at + 1]), std::stoul(row[contextual ? at + 2 : at]),
                        std::stoul(row[at + (contextual ? 3 : 2)])};
    if (theirs.events > kLargest || theirs.histories > kLargest) continue;
    const auto different = kDifferent.find(row[0]);
    const net::Net net = load(kShared / "nets" / row[0]);
    const Unfolding unfolding = unfold(net, Order::Erv);
    ASSERT_TRUE(unfolding.complete) << row[0];
    const Counts ours = counts_of(unfolding.prefix);
    EXPECT_EQ(ours, different == kDifferent.end() ? theirs : different->second)
        << row[0] << ": " << ours.events << "," << ours.conditions << "," << ours.histories << "," << ours.cutoffs;
    ++checked;
  }
  EXPECT_GT(checked, 50U);
}

TEST(Oracle, PlainNetsHaveMolesPrefixes) { check_table("prefix-plain.csv", false); }
TEST(Oracle, ContextualNetsHaveCunfsPrefixes) { check_table("prefix-contextual.csv", true); }

/// Where we differ from the table and the net is small enough, the unfolder that follows the definitions decides.
TEST(Oracle, ReferenceAgreesWhereWeDifferFromTheTable) {
  if (!std::filesystem::exists(kShared / "nets"))
    GTEST_SKIP() << kShared / "nets"
                 << " is not there";
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "too slow under sanitizers";
#endif
  for (const char* name : {"contextual/med/knuth_2.ll_net", "gen/dij3.ll_net"}) {
    const testing::ReferenceUnfolder reference(load(kShared / "nets" / name));
    ASSERT_FALSE(reference.exceeded());
    EXPECT_EQ(reference.counts(), kDifferent.at(name)) << name;
  }
}

TEST(Oracle, ReferenceAgreesOnBundledNets) {
  for (const char* name : {"mid3", "sem", "peterson"}) {
    const net::Net net =
        load(std::filesystem::path(MAZURKA_SOURCE_DIR) / "tests/nets" / (std::string(name) + ".ll_net"));
    const testing::ReferenceUnfolder reference(net);
    EXPECT_EQ(counts_of(unfold(net, Order::Erv).prefix), reference.counts()) << name;
    const testing::ReferenceUnfolder by_size(net, false);
    EXPECT_EQ(counts_of(unfold(net, Order::McMillan).prefix), by_size.counts()) << name;
  }
}

TEST(Questions, KnownDeadlocks) {
  if (!std::filesystem::exists(kShared / "nets"))
    GTEST_SKIP() << kShared / "nets"
                 << " is not there";
  const net::Net dme5 = load(kShared / "nets/contextual/med/dme5.ll_net");
  EXPECT_EQ(find_deadlock(unfold(dme5, Order::Erv).prefix).reply, Answer::Reply::No);
  for (const char* name : {"contextual/med/key_3.ll_net", "plain/med/key_3.ll_net"}) {
    const net::Net key3 = load(kShared / "nets" / name);
    const Answer answer = find_deadlock(unfold(key3, Order::Erv).prefix);
    ASSERT_EQ(answer.reply, Answer::Reply::Yes);
    const net::Simulator simulator(key3);
    const auto marking = simulator.replay(answer.witness);
    ASSERT_TRUE(marking);
    EXPECT_TRUE(simulator.deadlocked(*marking));
  }
}

/// A yes or no about every small net of the collection must be what the reachability graph says.
TEST(Questions, AgreeWithReachabilityOnSharedNets) {
  if (!std::filesystem::exists(kShared / "nets"))
    GTEST_SKIP() << kShared / "nets"
                 << " is not there";
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kShared / "nets")) {
    if (entry.path().extension() != ".ll_net" || entry.path().string().find("huge") != std::string::npos) continue;
    const net::Net net = load(entry.path());
    const net::ReachabilityGraph graph(net, {.markings = 3000});
    if (!graph.complete()) continue;
    const Unfolding unfolding = unfold(net, Order::Erv);
    EXPECT_EQ(find_deadlock(unfolding.prefix).reply == Answer::Reply::Yes, graph.deadlocks() > 0) << entry.path();
    std::vector<bool> fired(net.transitions().size());
    for (EventId e = 1; e < unfolding.prefix.events().size(); ++e) fired[unfolding.prefix.events()[e].label] = true;
    EXPECT_EQ(fired, graph.fired()) << entry.path() << ": a transition is in the prefix iff it can fire";
    ++checked;
  }
  EXPECT_GT(checked, 30U);
}

}  // namespace
}  // namespace mazurka::prefix
