#include "network/tck.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "network/families.hpp"
#include "network/product.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"

namespace mazurka::network {
namespace {

constexpr const char* kSmall =
    "system:small\n"
    "event:a\n"
    "event:b\n"
    "process:C\n"
    "location:C:c0{initial:}\n"
    "location:C:c1\n"
    "edge:C:c0:c1:a\n"
    "process:S\n"
    "location:S:s0{initial: : labels: idle}\n"
    "edge:S:s0:s0:b   # serves for ever\n"
    "sync:C@a:S@b\n";

std::string error_of_tck(const std::string& text) {
  try {
    read_tck(text, "in.tck");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string with(const std::string& line_before, const std::string& replacement) {
  std::string text = kSmall;
  const std::size_t position = text.find(line_before);
  EXPECT_NE(position, std::string::npos);
  return text.replace(position, line_before.size(), replacement);
}

TEST(Tck, InfersRolesFromCycles) {
  const Network network = read_tck(kSmall, "in.tck");
  EXPECT_EQ(network.component(0).role, Role::Client);
  EXPECT_EQ(network.component(1).role, Role::Server);
  ASSERT_EQ(network.actions().size(), 1U);
  EXPECT_EQ(network.action_name(0), "C.a/S.b");
  EXPECT_EQ(network.component(1).locations[0].labels, "idle");
}

TEST(Tck, ReadsAttributesThatSpanLines) {
  const std::string one_line = "location:S:s0{initial: : labels: idle}";
  const std::string lines = "location:S:s0{initial:  # where it begins\n  : labels:\n\n idle\n}";
  EXPECT_EQ(write_tck(read_tck(with(one_line, lines), "in.tck")),
            write_tck(read_tck(with(one_line, one_line), "in.tck")));
  EXPECT_EQ(error_of_tck(with(one_line, "location:S:s0{initial:\n : nosuch: 1}")).find("in.tck:"), 0U);
  EXPECT_NE(error_of_tck(with(one_line, "location:S:s0{initial:\n  : nosuch: 1}")).find(":5: attribute 'nosuch'"),
            std::string::npos);
  EXPECT_NE(error_of_tck("system:s\nprocess:p{role:\n").find("in.tck:2:10: this '{' is never closed"),
            std::string::npos);
}

TEST(Tck, PutsTheClientFirstWhateverTheOrderInTheLine) {
  const Network network = read_tck(with("sync:C@a:S@b", "sync:S@b:C@a"), "in.tck");
  EXPECT_EQ(network.action(0).client, 0U);
  EXPECT_EQ(network.action(0).server, 1U);
}

TEST(Tck, MakesUnsynchronisedClientEdgesLocal) {
  const Network network = read_tck(with("edge:C:c0:c1:a", "edge:C:c0:c1:a\nlocation:C:c2\nedge:C:c1:c2:b"), "in.tck");
  ASSERT_EQ(network.actions().size(), 2U);
  EXPECT_TRUE(network.component(network.action(1).server).implicit);
  const Product product(network);
  auto state = product.initial();
  EXPECT_TRUE(product.take(state.data(), 0));
  EXPECT_TRUE(product.take(state.data(), 1));
  EXPECT_TRUE(product.finished(state.data()));
  EXPECT_EQ(write_tck(read_tck(write_tck(network), "again.tck")), write_tck(network));
}

struct Refused {
  std::string text;
  std::string message;
};

TEST(Tck, RefusesBadInputWithItsPlace) {
  const Refused cases[] = {
      {"", "in.tck:1:1: there is no 'system:NAME' line"},
      {"event:a\n", "in.tck:1:1: the first declaration must be 'system:NAME'"},
      {"system:s\n", "in.tck:1:1: the system has no process"},
      {"system:s\nsystem:t\n", "in.tck:2:1: a second 'system' line"},
      {"system:1s\n", "in.tck:1:8: '1s' is not a name"},
      {"system\n", "in.tck:1:1: expected system:NAME, found 0 fields"},
      {with("event:b", "event:a"), "in.tck:3:7: event 'a' is declared twice"},
      {with("process:S", "process:C"), "in.tck:8:9: process 'C' is declared twice"},
      {with("location:C:c1", "location:C:c0"), "in.tck:6:12: location 'c0' of process 'C' is declared twice"},
      {with("edge:C:c0:c1:a", "edge:C:c0:c9:a"), "in.tck:7:11: process 'C' has no location 'c9'"},
      {with("edge:C:c0:c1:a", "edge:C:c0:c1:z"), "in.tck:7:14: event 'z' is not declared"},
      {with("edge:C:c0:c1:a", "edge:D:c0:c1:a"), "in.tck:7:6: process 'D' is not declared"},
      {with("edge:C:c0:c1:a", "edge:C:c0:a"), "in.tck:7:1: expected edge:PROCESS:SOURCE:TARGET:EVENT"},
      {with("edge:C:c0:c1:a", "egde:C:c0:c1:a"), "in.tck:7:1: unknown declaration 'egde'"},
      {with("event:b", "clock:1:x"), "in.tck:3:1: 'clock' declarations are not supported"},
      {with("event:b", "int:1:0:1:0:x"), "in.tck:3:1: 'int' declarations are not supported"},
      {with("edge:C:c0:c1:a", "edge:C:c0:c1:a{provided: x>1}"), "in.tck:7:16: attribute 'provided' is not supported"},
      {with("location:C:c1", "location:C:c1{invariant: x<1}"),
       "in.tck:6:15: attribute 'invariant' of a location is not supported"},
      {with("location:C:c1", "location:C:c1{committed:}"),
       "in.tck:6:15: attribute 'committed' of a location is not supported"},
      {with("location:C:c1", "location:C:c1{urgent:}"),
       "in.tck:6:15: attribute 'urgent' of a location is not supported"},
      {with("edge:C:c0:c1:a", "edge:C:c0:c1:a{do: x=0}"), "in.tck:7:16: attribute 'do' is not supported"},
      {with("system:small", "system:small{x: 1}"), "in.tck:1:14: attribute 'x' is not known here"},
      {with("event:a", "event:a{x: 1}"), "in.tck:2:9: attribute 'x' is not known here"},
      {with("process:S", "process:S{urgent:}"), "in.tck:8:11: attribute 'urgent' of a process is not known"},
      {with("process:S", "process:S{role: client : role: server}"), "in.tck:8:26: attribute 'role' is given twice"},
      {with("location:C:c1", "location:C:c1{initial: false}"), "in.tck:6:15: attribute 'initial' has no value"},
      {with("sync:C@a:S@b", "sync:C@a:S@b{x: 1}"), "in.tck:11:14: a synchronisation has no attributes"},
      {with("process:S", "process:S{role: boss}"), "in.tck:8:11: role 'boss' is neither client nor server"},
      {with("{initial:}", "{initial:"), "in.tck:5:14: this '{' is never closed"},
      {with("{initial:}", "{initial}"), "in.tck:5:15: an attribute is written 'name: value'"},
      {with("{initial:}", ""), "in.tck:4:9: process 'C' has 0 initial locations"},
      {with("location:C:c1", "location:C:c1{initial:}"), "in.tck:4:9: process 'C' has 2 initial locations"},
      {with("edge:C:c0:c1:a", "edge:C:c0:c1:a\nedge:C:c0:c0:a"),
       "in.tck:8:8: process 'C' has two edges with event 'a'"},
      {with("sync:C@a:S@b", "sync:C@a"), "in.tck:11:1: a synchronisation of 1 processes"},
      {with("sync:C@a:S@b", "sync:C@a:S@b:C@a"), "in.tck:11:1: a synchronisation of 3 processes"},
      {with("sync:C@a:S@b", "sync:C@a:S@b?"), "in.tck:11:10: weak synchronisation"},
      {with("sync:C@a:S@b", "sync:C@a:Sb"), "in.tck:11:10: 'Sb' should be 'process@event'"},
      {with("sync:C@a:S@b", "sync:C@b:S@b"), "in.tck:11:6: no edge of process 'C' has event 'b'"},
      {with("sync:C@a:S@b", "sync:C@a:C@a"), "in.tck:11:6: process 'C' is synchronised with itself"},
      {with("sync:C@a:S@b", "sync:C@a:S@b\nsync:C@a:S@b"), "in.tck:12:6: this synchronisation is declared twice"},
      {with("process:C\n", "process:C{role: client}\n") + "edge:C:c1:c0:b\n",
       "in.tck:4:9: client 'C' has the cycle c0 -> c1 -> c0"},
      {with("process:S\n", "process:S{role: client}\n"), "in.tck:8:9: client 'S' has the cycle s0 -> s0"},
      {with("edge:S:s0:s0:b", "location:S:s1\nedge:S:s0:s1:b"),
       "nothing tells whether process 'C' is a client or a server"},
      {with("sync:C@a:S@b\n", ""), "in.tck:10:8: event 'b' of server 'S' is not synchronised"},
  };
  for (const Refused& refused : cases)
    EXPECT_NE(error_of_tck(refused.text).find(refused.message), std::string::npos)
        << "wanted: " << refused.message << "\ngot:    " << error_of_tck(refused.text);
}

TEST(Tck, AnyTruncationIsReadOrRefusedButNeverMore) {
  const std::string text = kSmall;
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      read_tck(text.substr(0, length), "in.tck");
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 7), "in.tck:");
    }
  }
}

TEST(Tck, FamiliesAreReadBackAndWrittenIdentically) {
  for (const Family& family : families()) {
    std::vector<unsigned> arguments(family.parameters.size(), 3);
    const std::string text = write_tck(family.generate(arguments));
    EXPECT_EQ(write_tck(read_tck(text, "generated.tck")), text) << family.name;
  }
}

TEST(Tck, RandomNetworksAreReadBackAndWrittenIdentically) {
  EXPECT_TRUE(testing::property("write . read . write = write", 500, [](const testing::NetworkSpec& spec) {
    const std::string text = write_tck(testing::to_network(spec));
    RC_ASSERT(write_tck(read_tck(text, "random.tck")) == text);
  }));
}

}  // namespace
}  // namespace mazurka::network
