// Closures of unit tests (<mazurka/test.hpp>), in a program that has no framework: tests/closures/closures.cpp.
#include <filesystem>
#include <string>

#include "cli/command_line_fixture.hpp"

namespace {

const std::string kClosures = MAZURKA_BUILD_DIR "/tests/closures/checked";
const std::string kPlain = MAZURKA_BUILD_DIR "/tests/closures/plain";

class Closures : public mazurka::testing::CommandLine {
 protected:
  mazurka::testing::Answer run(const std::string& arguments, const std::string& before = "MAZURKA=" MAZURKA_BINARY) {
    return shell(before + " timeout 100 " + kClosures + " " + arguments);
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
};

TEST_F(Closures, AreExploredAndCounted) {
  const auto answer = run("count");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_TRUE(has(answer.out, "ok 2 1\nok: every execution was explored and none fails\nexecutions 2, ")) << answer.out;
}

TEST_F(Closures, ThatFailShowAMinimisedInterleaving) {
  const auto answer = run("lose");
  EXPECT_TRUE(has(answer.out, "bug ")) << answer.out;
  EXPECT_TRUE(has(answer.out, "assertion `hits == 2` failed")) << answer.out;
  EXPECT_TRUE(has(answer.out, "load hits (4 bytes): 0")) << "a variable of the closure has its name: " << answer.out;
  EXPECT_TRUE(has(answer.out, "minimal: 2 context switches")) << answer.out;
  EXPECT_FALSE(has(answer.out, "--save")) << "it cannot be replayed: " << answer.out;
}

TEST_F(Closures, CallVariablesOfTheTestByTheirNames) {
  const auto answer = run("set-up");
  EXPECT_TRUE(has(answer.out, "load hits (4 bytes): 0")) << answer.out << answer.err;
}

TEST_F(Closures, AreUndoneWhereverTheyWrite) {
  const auto answer = run("undo");
  EXPECT_TRUE(has(answer.out, "ok 2 1\n")) << answer.out << answer.err;
  EXPECT_TRUE(has(answer.out, "global 5 local 1 heap 3 own 5 file ac\n")) << answer.out;
}

TEST_F(Closures, ThatCrashFailAloneAndTheNextOneRuns) {
  const auto answer = run("crash");
  EXPECT_EQ(answer.exit_code, 0) << answer.out;
  EXPECT_TRUE(has(answer.out, "signal: SIGSEGV")) << answer.out;
  EXPECT_TRUE(has(answer.out, "an exception of type std::runtime_error is not caught: thrown")) << answer.out;
  EXPECT_TRUE(has(answer.out, "error 0 0\nunsupported: ")) << answer.out;
  EXPECT_TRUE(has(answer.out, "ok 2 1\n")) << answer.out;
}

TEST_F(Closures, MustLeaveNoThreadBehind) {
  const auto answer = run("leave");
  EXPECT_TRUE(has(answer.out, "main-returned: the closure returns while thread 0.1, created at ")) << answer.out;
  EXPECT_TRUE(has(answer.out, "not-joined: thread 0.1, created at ")) << answer.out;
}

TEST_F(Closures, MustComeToTheirEnd) {
  const auto answer = run("escape");
  EXPECT_TRUE(has(answer.out, "bug 1 0\nexit-status: the closure called exit(0)\n")) << answer.out;
  EXPECT_FALSE(has(answer.out, "ok ")) << "what follows it in the test would not run: " << answer.out;
  EXPECT_TRUE(has(answer.out, "unsupported: pthread_exit() by the thread of the test cannot be controlled\n"))
      << answer.out;
  EXPECT_TRUE(has(answer.out, "unsupported: leaving a closure by longjmp() cannot be controlled\n")) << answer.out;
}

TEST_F(Closures, AreCheckedWhileMainRuns) {
  const auto answer = run("count", "CHECK_AROUND_MAIN=1 MAZURKA=" MAZURKA_BINARY);
  const std::string refusal = "error 0 0\na closure can be checked while main runs";
  EXPECT_TRUE(answer.out.starts_with(refusal)) << answer.out << answer.err;
  EXPECT_TRUE(has(answer.out, "ok 2 1\n")) << answer.out;
  EXPECT_NE(answer.out.find(refusal), answer.out.rfind(refusal)) << "after its end, too: " << answer.out;
}

TEST_F(Closures, AreCheckedWithoutStandardStreams) {
  const auto answer = shell("MAZURKA=" MAZURKA_BINARY " timeout 100 " + kClosures + " count <&- 2>&-");
  EXPECT_TRUE(has(answer.out, "ok 2 1\n")) << answer.out;
}

TEST_F(Closures, HaveNoSchedulesToSave) {
  const auto answer = run("save");
  EXPECT_TRUE(has(answer.out, "error 0 0\nmazurka: --save is for programs: ")) << answer.out;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bug.mzk"));
}

TEST_F(Closures, MustNotChangeWhatCannotBeUndone) {
  const auto answer = run("outside");
  EXPECT_TRUE(has(answer.out, "unsupported: write() of a pipe or socket that was open before the closure"))
      << answer.out;
  EXPECT_TRUE(has(answer.out, "unsupported: unlink() of a file that was open before the closure")) << answer.out;
  EXPECT_TRUE(has(answer.out, "read -1, held 0\n")) << answer.out;
}

TEST_F(Closures, AreRefusedWhileOtherThreadsRun) {
  const auto answer = run("busy");
  EXPECT_TRUE(has(answer.out, "error 0 0\nother threads are running")) << answer.out;
  EXPECT_TRUE(has(answer.out, "ok 2 1\n")) << "after they have been joined: " << answer.out;
}

TEST_F(Closures, ThatAreNotExploredToTheEndAreIncomplete) {
  const auto answer = run("limit");
  EXPECT_EQ(answer.exit_code, 77) << "as CTest knows a skipped test";
  EXPECT_TRUE(has(answer.out, "incomplete 1 0\nincomplete: ")) << answer.out;
  EXPECT_TRUE(has(answer.err, "closures.cpp:")) << answer.err;
  EXPECT_TRUE(has(answer.err, ": incomplete\nincomplete: ")) << answer.err;
}

TEST_F(Closures, ThatFailEndAProgramWithoutFramework) {
  const auto answer = run("fails");
  EXPECT_EQ(answer.exit_code, 134) << answer.out << answer.err;
  EXPECT_TRUE(has(answer.err, ": the check fails\nassertion: ")) << answer.err;
}

TEST_F(Closures, TakeOptionsFromTheEnvironment) {
  const auto answer = run("count", "MAZURKA=" MAZURKA_BINARY " MAZURKA_OPTIONS='--max-executions=1 --quiet'");
  EXPECT_TRUE(has(answer.out, "incomplete 1 0\n")) << answer.out;
  const auto missing = run("count", "MAZURKA=/nowhere/mazurka");
  EXPECT_TRUE(has(missing.out, "error 0 0\nthe explorer cannot be started: /nowhere/mazurka: ")) << missing.out;
}

TEST_F(Closures, ReachTheirGoals) {
  const auto answer = run("goals");
  EXPECT_TRUE(has(answer.out, "ok 3 1\n")) << answer.out;
  EXPECT_TRUE(has(answer.out, "note: no execution reaches the goal \"missed\"\n")) << answer.out;
  const auto strict = run("goals strict");
  EXPECT_TRUE(has(strict.out, "bug 3 1\ngoal: no execution reaches the goal \"missed\"\n")) << strict.out;
  EXPECT_TRUE(has(strict.out, "ok 2 1\n")) << "the next closure has goals of its own: " << strict.out;
}

TEST_F(Closures, AreExploredWithTheirProgramByCheck) {
  const std::string check = MAZURKA_BINARY " check --json ";
  auto answer = shell(check + kClosures + " -- goals");
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  std::erase_if(answer.out, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_TRUE(has(answer.out, R"({"name":"missed","reached":false})")) << answer.out;
  EXPECT_TRUE(has(answer.out, R"({"name":"seen","reached":true})")) << answer.out;
  EXPECT_EQ(shell(check + "--strict --junit goals.xml " + kClosures + " -- goals").exit_code, 1);
  EXPECT_TRUE(has(mazurka::testing::slurp(folder_ / "goals.xml"), "<failure type=\"goal\"")) << "and for build servers";
}

TEST_F(Closures, FindWhatWasInMailboxes) {
  const auto answer = run("mailboxes");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_TRUE(answer.out.starts_with("ok 6 1\n")) << answer.out << answer.err;
  EXPECT_TRUE(has(answer.out, "assertion `last == 2` failed")) << answer.out;
  EXPECT_TRUE(has(answer.out, "receive inbox, sent before the closure")) << answer.out;
  EXPECT_TRUE(has(answer.out, "deadlock: thread 0 is blocked forever")) << answer.out;
  EXPECT_TRUE(has(answer.out, "mailbox inbox has no message that the closure sent")) << answer.out;
  EXPECT_TRUE(has(answer.out, "receives from a mailbox that belongs to a thread that has ended: foreign"))
      << answer.out;
  EXPECT_TRUE(has(answer.out, "ok 1 1\n")) << answer.out;
  EXPECT_TRUE(answer.out.ends_with("left 0 1\n")) << answer.out;
  for (const char* algorithm : {"naive", "source", "unfolding"}) {
    const auto other =
        run("mailboxes", std::string("MAZURKA=" MAZURKA_BINARY " MAZURKA_OPTIONS=--algorithm=") + algorithm);
    EXPECT_TRUE(other.out.starts_with("ok ")) << algorithm << other.out;
    EXPECT_TRUE(has(other.out, "assertion `last == 2` failed")) << algorithm << other.out;
    EXPECT_TRUE(other.out.ends_with("left 0 1\n")) << algorithm << other.out;
  }
}

TEST_F(Closures, CanBeCalledAsProposedForThreadSanitizer) {
  const auto answer = run("simulate");
  EXPECT_EQ(answer.out, "0\n1\n") << answer.err;
  EXPECT_TRUE(has(answer.err, "assertion `hits == 2` failed")) << answer.err;
}

TEST_F(Closures, LeaveNothingBehindInManyChecks) {
  const auto answer = run("many 30");
  EXPECT_EQ(answer.out, "good 30, descriptors 0, pages few\n") << answer.err;
}

TEST_F(Closures, RunOnceInAPlainBuild) {
  for (const char* name : {"count", "lose", "undo", "limit", "fails", "goals"}) {
    const auto answer = shell(kPlain + " " + name);
    EXPECT_EQ(answer.exit_code, 0) << name << answer.err;
    EXPECT_TRUE(name == std::string("fails") || has(answer.out, "ok 1 0\nran once")) << name << answer.out;
  }
}

}  // namespace
