// Numbers of Table 1 of *Revisiting Stateful POR* that are reproduced exactly and take seconds at most;
// bench/table-stateful has all of them.
#include <gtest/gtest.h>

#include "network/families.hpp"
#include "network/reachability.hpp"
#include "stateful/graph.hpp"
#include "stateful/verify.hpp"

namespace mazurka::stateful {
namespace {

struct Row {
  const char* family;
  unsigned size;
  const char* algorithm;
  std::uint64_t nodes;
  const char* paths = nullptr;  ///< where the paper's number is exact
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.family << ' ' << row.size << ' ' << row.algorithm; }

class Table : public ::testing::TestWithParam<Row> {};

TEST_P(Table, IsThatOfThePaper) {
  const Row& row = GetParam();
  const network::Network network = network::generate(row.family, {{row.size}});
  const network::Product product(network);
  if (std::string_view(row.algorithm) == "reach") {
    network::Reachability search(product, {});
    search.run();
    EXPECT_EQ(search.states(), row.nodes);
    return;
  }
  const LocalFacts facts(network);
  GraphExplorer explorer(product, facts, *find_algorithm(row.algorithm), {.keep_edges = row.paths != nullptr});
  explorer.run();
  EXPECT_EQ(explorer.statistics().nodes(), row.nodes);
  if (row.paths != nullptr) {
    EXPECT_EQ(count_paths(explorer, postorder(explorer)).maximal.digits(), row.paths);
  }
}

INSTANTIATE_TEST_SUITE_P(BooleanGates, Table,
                         ::testing::Values(Row{"bg", 3, "reach", 163217}, Row{"bg", 3, "pset+sleep", 95991},
                                           Row{"bg", 3, "full+sleep", 131, "256"}, Row{"bg", 3, "full-sleep", 131},
                                           Row{"bg", 3, "minclosure+sleep", 131}, Row{"bg", 3, "apifs+sleep", 329},
                                           Row{"bg", 4, "full+sleep", 401, "65536"}, Row{"bg", 4, "apifs+sleep", 5945},
                                           Row{"bg", 5, "full+sleep", 1211, "4294967296"},
                                           Row{"bg", 8, "full+sleep", 32801}, Row{"bg", 8, "full-sleep", 32801},
                                           Row{"bg", 8, "minclosure+sleep", 32801}));

INSTANTIATE_TEST_SUITE_P(Counter, Table,
                         ::testing::Values(Row{"qo", 15, "reach", 6995968}, Row{"qo", 15, "pset+sleep", 3489810},
                                           Row{"qo", 15, "full+sleep", 407, "32"}, Row{"qo", 15, "full-sleep", 407},
                                           Row{"qo", 15, "minclosure+sleep", 407}, Row{"qo", 15, "apifs+sleep", 422},
                                           Row{"qo", 50, "full+sleep", 3977, "102"}, Row{"qo", 50, "apifs+sleep", 4027},
                                           Row{"qo", 100, "full+sleep", 15452, "202"}));

INSTANTIATE_TEST_SUITE_P(LockPairs, Table,
                         ::testing::Values(Row{"mpat", 5, "reach", 59616}, Row{"mpat", 5, "pset+sleep", 11264},
                                           Row{"mpat", 5, "full+sleep", 672, "3840"}, Row{"mpat", 5, "full-sleep", 672},
                                           Row{"mpat", 5, "minclosure+sleep", 672}, Row{"mpat", 5, "apifs+sleep", 3202},
                                           Row{"mpat", 10, "full+sleep", 41984, "3715891200"},
                                           Row{"mpat", 10, "apifs+sleep", 1446066}));

INSTANTIATE_TEST_SUITE_P(Dispatcher, Table,
                         ::testing::Values(Row{"disp", 5, "full+sleep", 176, "12"}, Row{"disp", 5, "full-sleep", 176},
                                           Row{"disp", 5, "minclosure+sleep", 176},
                                           Row{"disp", 10, "full+sleep", 526, "22"},
                                           Row{"disp", 50, "full+sleep", 9626, "102"}));

INSTANTIATE_TEST_SUITE_P(Peterson, Table,
                         ::testing::Values(Row{"pet", 4, "reach", 19029}, Row{"pet", 4, "pset+sleep", 23824},
                                           Row{"pet", 4, "full+sleep", 19584}, Row{"pet", 4, "full-sleep", 17648},
                                           Row{"pet", 4, "minclosure+sleep", 21209},
                                           Row{"pet", 4, "apifs+sleep", 20009}, Row{"pet", 5, "reach", 932573},
                                           Row{"pet", 5, "pset+sleep", 1435970}));

INSTANTIATE_TEST_SUITE_P(FileSystem, Table,
                         ::testing::Values(Row{"fs", 6, "reach", 531441}, Row{"fs", 6, "pset+sleep", 274374},
                                           Row{"fs", 6, "apifs+sleep", 132, "32"}, Row{"fs", 7, "apifs+sleep", 234},
                                           Row{"fs", 13, "apifs+sleep", 12366}));

INSTANTIATE_TEST_SUITE_P(Philosophers, Table,
                         ::testing::Values(Row{"dp", 10, "reach", 9765624}, Row{"dp", 10, "full+sleep", 145494},
                                           Row{"dp", 10, "full-sleep", 734806}, Row{"dp", 10, "apifs+sleep", 792072},
                                           Row{"dp", 10, "minclosure+sleep", 2165172},
                                           Row{"dp", 11, "full+sleep", 344511}));

INSTANTIATE_TEST_SUITE_P(LastZero, Table, ::testing::Values(Row{"lz", 12, "full+sleep", 1113570, "190459"}));

/// Every model small enough, every algorithm.
TEST(Table, SmallModelsAreVerified) {
  struct Model {
    const char* family;
    std::vector<unsigned> arguments;
  };
  const std::vector<Model> models = {
      {"bg", {1}},   {"bg", {2}},  {"qo", {3}},  {"qo", {6}}, {"mpat", {2}},        {"mpat", {3}},       {"disp", {2}},
      {"disp", {3}}, {"pet", {2}}, {"pet", {3}}, {"fs", {2}}, {"fs", {3}},          {"lz", {3}},         {"lz", {5}},
      {"dp", {3}},   {"dp", {5}},  {"dp", {4}},  {"lz", {4}}, {"locks", {1, 4, 3}}, {"locks", {9, 4, 3}}};
  for (const Model& model : models) {
    const network::Network network = network::generate(model.family, model.arguments);
    const network::Product product(network);
    const LocalFacts facts(network);
    const FirstSets first_sets(product, {});
    for (const Algorithm& algorithm : algorithms()) {
      GraphExplorer explorer(product, facts, algorithm, {.keep_edges = true});
      explorer.run();
      const Verification verification = verify_reduction(explorer, first_sets);
      EXPECT_EQ(verification.status, Verification::Status::Holds)
          << network.name() << ' ' << algorithm.name << ": " << verification.message;
    }
  }
}

}  // namespace
}  // namespace mazurka::stateful
