// The command line as scripts see it: exit codes, JSON, error messages, interrupts.
#include <string>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using mazurka::testing::slurp;

class Cli : public mazurka::testing::CommandLine {
 protected:
  Answer run(const std::string& arguments) const { return mazurka(arguments); }
};

const std::string kPhilosophers = MAZURKA_SOURCE_DIR "/examples/philosophers.tck";

TEST_F(Cli, ANetworkHasNoArgumentsAndNoCompiler) {
  const Answer arguments = run("check " + kPhilosophers + " -- three");
  EXPECT_EQ(arguments.exit_code, 2);
  EXPECT_NE(arguments.err.find("is a network, which has no arguments; found 'three'"), std::string::npos)
      << arguments.err;
  EXPECT_EQ(run("check --cflags -O1 " + kPhilosophers).exit_code, 2);
}

TEST_F(Cli, ExitCodesFollowTheVerdict) {
  write("m.tck", run("gen mpat 2").out);
  write("d.tck", run("gen dp 3").out);
  EXPECT_EQ(run("check --algorithm=naive m.tck").exit_code, 0);
  EXPECT_EQ(run("check --algorithm=naive " + kPhilosophers).exit_code, 1);
  EXPECT_EQ(run("check missing.tck").exit_code, 2);
  EXPECT_EQ(run("check --algorithm=random d.tck").exit_code, 3) << "random walks prove nothing";
  EXPECT_EQ(run("states --algorithm=reach --max-states=10 d.tck").exit_code, 3);
  EXPECT_EQ(run("").exit_code, 2);
  EXPECT_EQ(run("chekc").exit_code, 2);
  EXPECT_EQ(run("states --algorithm=none d.tck").exit_code, 2);
  EXPECT_EQ(run("--help").exit_code, 0);
  EXPECT_EQ(run("--version").out.substr(0, 8), "mazurka ");
}

TEST_F(Cli, JsonIsOneObjectWithTheKeysOfTheContract) {
  const auto states = nlohmann::json::parse(run("states --json " + kPhilosophers).out);
  EXPECT_EQ(states["result"], "bug");
  EXPECT_EQ(states["states"], 75);
  EXPECT_EQ(states["deadlocks"], 1);
  for (const char* key : {"seconds", "peak_rss_kib", "transitions"}) EXPECT_TRUE(states.contains(key)) << key;

  const auto check = nlohmann::json::parse(run("check --json --save bug.mzk " + kPhilosophers).out);
  EXPECT_EQ(check["result"], "bug");
  for (const char* key : {"executions", "blocked", "cut", "events", "executions_per_second"})
    EXPECT_TRUE(check.contains(key)) << key;
  ASSERT_EQ(check["errors"].size(), 1U);
  const auto& error = check["errors"][0];
  EXPECT_EQ(error["kind"], "deadlock");
  EXPECT_EQ(error["events"].size(), 3U);
  EXPECT_EQ(error["replay"], "mazurka replay bug.mzk");

  const auto wrong = nlohmann::json::parse(run("states --json missing.tck").out);
  EXPECT_EQ(wrong["result"], "error");
}

TEST_F(Cli, BadInputNamesItsPlaceAndLeavesNothingBehind) {
  write("cyclic.tck", "system:s\nevent:a\nprocess:C{role: client}\nlocation:C:l{initial:}\nedge:C:l:l:a\n");
  write("misspelt.tck", "system:s\nprocess:C\nlocaton:C:l{initial:}\n");
  const std::string whole = slurp(kPhilosophers);
  write("truncated.tck", whole.substr(0, whole.find("edge:kant:thinking") + 20));
  const std::pair<const char*, const char*> cases[] = {
      {"cyclic.tck", "cyclic.tck:3:9: client 'C' has the cycle l -> l"},
      {"misspelt.tck", "misspelt.tck:3:1: unknown declaration 'locaton'"},
      {"truncated.tck", "truncated.tck:28:1: expected edge:PROCESS:SOURCE:TARGET:EVENT"},
  };
  for (const auto& [file, message] : cases)
    for (const char* command : {"states --algorithm=full+sleep", "check --save bug.mzk"}) {
      const Answer answer = run(std::string(command) + " " + file);
      EXPECT_EQ(answer.exit_code, 2) << file;
      EXPECT_EQ(answer.err.find(message), 0U) << answer.err;
      EXPECT_EQ(answer.out, "") << file;
      EXPECT_FALSE(std::filesystem::exists(folder_ / "bug.mzk"));
    }
}

TEST_F(Cli, GenRefusesWhatItCannotMake) {
  EXPECT_NE(run("gen nosuch 3").err.find("unknown family 'nosuch'; families are bg, qo"), std::string::npos);
  EXPECT_NE(run("gen dp").err.find("mazurka gen dp n"), std::string::npos);
  EXPECT_NE(run("gen dp 1").err.find("n must be between 2 and 1000"), std::string::npos);
  EXPECT_EQ(run("gen dp 1").exit_code, 2);
}

TEST_F(Cli, AReplayRepeatsTheBugAndNoticesChanges) {
  run("check --save bug.mzk " + kPhilosophers);
  const Answer same = run("replay bug.mzk");
  EXPECT_EQ(same.exit_code, 1);
  EXPECT_NE(same.out.find("plato waits for take_right (fork2 take)"), std::string::npos) << same.out;

  std::string changed = slurp(kPhilosophers);
  const std::string swapped = "sync:arendt@take_left:fork3@take";  // now the forks are taken in a fixed order
  changed.replace(changed.find(swapped), swapped.size(), "sync:arendt@take_left:fork1@take");
  changed.replace(changed.find("sync:arendt@take_right:fork1@take"), swapped.size() + 1,
                  "sync:arendt@take_right:fork3@take");
  write("changed.tck", changed);
  std::string schedule = slurp(folder_ / "bug.mzk");
  schedule.replace(schedule.find(kPhilosophers), kPhilosophers.size(), "changed.tck");
  write("changed.mzk", schedule);
  const Answer refused = run("replay changed.mzk");
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_NE(refused.err.find("changed.tck: has changed since the schedule was saved"), std::string::npos)
      << refused.err;
  const Answer other = run("replay --force changed.mzk");
  EXPECT_EQ(other.exit_code, 4) << other.out;
  EXPECT_NE(other.out.find("expected arendt to do 'take_left (fork3 take)', but"), std::string::npos) << other.out;
  EXPECT_NE(other.err.find("has changed since"), std::string::npos) << other.err;

  write("short.mzk", schedule.substr(0, schedule.size() - 4));
  EXPECT_EQ(run("replay short.mzk").exit_code, 2);
  EXPECT_NE(run("replay short.mzk").err.find("truncated"), std::string::npos);
  write("option.mzk", std::string(schedule).insert(schedule.find("error "), "option plain=maybe\n"));
  const Answer option = run("replay option.mzk");
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_NE(option.err.find("option plain=maybe; known are check, explore, ignore"), std::string::npos) << option.err;
  write("other.mzk", "something else\n");
  EXPECT_NE(run("replay other.mzk").err.find("not a Mazurka schedule"), std::string::npos);
}

TEST_F(Cli, AReplayWorksFromAnotherFolderAndSaysWhatToDoWithoutTheSystem) {
  write("p.tck", slurp(kPhilosophers));
  ASSERT_EQ(shell("mkdir elsewhere kept && " MAZURKA_BINARY " check --save elsewhere/bug.mzk p.tck").exit_code, 1);
  const std::string replay = MAZURKA_BINARY " replay --html page.html bug.mzk";
  const Answer from_there = shell("cd elsewhere && " + replay);
  EXPECT_EQ(from_there.exit_code, 1) << from_there.err;
  EXPECT_NE(from_there.err.find(folder_.string() + "/p.tck"), std::string::npos) << from_there.err;
  EXPECT_NE(read("elsewhere/page.html"), "") << "reports go where the user is";
  // The system was moved.
  ASSERT_EQ(shell("mv p.tck kept/q.tck").exit_code, 0);
  const Answer missing = shell("cd elsewhere && " + replay);
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("p.tck is neither in " + folder_.string()), std::string::npos) << missing.err;
  EXPECT_NE(missing.err.find("--system FILE"), std::string::npos) << missing.err;
  EXPECT_EQ(shell("cd elsewhere && " + replay + " --system ../kept/q.tck").exit_code, 1);
  EXPECT_EQ(
      shell("cp kept/q.tck elsewhere/p.tck && cd kept && " MAZURKA_BINARY " replay ../elsewhere/bug.mzk").exit_code, 1)
      << "it stands beside the schedule";
}

TEST_F(Cli, ProgramsAreReplayedWithTheirOptionsFromAnywhere) {
  ASSERT_EQ(shell("mkdir -p include elsewhere && echo '#define FAIL 1' >include/fail.h").exit_code, 0);
  write("p.c",
        "#include <assert.h>\n#include <pthread.h>\n#include \"fail.h\"\n"
        "static void* f(void* p) { assert(!FAIL); return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return pthread_join(t, 0); }\n");
  const Answer found = mazurka("check p.c --cflags '-Iinclude' --save bug.mzk");
  EXPECT_EQ(found.exit_code, 1) << found.err;
  const Answer again = shell("cd elsewhere && " MAZURKA_BINARY " replay ../bug.mzk");
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_NE(again.out.find("assert(!FAIL)"), std::string::npos) << again.out;
}

TEST_F(Cli, KeepGoingReportsEachDistinctBugOnce) {
  const auto answer = nlohmann::json::parse(run("check --algorithm=naive --keep-going --json " + kPhilosophers).out);
  EXPECT_EQ(answer["errors"].size(), 1U);
  EXPECT_GT(answer["executions"], 6);
}

TEST_F(Cli, AnInterruptPrintsWhatIsKnown) {
  write("d.tck", run("gen dp 14").out);
  const Answer answer = interrupted("states --json d.tck");
  EXPECT_EQ(answer.exit_code, 3);
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["result"], "incomplete");
  EXPECT_GT(json["states"], 1);
}

}  // namespace
