// Disks that are full, programs that are not ours, folders that are missing, signals: what a user meets at the edges.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

#ifndef __has_feature
#define __has_feature(what) 0
#endif

namespace {

using mazurka::testing::Answer;
using mazurka::testing::slurp;
using Json = nlohmann::json;

const std::string kExampleFolder = MAZURKA_SOURCE_DIR "/examples/";

class Edges : public mazurka::testing::CommandLine {
 protected:
  static constexpr const char* kLostUpdate =
      "#include <assert.h>\n"
      "#include <pthread.h>\n"
      "#include <stdatomic.h>\n"
      "atomic_int x;\n"
      "void *t(void *a) { atomic_store(&x, atomic_load(&x) + 1); return a; }\n"
      "int main() {\n"
      "  pthread_t a, b;\n"
      "  pthread_create(&a, 0, t, 0), pthread_create(&b, 0, t, 0);\n"
      "  pthread_join(a, 0), pthread_join(b, 0);\n"
      "  assert(x == 2);\n"
      "}\n";

  void SetUp() override {
    CommandLine::SetUp();
    std::filesystem::create_directory(folder_ / "tmp");
  }
  std::size_t leftovers() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_ / "tmp")) ++count;
    return count;
  }
  /// Sends a signal after a while, also if the tests run under nohup.
  Answer signalled(const std::string& arguments, const std::string& signal) const {
    return shell("env --default-signal=HUP TMPDIR=tmp " MAZURKA_BINARY " " + arguments + " & sleep 0.4; kill -" +
                 signal + " $!; wait $!");
  }
};

TEST_F(Edges, AReportThatCannotBeWrittenDoesNotLoseTheBug) {
  const std::string check = "check --json " + kExampleFolder + "philosophers.tck ";
  write("old.html", "older");
  std::filesystem::create_directory(folder_ / "folder");
  for (const std::string report :
       {"--html /dev/full", "--sarif /nonexistent/x", "--junit folder", "--save /dev/full"}) {
    const Answer answer = mazurka(check + report);
    EXPECT_EQ(answer.exit_code, 1) << report;
    EXPECT_EQ(Json::parse(answer.out)["result"], "bug") << report;
    EXPECT_NE(answer.err.find("cannot be written"), std::string::npos) << report << answer.err;
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  const Answer limited = shell("( ulimit -f 0; " MAZURKA_BINARY " " + check + "--html old.html ) | cat");
  EXPECT_EQ(Json::parse(limited.out)["result"], "bug") << limited.err;
  EXPECT_EQ(slurp(folder_ / "old.html"), "older");
  EXPECT_EQ(mazurka(check + "--html old.html").exit_code, 1);
  EXPECT_NE(slurp(folder_ / "old.html").find("<html"), std::string::npos);
}

TEST_F(Edges, AFileThatIsMissingIsAnErrorWhereThereIsNoBug) {
  EXPECT_EQ(mazurka("unfold --dot /dev/full " MAZURKA_SOURCE_DIR "/tests/nets/sem.ll_net").exit_code, 2);
}

TEST_F(Edges, StandardStreamsMayBeClosed) {
  const std::string check = MAZURKA_BINARY " check --quiet " MAZURKA_SOURCE_DIR "/tests/regressions/exit_handlers.c ";
  EXPECT_EQ(shell(check + "<&-").exit_code, 0);
  EXPECT_EQ(shell(check + "<&- >&- 2>&-").exit_code, 0);
}

TEST_F(Edges, ALinkToAReportStaysALink) {
  write("target.html", "older");
  std::filesystem::create_symlink("target.html", folder_ / "link.html");
  EXPECT_EQ(mazurka("check --html link.html " + kExampleFolder + "philosophers.tck").exit_code, 1);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.html"));
  EXPECT_NE(slurp(folder_ / "target.html"), "older");
}

TEST_F(Edges, AProgramThatIsNotOursIsNotRun) {
  const Answer answer = mazurka("check /usr/bin/touch -- touched");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("is not a program built for Mazurka"), std::string::npos) << answer.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "touched"));
  write("touch.mzk", "mazurka-schedule 3\nsystem /usr/bin/touch\nhash 0\nargument touched\nerror deadlock\nend\n");
  for (const std::string force : {"", "--force "}) {
    EXPECT_EQ(mazurka("replay " + force + "touch.mzk").exit_code, 2) << force;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "touched")) << force;
  }
}

TEST_F(Edges, AMissingTemporaryFolderIsNamed) {
  write("x.c", kLostUpdate);
  const Answer answer = shell("TMPDIR=/nonexistent " MAZURKA_BINARY " check x.c");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("/nonexistent"), std::string::npos) << answer.err;
}

/// A file system without a free byte, mounted in a namespace of its own.
TEST_F(Edges, AFullTemporaryFolderIsNamedAndNothingIsLeftThere) {
  if (shell("unshare -rm mount -t tmpfs tmpfs tmp").exit_code != 0)
    GTEST_SKIP() << "this user may not mount a file system in a namespace";
  write("bug.c", kLostUpdate);
  write("safe.c", "int main() {}\n");
  for (const std::string name : {"bug", "safe"}) ASSERT_EQ(mazurka("cc -g " + name + ".c -o " + name).exit_code, 0);
  ASSERT_EQ(shell(MAZURKA_BINARY " gen dp 3 >dp.tck").exit_code, 0);
  struct Case {
    std::string arguments;
    int exit_code;
    std::string complaint;  ///< about this file
  };
  const Case cases[] = {{"check safe.c", 2, "/tmp/"},
                        {"check ./safe", 0, ""},
                        {"check --html tmp/x.html ./safe", 2, "tmp/x.html"},
                        {"check --save tmp/bug.mzk ./bug", 1, "tmp/bug.mzk"},  // the bug is not lost
                        {"check --sarif tmp/x.sarif ./bug", 1, "tmp/x.sarif"},
                        {"check --junit tmp/x.xml ./bug", 1, "tmp/x.xml"},
                        {"check --algorithm=unfolding --dot tmp/x.dot ./safe", 2, "tmp/x.dot"},
                        {"unfold dp.tck", 0, ""},
                        {"unfold --deadlock dp.tck", 0, ""},
                        {"unfold --dot tmp/x.dot dp.tck", 2, "tmp/x.dot"},
                        {"unfold --convert tmp/x.pnml dp.tck", 2, "tmp/x.pnml"},
                        {"states dp.tck", 0, ""},
                        {"states --dot tmp/x.dot dp.tck", 2, "tmp/x.dot"}};
  for (const auto& [arguments, exit_code, complaint] : cases) {
    const Answer answer = shell(
        "unshare -rm sh -c 'mount -t tmpfs -o size=64k tmpfs tmp && head -c 1M /dev/zero >tmp/filler 2>/dev/null; "
        "TMPDIR=$PWD/tmp timeout 60 \"$@\"; code=$?; ls -A tmp >left; exit $code' sh " MAZURKA_BINARY " " +
        arguments);
    EXPECT_EQ(answer.exit_code, exit_code) << arguments << answer.out << answer.err;
    EXPECT_EQ(read("left"), "filler\n") << arguments;
    EXPECT_EQ(answer.err.find("No space left on device") != std::string::npos, !complaint.empty())
        << arguments << answer.err;
    EXPECT_NE(answer.err.find(complaint), std::string::npos) << arguments << answer.err;
  }
}

TEST_F(Edges, EndlessInputsAreRefused) {
  for (const std::string command :
       {"states - </dev/zero", "unfold /dev/zero", "replay /dev/zero", "unfold - </dev/zero"}) {
    const Answer answer = mazurka(command);
    EXPECT_EQ(answer.exit_code, 2) << command;
    EXPECT_NE(answer.err.find("is not a text"), std::string::npos) << command << answer.err;
  }
}

TEST_F(Edges, BytesThatAreNoTextDoNotBreakJson) {
  write("x.tck", "system:s\nprocess:p\xb1\n");
  for (const std::string command : {"states --json x.tck", "unfold --json x.tck", "replay --json x.tck"}) {
    const Answer answer = mazurka(command);
    EXPECT_EQ(answer.exit_code, 2) << command;
    EXPECT_EQ(Json::parse(answer.out)["result"], "error") << command;
  }
}

TEST_F(Edges, SignalsLeaveNothingBehind) {
  write("x.c",
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x[20];\n"
        "void *t(void *a) { atomic_store((atomic_int *)a, 1); return 0; }\n"
        "void *r(void *a) { for (int i = 0; i < 20; ++i) (void)atomic_load(&x[i]); return a; }\n"
        "int main() { pthread_t p[21]; for (int i = 0; i < 20; ++i) pthread_create(&p[i], 0, t, &x[i]);\n"
        "pthread_create(&p[20], 0, r, 0); for (int i = 0; i < 21; ++i) pthread_join(p[i], 0); }\n");
  const Answer answer = signalled("check --json x.c", "HUP");
  EXPECT_TRUE(answer.exit_code == 3 || answer.exit_code == 2) << answer.out << answer.err;  // the compiler hears it too
  EXPECT_EQ(leftovers(), 0U);
  signalled("check --json x.c", "KILL");
  for (int i = 0; i < 100 && leftovers() != 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(leftovers(), 0U);
}

TEST_F(Edges, UnfoldAndStatesHearSignalsAndLimits) {
  ASSERT_EQ(shell(MAZURKA_BINARY " gen dp 60 >big.tck").exit_code, 0);
  for (const std::string command :
       {"states --json big.tck", "unfold --json big.tck", "unfold --json --deadlock big.tck"}) {
    const Answer answer = signalled(command, "TERM");
    EXPECT_EQ(answer.exit_code, 3) << command << answer.out << answer.err;
    EXPECT_EQ(Json::parse(answer.out)["result"], "incomplete") << command;
    EXPECT_EQ(mazurka(command + " --time-limit 0.3").exit_code, 3) << command;
    EXPECT_EQ(mazurka(command + " --time-limit -1").exit_code, 2) << command;
  }
#if !__has_feature(address_sanitizer)  // which takes more than the limit from the start
  EXPECT_EQ(mazurka("states --json --memory-limit 40 big.tck").exit_code, 3);
#endif
}

/// A model of 2 GB: whatever stops the command, it is while the model is read.
TEST_F(Edges, ReadingALargeModelHearsSignalsAndLimits) {
  const auto read = [&](const std::string& line, const std::string& arguments, const std::string& then = "") {
    return shell("yes '" + line + "' | head -c 2000000000 | TMPDIR=tmp " MAZURKA_BINARY " " + arguments + " --json - " +
                 then);
  };
  const std::pair<std::string, std::string> models[] = {{"pl p (1)", "unfold"}, {"event:e", "states"}};
  for (const auto& [line, command] : models) {
    const Answer stopped = read(line, command, "& sleep 0.4; kill -TERM $!; wait $!");
    EXPECT_EQ(stopped.exit_code, 3) << command << stopped.out << stopped.err;
    EXPECT_EQ(Json::parse(stopped.out)["incomplete"][0]["reason"], "interrupt") << command;
    const Answer late = read(line, command + " --time-limit 0.3");
    EXPECT_EQ(late.exit_code, 3) << command << late.out << late.err;
    EXPECT_EQ(Json::parse(late.out)["incomplete"][0]["reason"], "time-limit") << command;
  }
}

TEST_F(Edges, ADeadlockIsFoundBeforeTheUnfoldingEnds) {
  std::string net;  // philosophers who all take the left fork first
  constexpr int kCount = 40;
  for (int i = 0; i < kCount; ++i) {
    const std::string n = std::to_string(i);
    const std::string next = std::to_string((i + 1) % kCount);
    net += "pl t" + n + " (1)\npl f" + n + " (1)\ntr l" + n + " t" + n + " f" + n + " -> h" + n + "\ntr r" + n + " h" +
           n + " f" + next + " -> e" + n + "\ntr d" + n + " e" + n + " -> t" + n + " f" + n + " f" + next + "\n";
  }
  write("big.net", net);
  const Answer answer = mazurka("unfold --json --deadlock big.net");
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_EQ(Json::parse(answer.out)["method"], "stubborn sets");
}

TEST_F(Edges, DeadlocksOfNetsThatAreNotSafe) {
  write("pairs.net", "pl a (3)\ntr t a*2 -> b\n");
  const Answer answer = mazurka("unfold --json --deadlock pairs.net");
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_EQ(Json::parse(answer.out)["witness"], Json::array({"t"}));
  EXPECT_EQ(mazurka("unfold --deadlock --final a,b pairs.net").exit_code, 0);
  EXPECT_EQ(mazurka("unfold --deadlock --final b pairs.net").exit_code, 1);
  EXPECT_EQ(mazurka("unfold pairs.net").exit_code, 2) << "there is no prefix of it";
  write("round.net", "pl a (2)\ntr t a -> b\ntr u b -> a\n");
  EXPECT_EQ(mazurka("unfold --deadlock round.net").exit_code, 0);
}

TEST_F(Edges, AFinalMarkingIsNoDeadlock) {
  write("flow.net", "pl i (1)\ntr t i -> o\ntr u i -> x\n");
  for (const std::string mode : {"", "--explicit ", "--dot p.dot "}) {
    EXPECT_EQ(mazurka("unfold --deadlock " + mode + "flow.net").exit_code, 1) << mode;
    const Answer answer = mazurka("unfold --json --deadlock --final o " + mode + "flow.net");
    EXPECT_EQ(Json::parse(answer.out)["witness"], Json::array({"u"})) << mode;
  }
  write("good.net", "pl i (1)\ntr t i -> o\n");
  for (const std::string mode : {"", "--explicit ", "--dot p.dot "})
    EXPECT_EQ(mazurka("unfold --deadlock --final o " + mode + "good.net").exit_code, 0) << mode;
  EXPECT_EQ(mazurka("unfold --final o good.net").exit_code, 2) << "of what?";
}

TEST_F(Edges, AConversionDoesNotUnfold) {
  ASSERT_EQ(shell(MAZURKA_BINARY " gen dp 60 >big.tck").exit_code, 0);
  const Answer answer = mazurka("unfold --json --convert big.pnml big.tck");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_FALSE(Json::parse(answer.out).contains("events"));
  EXPECT_NE(slurp(folder_ / "big.pnml").find("<pnml"), std::string::npos);
}

TEST_F(Edges, JsonSaysWhetherAllWasExploredBesideBugs) {
  write("x.c", kLostUpdate);
  const Json whole = Json::parse(mazurka("check --json --keep-going x.c").out);
  EXPECT_EQ(whole["complete"], true);
  EXPECT_EQ(whole["failed_executions"], 2);
  EXPECT_EQ(Json::parse(mazurka("check --json x.c").out)["complete"], false);
}

TEST_F(Edges, ASmallStackIsEnough) {
  write("x.c", kLostUpdate);
  ASSERT_EQ(mazurka("cc -g x.c -o x").exit_code, 0);
#if __has_feature(address_sanitizer)  // what runs before main needs more
  const std::vector<int> limits{128};
#else
  const std::vector<int> limits{128, 64, 32};
#endif
  for (const int kibibytes : limits) {
    const std::string limited = "ulimit -s " + std::to_string(kibibytes) + "; " MAZURKA_BINARY " ";
    const Answer answer = shell(limited + "check ./x");
    EXPECT_EQ(answer.exit_code, 1) << kibibytes << answer.err;
    EXPECT_NE(answer.out.find("10  assert(x == 2);"), std::string::npos) << kibibytes << answer.out;
    EXPECT_EQ(shell(limited + "states " + kExampleFolder + "philosophers.tck").exit_code, 1) << kibibytes;
    EXPECT_EQ(shell(limited + "unfold --deadlock " + kExampleFolder + "philosophers.tck").exit_code, 1) << kibibytes;
  }
}

TEST_F(Edges, SixHundredThreadsAreNotTooMany) {
  write("many.c", R"(
#include <pthread.h>
#include <stdlib.h>
enum { kThreads = 600 };
static void *run(void *p) {
  char *block = malloc(8);
  if (p != NULL) block[8] = 1;
  free(block);
  return NULL;
}
int main(int argc, char **argv) {
  static pthread_t all[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&all[i], 0, run, argc > 1 && i == kThreads - 1 ? argv : NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(all[i], 0);
})");
  ASSERT_EQ(mazurka("cc -g many.c -o many").exit_code, 0);
  const Answer right = mazurka("check --json ./many");
  EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
  const Json wrong = Json::parse(mazurka("check --json --no-minimise ./many -- wrong").out);
  ASSERT_EQ(wrong["errors"].size(), 1U) << wrong;
  EXPECT_EQ(wrong["errors"][0]["kind"], "heap-overflow");
  EXPECT_EQ(wrong["errors"][0]["failure"]["thread"], "0.600");
  EXPECT_EQ(wrong["errors"][0]["failure"]["line"], 7);
}

TEST_F(Edges, WhatTheMachineRefusesIsNoBugOfTheProgram) {
  write("refused.c", R"(
#include <pthread.h>
#include <sys/resource.h>
static void *run(void *p) { return p; }
int main(void) {
  struct rlimit limit = {1 << 30, 1 << 30};
  pthread_t all[40];
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 5;
  for (int i = 0; i < 40; ++i) pthread_create(&all[i], 0, run, 0);
  for (int i = 0; i < 40; ++i) pthread_join(all[i], 0);
})");
  const Answer answer = mazurka("check --json refused.c");
  EXPECT_EQ(answer.exit_code, 4) << answer.out;
  const Json json = Json::parse(answer.out);
  EXPECT_EQ(json["result"], "unsupported");
  EXPECT_EQ(json["errors"][0]["message"], "the address space for a thread cannot be reserved");
}

}  // namespace
