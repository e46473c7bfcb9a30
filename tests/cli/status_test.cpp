// What the status of a program and assumptions mean for the verdict, in every report.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

const std::string kStatus = MAZURKA_BUILD_DIR "/tests/programs/gcc/status";
const char* const kStatusAlgorithms[] = {"optimal", "source", "observers", "unfolding", "naive"};

class Status : public mazurka::testing::CommandLine {
 protected:
  nlohmann::json check(const std::string& options, const std::string& scenario, int exit_code) const {
    const auto answer = mazurka("check --json " + options + " " + kStatus + " -- " + scenario);
    EXPECT_EQ(answer.exit_code, exit_code) << options << ' ' << scenario << answer.out << answer.err;
    return nlohmann::json::parse(answer.out, nullptr, false);
  }
};

TEST_F(Status, ReturnedByMainIsABugInEveryMode) {
  for (const std::string algorithm : kStatusAlgorithms)
    for (const std::string mode :
         {"--plain=check", "--plain=explore", "--plain=ignore", "--isolation=fork", "--exit=process", "--keep-going"}) {
      const auto answer = check("--algorithm=" + algorithm + " " + mode, "returns", 1);
      ASSERT_EQ(answer["errors"].size(), 1U) << algorithm << mode;
      EXPECT_EQ(answer["errors"][0]["kind"], "exit-status");
      EXPECT_EQ(answer["errors"][0]["message"], "main returned 1");
      EXPECT_EQ(check("--exit-status=ignore --algorithm=" + algorithm + " " + mode, "returns", 0)["result"], "ok");
    }
  check("--algorithm=random", "returns", 1);
}

TEST_F(Status, DoesNotHideWhatOthersDoAfterwards) {
  for (const std::string algorithm : {"optimal", "source", "observers", "unfolding"}) {
    const auto answer = check("--keep-going --plain=ignore --algorithm=" + algorithm, "returns_early", 1);
    ASSERT_EQ(answer["errors"].size(), 2U) << algorithm;
  }
}

TEST_F(Status, IsTheSameInAReplayAndInAllReports) {
  check("--save bug.mzk --sarif bug.sarif --junit bug.xml --html bug.html", "returns", 1);
  EXPECT_NE(read("bug.sarif").find("\"ruleId\": \"exit-status\""), std::string::npos);
  EXPECT_NE(read("bug.sarif").find("exits with a nonzero status"), std::string::npos);
  EXPECT_NE(read("bug.xml").find("type=\"exit-status\" message=\"exit-status: main returned 1\""), std::string::npos);
  const auto replay = mazurka("replay --json bug.mzk");
  EXPECT_EQ(replay.exit_code, 1) << replay.out;
  EXPECT_NE(replay.out.find("\"exit-status\""), std::string::npos);
  // With the option the schedule ends without a bug, and the option stays with it.
  check("--exit-status=ignore --strict --save other.mzk", "returns_early", 1);
  EXPECT_NE(read("other.mzk").find("option exit-status=ignore"), std::string::npos);
}

TEST_F(Status, OfGoogleTestIsThatOfItsTests) {
  write("broken.cpp",
        "#include <gtest/gtest.h>\n#include <atomic>\n#include <thread>\n"
        "TEST(Counter, Counts) { std::atomic<int> a{0}; std::thread t([&] { a++; }); a = a + 1; t.join();\n"
        "  EXPECT_EQ(a, 2); }\n");
  const auto built = mazurka("c++ broken.cpp -g -lgtest -lgtest_main -o broken");
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const auto answer = mazurka("check --json broken");
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_NE(answer.out.find("main returned 1"), std::string::npos) << answer.out;
}

TEST_F(Status, IsThatOfTheProgramWhereItRunsByItself) {
  const auto alone = shell(kStatus + " exit_at_once");
  EXPECT_EQ(alone.exit_code, 4);
  EXPECT_EQ(alone.err, "");
  EXPECT_EQ(shell(kStatus + " no_such_scenario").exit_code, 2);
}

TEST_F(Status, NothingIsProvedWhereAssumptionsCutEverything) {
  for (const std::string algorithm : kStatusAlgorithms)
    for (const std::string scenario : {"all_cut", "range_misses"}) {
      const auto answer = check("--algorithm=" + algorithm, scenario, 3);
      EXPECT_EQ(answer["result"], "incomplete");
      EXPECT_EQ(answer["executions"], 0);
      EXPECT_EQ(answer["notes"][0], "assumptions cut every execution, so nothing was checked");
    }
  const auto text = mazurka("check --junit cut.xml " + kStatus + " -- all_cut");
  EXPECT_NE(text.out.find("incomplete: no execution satisfies the assumptions"), std::string::npos) << text.out;
  EXPECT_NE(read("cut.xml").find("<error type=\"incomplete\""), std::string::npos);
  EXPECT_EQ(check("", "some_cut", 0)["cut"], 2);
}

TEST_F(Status, MainThatLeavesByPthreadExitDoesNotEndTheProcess) {
  write("leaves.c", R"(
#include <assert.h>
#include <pthread.h>
static pthread_t first;
static int joined;
static void *last(void *unused) {
  joined = pthread_join(first, NULL) == 0;
  assert(!joined);
  return unused;
}
int main(void) {
  pthread_t thread;
  first = pthread_self();
  pthread_create(&thread, NULL, last, NULL);
  pthread_detach(thread);
  pthread_exit(NULL);
})");
  for (const char* const exit : {"threads", "process"})
    for (const char* const algorithm : {"optimal", "unfolding", "naive"}) {
      const auto answer =
          mazurka(std::string("check --keep-going leaves.c --exit=") + exit + " --algorithm=" + algorithm);
      EXPECT_EQ(answer.exit_code, 1) << exit << algorithm << answer.out;
      EXPECT_NE(answer.out.find("assertion `!joined` failed"), std::string::npos) << exit << algorithm << answer.out;
      EXPECT_EQ(answer.out.find("main returns"), std::string::npos) << exit << algorithm << answer.out;
    }
}

}  // namespace
