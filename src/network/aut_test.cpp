#include "network/aut.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "network/families.hpp"
#include "network/reachability.hpp"

namespace mazurka::network {
namespace {

std::string error_of_aut(const std::string& text) {
  try {
    read_aut(text, "x.aut");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Aut, ReadsQuotedAndBareLabels) {
  const Automaton automaton = read_aut("des (0, 2, 2)\n(0, \"a,b\", 1)\n(1, tau, 0)\n", "x.aut");
  EXPECT_EQ(automaton.states, 2U);
  ASSERT_EQ(automaton.transitions.size(), 2U);
  EXPECT_EQ(automaton.transitions[0].label, "a,b");
  EXPECT_EQ(automaton.transitions[1].label, "tau");
  EXPECT_EQ(automaton.transitions[1].target, 0U);
}

TEST(Aut, RefusesBadInputWithItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "x.aut:1:1: there is no 'des"},
      {"dse (0,0,1)", "x.aut:1:1: expected 'des'"},
      {"des (0,0,0)", "at least one state"},
      {"des (3,0,1)", "the initial state is 3"},
      {"des (0,1,2)\n", "announces 1 transitions, but there are 0"},
      {"des (0,1,2)\n(0,a,2)\n", "x.aut:2:6: state 2 does not exist"},
      {"des (0,1,2)\n(0,a,1\n", "x.aut:2:7: expected ')'"},
      {"des (0,1,2)\n(0,\"a,1)\n", "closing quote is missing"},
      {"des (0,1,2)\n(0,a,1) x\n", "x.aut:2:9: unexpected text"},
      {"des (0,99999999999,2)\n", "a number below 4294967296"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_NE(error_of_aut(text).find(message), std::string::npos) << text << "\ngot: " << error_of_aut(text);
}

Network read_files(const std::map<std::string, std::string>& files, const std::string& name) {
  return read_sync(files.at(name), name, [&](const std::string& file) { return files.at(file); });
}

TEST(Aut, FamiliesAreReadBackAndWrittenIdentically) {
  for (const Family& family : families()) {
    const std::vector<unsigned> arguments(family.parameters.size(), 3);
    const Network network = family.generate(arguments);
    const auto files = write_sync(network);
    const Network again = read_files(files, network.name() + ".sync");
    EXPECT_EQ(write_sync(again), files) << family.name;
  }
}

TEST(Aut, TheJoinedAutomataAreTheSameSystem) {
  const std::vector<unsigned> arguments{4};
  const Network network = generate("dp", arguments);
  const Network again = read_files(write_sync(network), "dp_4.sync");
  const Product product(again);
  Reachability search(product, {});
  search.run();
  EXPECT_EQ(search.states(), 624U);
}

TEST(Aut, SyncFilesAreRefusedWithTheirPlace) {
  const std::map<std::string, std::string> files{{"p.aut", "des (0,1,2)\n(0,a,1)\n"},
                                                 {"internal.aut", "des (0,2,3)\n(0,i,1)\n(1,tau,2)\n"},
                                                 {"offer.aut", "des (0,1,2)\n(0,\"SEND !1\",1)\n"},
                                                 {"isolated.aut", "des (0,0,4000000000)\n"}};
  const auto error = [&](const std::string& text) -> std::string {
    try {
      read_sync(text, "in.sync", [&](const std::string& file) { return files.at(file); });
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(error("process:P:p.aut\n").find("in.sync:1:1: there is no 'system:NAME'"), std::string::npos);
  EXPECT_NE(error("system:s\nprocess:P\n").find("in.sync:2:1: expected process:NAME:FILE.aut"), std::string::npos);
  EXPECT_NE(error("system:s\nprocess:P:isolated.aut\n").find("some are isolated"), std::string::npos);
  EXPECT_NE(error("system:s\nprocess:P:p.aut\nsync:P@a:Q@b\n").find("in.sync:3:10: process 'Q'"), std::string::npos);
  EXPECT_NE(error("system:s\nsystem:t\n").find("in.sync:2:1: a second 'system' line"), std::string::npos);
  EXPECT_NE(error("system:s{x: 1}\n").find("in.sync:1:10: attribute 'x' is not known here"), std::string::npos);
  EXPECT_NE(error("system:s\nprocess:P:p.aut{x: 1}\n").find("in.sync:2:17: attribute 'x' of a process is not known"),
            std::string::npos);
  EXPECT_NE(error("system:s\nprocess:P:offer.aut\n").find("offer.aut:2:2: 'SEND !1' is not a name"), std::string::npos);
  const std::string internal = "system:s\nprocess:P:internal.aut\nprocess:Q:p.aut\nsync:";
  EXPECT_NE(error(internal + "P@i:Q@a\n").find("in.sync:4:8: 'i' is the internal action"), std::string::npos);
  EXPECT_NE(error(internal + "Q@a:P@tau\n").find("in.sync:4:12: 'tau' is the internal action"), std::string::npos);
  EXPECT_EQ(error("system:s\nprocess:P:internal.aut\n"), "no error") << "a step of its own";
  EXPECT_NE(error("system:s\nprocess:P:p.aut\nlocation:P:x\n").find("in.sync:3:1: unknown declaration"),
            std::string::npos);
}

}  // namespace
}  // namespace mazurka::network
