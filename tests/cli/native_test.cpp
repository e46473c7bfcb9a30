// Native programs at the command line: what a failure in one schedule of many leaves of the others, what cannot be
// controlled, warnings, and schedules under a debugger.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "cli/command_line_fixture.hpp"

namespace {

const std::string kPosix = MAZURKA_BUILD_DIR "/tests/programs/gcc/posix";
const std::string kMemory = MAZURKA_BUILD_DIR "/tests/programs/gcc-O2/memory";

using mazurka::testing::slurp;
using ::testing::HasSubstr;

struct JsonAnswer : mazurka::testing::Answer {
  nlohmann::json json;
};

class Native : public mazurka::testing::CommandLine {
 protected:
  JsonAnswer run(const std::string& arguments, const std::string& before = "") const {
    return {shell(before + " timeout 100 " MAZURKA_BINARY " " + arguments), {}};
  }
  JsonAnswer check(const std::string& program, const std::string& scenario, const std::string& options) const {
    JsonAnswer answer = run("check --json " + options + " " + program + " -- " + scenario);
    answer.json = nlohmann::json::parse(answer.out, nullptr, false);
    return answer;
  }
};

TEST_F(Native, AFailureInOneScheduleOfManyIsReportedAndTheOthersAreExplored) {
  const std::pair<const char*, const char*> failures[] = {{"null", "signal"},
                                                          {"exit_3", "exit-status"},
                                                          {"abort", "abort"},
                                                          {"overflow", "stack-overflow"},
                                                          {"loop", "endless-loop"}};
  for (const auto& [scenario, kind] : failures) {
    const JsonAnswer answer = check(kPosix, scenario, "--keep-going --watchdog 0.3 --save bug.mzk");
    EXPECT_EQ(answer.exit_code, 1) << scenario << answer.out;
    ASSERT_GE(answer.json["errors"].size(), 1U) << scenario << answer.out;
    for (const auto& error : answer.json["errors"]) EXPECT_EQ(error["kind"], kind) << scenario;
    EXPECT_GT(answer.json["errors"][0]["events"].size(), 3U) << scenario;
    EXPECT_EQ(answer.json["errors"][0]["replay"], "mazurka replay bug.mzk") << scenario;
    // One class of executions fails and one does not: the load sees the store, or not. An exit ends the others early,
    // in one class for each place where they may stand.
    if (std::string(scenario) == "exit_3")
      EXPECT_EQ(answer.json["executions"], 4) << scenario;
    else
      EXPECT_EQ(answer.json["executions"], 2) << scenario;
    if (std::string(scenario) == "loop") continue;  // a replay would wait for the standard watchdog
    const JsonAnswer again = run("replay --quiet bug.mzk");
    EXPECT_EQ(again.exit_code, 1) << scenario << again.out;
  }
}

/// The worker of an explorer: its only child.
pid_t child_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
  pid_t child = 0;
  file >> child;
  return child;
}

TEST_F(Native, AWorkerKilledAtAnyMomentLosesNothing) {
  const std::string options = "--keep-going --plain=ignore";
  const JsonAnswer calm = check(kPosix, "broadcast_two", options);
  ASSERT_EQ(calm.exit_code, 0);
  std::mt19937 random(7);
  int kills = 0;
  for (int i = 0; i < 400 && kills < 20; ++i) {
    const pid_t explorer = fork();
    if (explorer == 0) {
      if (std::freopen((folder_ / "out").c_str(), "w", stdout) == nullptr) _exit(99);
      execl(MAZURKA_BINARY, "mazurka", "check", "--json", "--keep-going", "--plain=ignore", kPosix.c_str(), "--",
            "broadcast_two", nullptr);
      _exit(99);
    }
    // Wait until there is a worker, then a little longer.
    int status = 0;
    pid_t worker = 0;
    while (worker == 0 && waitpid(explorer, &status, WNOHANG) == 0) worker = child_of(explorer);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    if (worker > 0 && child_of(explorer) == worker && kill(worker, SIGKILL) == 0) ++kills;
    if (worker > 0) waitpid(explorer, &status, 0);
    const auto answer = nlohmann::json::parse(slurp(folder_ / "out"));
    ASSERT_EQ(WEXITSTATUS(status), calm.exit_code) << answer;
    for (const char* key : {"result", "executions", "events", "cut", "errors"})
      ASSERT_EQ(answer[key], calm.json[key]) << key;
  }
  EXPECT_EQ(kills, 20);
}

TEST_F(Native, SignalsArriveBetweenAnyTwoOperations) {
  const std::string program = MAZURKA_BUILD_DIR "/tests/programs/gcc/signals";
  const std::pair<const char*, const char*> ends[] = {
      {"arrives_between", "bug"}, {"arrives_late", "bug"}, {"arrives_early", "bug"},
      {"arrives_in_order", "ok"}, {"interrupts", "ok"},    {"waits", "ok"},
      {"pauses", "bug"},          {"suspends", "ok"},      {"during_a_wait", "unsupported"},
      {"robust", "unsupported"}};
  for (const auto& [scenario, result] : ends)
    for (const char* algorithm : {"optimal", "source", "unfolding"}) {
      const JsonAnswer answer = check(program, scenario, std::string("--plain=ignore --algorithm=") + algorithm);
      EXPECT_EQ(answer.json["result"], result) << scenario << ' ' << algorithm << answer.out;
    }
}

TEST_F(Native, ARaceThatIsMeantCanBeLeftOut) {
  const std::string program = MAZURKA_BUILD_DIR "/tests/programs/gcc-O0/suppressed";
  const JsonAnswer found = check(program, "direct", "--plain=check");
  EXPECT_EQ(found.json["errors"][0]["kind"], "data race");
  EXPECT_THAT(found.json["notes"].dump(), HasSubstr("--plain=explore"));
  EXPECT_THAT(found.json["notes"].dump(), HasSubstr("race:count_up"));
  std::ofstream(folder_ / "rules") << "# meant\nrace:count_up\nmutex:*\n";
  const JsonAnswer left_out = check(program, "direct", "--plain=check --suppressions rules");
  EXPECT_EQ(left_out.json["result"], "ok") << left_out.out;
  EXPECT_EQ(left_out.json["suppressed"][0]["by"], "race:count_up");
  EXPECT_EQ(left_out.json["suppressed"][0]["variable"], "counter");
  EXPECT_EQ(left_out.json["suppressed"][0]["accesses"][1]["function"], "count_up");
  EXPECT_THAT(left_out.json["notes"].dump(), HasSubstr("the suppression mutex:* has no effect"));
  std::ofstream(folder_ / "rules") << "race\n";
  EXPECT_EQ(mazurka("check --suppressions rules " + program + " -- direct").exit_code, 2);
}

TEST_F(Native, ACrashInsideALibraryHasItsCallsAndTheLine) {
  const std::string program = MAZURKA_BUILD_DIR "/tests/programs/gcc/libraries";
  const JsonAnswer answer = check(program, "crashes", "--save bug.mzk");
  EXPECT_EQ(answer.exit_code, 1);
  const auto& error = answer.json["errors"][0];
  const std::string message = error["message"];
  EXPECT_THAT(message, HasSubstr("SIGSEGV (invalid memory access) at address 0x8\n    in "));
  EXPECT_THAT(message, HasSubstr("called from regcomp (libc.so.6)\n    called from libraries.c:"));
  EXPECT_EQ(error["failure"]["function"], "compile") << error["failure"];
  EXPECT_THAT(slurp(folder_ / "bug.mzk"), HasSubstr("\noutput 0.1 compiling\n"));
}

TEST_F(Native, WhatCannotBeControlledIsNamed) {
  const std::pair<const char*, const char*> calls[] = {
      {"forks", "fork()"}, {"spawns", "system()"}, {"calls_by_number", "syscall("}, {"blocks", "read"}};
  for (const auto& [scenario, name] : calls) {
    const JsonAnswer answer = check(kPosix, scenario, "--watchdog 0.3");
    EXPECT_EQ(answer.exit_code, 4) << scenario << answer.out;
    EXPECT_EQ(answer.json["result"], "unsupported") << scenario;
    const std::string message = answer.json["errors"][0]["message"];
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}

TEST_F(Native, WarningsDoNotChangeTheResultUnlessAsked) {
  const JsonAnswer answer = check(kPosix, "main_returns", "");
  EXPECT_EQ(answer.exit_code, 0) << answer.out;
  ASSERT_EQ(answer.json["warnings"].size(), 2U) << answer.out;
  const std::string created = ", created at posix.c:";
  const std::string unjoined = answer.json["warnings"][1]["message"];
  EXPECT_NE(unjoined.find("thread 0.1" + created), std::string::npos) << unjoined;
  EXPECT_NE(unjoined.find("is neither joined nor detached"), std::string::npos) << unjoined;
  const std::string text = run("check " + kPosix + " -- main_returns").out;
  EXPECT_NE(text.find("main returns while thread 0.1" + created), std::string::npos) << text;
  const JsonAnswer strict = check(kPosix, "main_returns", "--strict");
  EXPECT_EQ(strict.exit_code, 1) << strict.out;
  EXPECT_EQ(strict.json["errors"][0]["kind"], "not-joined");
  EXPECT_TRUE(check(kPosix, "mutex", "").json["warnings"].empty());

  const JsonAnswer leak = check(kMemory, "leak", "");
  EXPECT_EQ(leak.exit_code, 0) << leak.out;
  const std::string message = leak.json["warnings"][0]["message"];
  EXPECT_NE(message.find("allocated by thread 0\n    at memory.cpp:"), std::string::npos) << message;
  EXPECT_EQ(check(kMemory, "leak", "--strict").json["errors"][0]["kind"], "leak");
}

TEST_F(Native, AScheduleRunsUnderADebugger) {
  check(kPosix, "null", "--save bug.mzk");
  const JsonAnswer crash = run("replay --gdb bug.mzk", "MAZURKA_GDB='gdb -batch -ex bt'");
  EXPECT_EQ(crash.exit_code, 0) << crash.out;
  EXPECT_NE(crash.out.find("follow_null"), std::string::npos) << crash.out;
  const JsonAnswer end = run("replay --gdb bug.mzk", "MAZURKA_GDB='gdb -batch -ex continue -ex bt -ex continue'");
  EXPECT_NE(end.out.find("mazurka_failed"), std::string::npos) << end.out;
  EXPECT_EQ(end.exit_code, 1) << "the program ended by itself: " << end.out;
  EXPECT_NE(end.out.find("SIGSEGV (invalid memory access)"), std::string::npos) << end.out;
  check(kPosix, "deadlock", "--save deadlock.mzk");
  const JsonAnswer blocked = run("replay --gdb deadlock.mzk", "MAZURKA_GDB='gdb -batch -ex continue'");
  EXPECT_EQ(blocked.exit_code, 1) << blocked.out;
  EXPECT_NE(blocked.out.find("threads are blocked forever"), std::string::npos) << blocked.out;
  const JsonAnswer quit = run("replay --gdb deadlock.mzk", "MAZURKA_GDB='gdb -batch'");
  EXPECT_EQ(quit.exit_code, 0) << quit.out;
  const std::string stop = "mazurka: deadlock after step";
  EXPECT_NE(quit.out.find(stop), std::string::npos) << quit.out;
  EXPECT_EQ(quit.out.find(stop), quit.out.rfind(stop)) << "gdb was started again: " << quit.out;
}

TEST_F(Native, RacesAreLookedForUnlessTheyAreToBeIgnored) {
  const JsonAnswer race = check(kPosix, "plain", "--save race.mzk");
  EXPECT_EQ(race.exit_code, 1);
  EXPECT_EQ(race.json["errors"][0]["kind"], "data race");
  const std::string message = race.json["errors"][0]["message"];
  EXPECT_NE(message.find(" of x are not ordered"), std::string::npos) << message;
  EXPECT_EQ(run("replay --quiet race.mzk").exit_code, 1);
  EXPECT_EQ(check(kPosix, "plain", "--plain=ignore").exit_code, 0);
  EXPECT_EQ(check(kPosix, "plain", "--plain=explore").exit_code, 0);
  EXPECT_EQ(check(kPosix, "plain", "--isolation=fork").json["errors"][0]["message"], message);
}

}  // namespace
