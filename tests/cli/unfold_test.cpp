// mazurka unfold as scripts see it: exit codes, JSON keys, refusals, files that are written.
#include <string>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using mazurka::testing::slurp;

const std::string kHeader = "PEP\nPTNet\nFORMAT_N\n";
const std::string kNets = MAZURKA_SOURCE_DIR "/tests/nets/";

class Unfold : public mazurka::testing::CommandLine {
 protected:
  Answer run(const std::string& arguments) const { return mazurka("unfold " + arguments); }
  Answer run_on(const std::string& text, const std::string& name = "x.ll_net") const {
    write(name, text);
    return run(name);
  }
};

TEST_F(Unfold, JsonHasTheKeysOfTheContract) {
  const Answer answer = run("--json " + kNets + "sem.ll_net");
  EXPECT_EQ(answer.exit_code, 0);
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["result"], "ok");
  EXPECT_EQ(json["events"], 4);
  EXPECT_EQ(json["conditions"], 6);
  EXPECT_EQ(json["histories"], 5);
  EXPECT_EQ(json["cutoffs"], 2);
  for (const char* key : {"seconds", "peak_rss_kib"}) EXPECT_TRUE(json.contains(key)) << key;
}

TEST_F(Unfold, AQuestionAnsweredYesIsABugWithAWitness) {
  for (const std::string mode : {"", "--explicit "}) {
    const Answer yes = run(mode + "--json --cover s2,s3 " + kNets + "sem.ll_net");
    EXPECT_EQ(yes.exit_code, 1);
    const auto json = nlohmann::json::parse(yes.out);
    EXPECT_EQ(json["result"], "bug");
    EXPECT_EQ(json["cover"], true);
    EXPECT_EQ(json["witness"], (std::vector<std::string>{"t0", "t1"}));
    const auto no = nlohmann::json::parse(run(mode + "--json --cover s0,s2 " + kNets + "sem.ll_net").out);
    EXPECT_EQ(no["result"], "ok");
    EXPECT_EQ(no["cover"], false);
    EXPECT_EQ(run(mode + "--reach s1,s2 " + kNets + "sem.ll_net").exit_code, 1);
    EXPECT_EQ(run(mode + "--reach s1 " + kNets + "sem.ll_net").exit_code, 0);
    EXPECT_EQ(run(mode + "--fire t2 " + kNets + "sem.ll_net").exit_code, 1);
    EXPECT_EQ(run(mode + "--deadlock " + kNets + "mid3.ll_net").exit_code, 1);
  }
}

TEST_F(Unfold, UsageErrors) {
  EXPECT_EQ(run("missing.ll_net").exit_code, 2);
  EXPECT_EQ(run("--order=none " + kNets + "sem.ll_net").exit_code, 2);
  EXPECT_EQ(run("--deadlock --fire t0 " + kNets + "sem.ll_net").exit_code, 2) << "one question at a time";
  const Answer unknown = run("--fire nobody " + kNets + "sem.ll_net");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("the net has no transition 'nobody'"), std::string::npos) << unknown.err;
  EXPECT_TRUE(unknown.out.empty());
}

TEST_F(Unfold, RefusesANetThatIsNotSafe) {
  const std::string net = kHeader + "PL\n\"a\"M1\n\"b\"M1\n\"c\"\nTR\n\"t\"\n\"u\"\nTP\n1<3\n2<3\nPT\n1>1\n2>2\n";
  const Answer answer = run_on(net);
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_TRUE(answer.out.empty());
  EXPECT_NE(
      answer.err.find("x.ll_net: the net is not 1-safe: place 'c' gets a second token when these fire in order: "),
      std::string::npos)
      << answer.err;
  EXPECT_EQ(run("--explicit x.ll_net").exit_code, 2);
}

TEST_F(Unfold, RefusesTruncatedAndNonsenseFiles) {
  const std::string whole = slurp(kNets + "peterson.ll_net");
  ASSERT_GT(whole.size(), 100U);
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    const Answer answer = run_on(whole.substr(0, length));
    // A cut inside the last blocks leaves a net; anything shorter must be refused with a place and no output.
    if (answer.exit_code == 0) continue;
    EXPECT_EQ(answer.exit_code, 2) << length;
    EXPECT_TRUE(answer.out.empty()) << length;
    EXPECT_TRUE(answer.err.starts_with("x.ll_net")) << answer.err;
  }
  EXPECT_EQ(run_on("garbage", "x.ll_net").exit_code, 2);
  EXPECT_EQ(run_on("<pnml><net><place/></net></pnml>", "x.pnml").exit_code, 2);
  EXPECT_EQ(run_on("tr t p -> q*3", "x.net").exit_code, 2);
  EXPECT_EQ(run_on("", "x.net").exit_code, 2);
}

TEST_F(Unfold, NamesTheTypeOfANetThatItDoesNotRead) {
  const std::string type = "http://www.pnml.org/version-2009/grammar/symmetricnet";
  write("x.pnml", "<pnml><net id=\"c\" type=\"" + type +
                      "\"><page id=\"g\"><place id=\"p\"><type><structure><dot/>"
                      "</structure></type></place><transition id=\"t\"/></page></net></pnml>");
  for (const std::string mode : {"", "--explicit "}) {
    const Answer answer = run(mode + "--deadlock x.pnml");
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_TRUE(answer.out.empty());
    EXPECT_NE(answer.err.find("x.pnml:1:8: nets of type '" + type + "' are not supported"), std::string::npos)
        << answer.err;
  }
}

TEST_F(Unfold, AnswersForTheDialectsOfOtherTools) {
  const auto deadlock = [&](const std::string& file, const std::string& text) {
    write(file, text);
    const auto prefix = nlohmann::json::parse(run("--json --deadlock " + file).out);
    const auto graph = nlohmann::json::parse(run("--json --explicit --deadlock " + file).out);
    EXPECT_EQ(prefix["deadlock"], graph["deadlock"]) << text;
    return prefix["deadlock"] == true ? static_cast<int>(prefix["witness"].size()) : -1;
  };
  const auto loop = [](const std::string& marking, const std::string& weight) {
    const std::string inscription =
        "<inscription><value>" + weight + "</value></inscription><type value=\"normal\"/></arc>";
    return "<pnml><net id=\"n\" type=\"P/T net\"><place id=\"p\"><initialMarking><value>" + marking +
           "</value></initialMarking></place><transition id=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\">" +
           inscription + "<arc id=\"b\" source=\"t\" target=\"p\">" + inscription + "</net></pnml>";
  };
  EXPECT_EQ(deadlock("x.pnml", loop("Default,1", "Default,1")), -1) << "the token goes round for ever";
  EXPECT_EQ(deadlock("x.pnml", loop("1", "2")), 0) << "the arc needs two tokens";
  EXPECT_EQ(deadlock("x.xml", loop("0", "1")), 0);
  EXPECT_EQ(deadlock("x.tapn",
                     "<pnml><net id=\"n\" type=\"P/T net\"><place id=\"p\" initialMarking=\"1\"/><place id=\"q\" "
                     "initialMarking=\"0\"/><transition id=\"t\"/><inputArc source=\"p\" target=\"t\"/>"
                     "<outputArc source=\"t\" target=\"q\"/></net></pnml>"),
            1);
  EXPECT_EQ(deadlock("x.ll_net", "% a comment\n" + kHeader + "PL\n1\"p\"M1\nTR\n1\"t\"\nTP\n1<1\nPT\n1>1\n"), -1);
  EXPECT_EQ(run("--fire t x.xml").exit_code, 0) << "a dead transition is still a transition of the net";
}

TEST_F(Unfold, WritesThePrefixAsNetJsonAndDot) {
  EXPECT_EQ(run(kNets + "sem.ll_net --prefix p.ll_net --dot p.dot --net-dot n.dot --convert n.pnml").exit_code, 0);
  EXPECT_EQ(run("--json p.ll_net").exit_code, 0) << "the prefix is a safe net";
  EXPECT_NE(slurp(folder_ / "p.dot").find("digraph prefix"), std::string::npos);
  EXPECT_NE(slurp(folder_ / "n.dot").find("digraph net"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(run("--json n.pnml").out)["events"], 4);
  EXPECT_EQ(run(kNets + "sem.ll_net --prefix p.json").exit_code, 0);
  const auto prefix = nlohmann::json::parse(slurp(folder_ / "p.json"));
  EXPECT_EQ(prefix["events"].size(), 4U);
  EXPECT_EQ(prefix["conditions"].size(), 6U);
}

TEST_F(Unfold, ReadsNetworks) {
  const std::string network = MAZURKA_SOURCE_DIR "/examples/philosophers.tck";
  const auto json = nlohmann::json::parse(run("--json --deadlock " + network).out);
  EXPECT_EQ(json["deadlock"], true);
  EXPECT_EQ(json["witness"].size(), 3U);
}

TEST_F(Unfold, TheEndOfAllClientsIsNoDeadlock) {
  write("end.tck", "system:s\nevent:go\nprocess:p\nlocation:p:a{initial:}\nlocation:p:b{}\nedge:p:a:b:go{}\n");
  const auto json = nlohmann::json::parse(run("--json --explicit --deadlock end.tck").out);
  EXPECT_EQ(json["deadlock"], false);
  EXPECT_EQ(json["deadlocks"], 0) << "as many as the answer is about";
  write("end.ll_net", kHeader + "PL\n\"a\"M1\n\"b\"\nTR\n\"t\"\nTP\n1<2\nPT\n1>1\n");
  EXPECT_NE(run("--explicit end.ll_net").out.find("deadlocks 1"), std::string::npos);
  EXPECT_NE(run("--explicit --deadlock --final b end.ll_net").out.find("deadlocks 0"), std::string::npos);
}

/// 24 independent loops of four steps, which have 4^24 markings: the reachability graph cannot end before an interrupt.
std::string loops() {
  std::string places = "PL\n";
  std::string transitions = "TR\n";
  std::string tp = "TP\n";
  std::string pt = "PT\n";
  for (int i = 0; i < 96; ++i) {
    const int next = i % 4 == 3 ? i - 3 : i + 1;
    places += "\"p" + std::to_string(i) + (i % 4 == 0 ? "\"M1\n" : "\"\n");
    transitions += "\"t" + std::to_string(i) + "\"\n";
    tp += std::to_string(i + 1) + "<" + std::to_string(next + 1) + "\n";
    pt += std::to_string(i + 1) + ">" + std::to_string(i + 1) + "\n";
  }
  return kHeader + places + transitions + tp + pt;
}

TEST_F(Unfold, AnInterruptPrintsWhatIsKnown) {
  write("loops.ll_net", loops());
  const Answer answer = interrupted("unfold --explicit --json --deadlock loops.ll_net");
  EXPECT_EQ(answer.exit_code, 3);
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["result"], "incomplete");
  EXPECT_FALSE(json.contains("deadlock")) << "nothing is known";
}

TEST_F(Unfold, ShowsProgressOnATerminalOnly) {
  write("loops.ll_net", loops());
  const std::string command = "unfold --explicit loops.ll_net";
  const std::string line = " markings, ";
  EXPECT_EQ(interrupted(command).err.find(line), std::string::npos);
  EXPECT_NE(interrupted_on_terminal(command, line).out.find(line), std::string::npos);
}

}  // namespace
