// What a newcomer meets first: misspelt words, compiler options, files of the wrong kind, and results that prove
// nothing.
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class Newcomer : public mazurka::testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    write("main.c",
          "#include <pthread.h>\n#include \"work.h\"\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return pthread_join(t, 0); }\n");
    write("work.c", "#include <assert.h>\n#include \"work.h\"\nvoid *work(void *p) { assert(!FAIL); return p; }\n");
    std::filesystem::create_directory(folder_ / "include");
    write("include/work.h", "void *work(void *);\n");
    // An execution for every number of rounds.
    write("spin.c",
          "#include <pthread.h>\n#include <stdatomic.h>\natomic_int ready, rounds;\n"
          "void *spin(void *p) { while (!ready) rounds++; return p; }\n"
          "int main(void) { pthread_t t; pthread_create(&t, 0, spin, 0); ready = 1; return pthread_join(t, 0); }\n");
  }

  /// Bad usage: exit code 2 and these words.
  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Answer answer = mazurka(arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments << "\n" << answer.out;
    EXPECT_THAT(answer.err, HasSubstr(words)) << arguments;
    EXPECT_EQ(answer.out, "") << arguments;
  }
  Json incomplete(const std::string& arguments) const {
    const Answer answer = mazurka("check --json " + arguments);
    EXPECT_EQ(answer.exit_code, 3) << arguments << answer.out << answer.err;
    const Json json = Json::parse(answer.out);
    EXPECT_EQ(json["result"], "incomplete") << arguments;
    return json.value("incomplete", Json::array());
  }
};

TEST_F(Newcomer, IsToldWhatMayBeMeant) {
  expect_refused("chekc main.c", "there is no command 'chekc'; did you mean check?");
  expect_refused("unfld main.c", "did you mean unfold?");
  expect_refused("main.c", "did you mean `mazurka check main.c`?");
  expect_refused("quux", "there are check, replay, states, gen, unfold, cc, c++");
  expect_refused("check --algoritm=optimal spin.c", "check has no option '--algoritm'; did you mean --algorithm?");
  expect_refused("check --htlm page.html spin.c", "did you mean --html?");
  expect_refused("states --max-state 3 m.tck", "states has no option '--max-state'; did you mean --max-states?");
  expect_refused("check --wurstbrot spin.c", "check has no option '--wurstbrot'\n");
  expect_refused("check -algorithm=source spin.c", "did you mean --algorithm=source?");
  const Answer json = mazurka("check --json --algoritm=optimal spin.c");
  EXPECT_EQ(Json::parse(json.out)["result"], "error") << "a script gets its object";
}

TEST_F(Newcomer, FindsHelp) {
  const Answer help = mazurka("help check");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.out, mazurka("check --help").out);
  EXPECT_EQ(mazurka("help").out, mazurka("--help").out);
  EXPECT_THAT(mazurka("--help").out, HasSubstr("\n  cc  "));
  EXPECT_THAT(mazurka("--help").out, HasSubstr("\n  c++  "));
  EXPECT_THAT(mazurka("help cc").out, HasSubstr("MAZURKA_CC"));
  EXPECT_EQ(mazurka("help nosuch").exit_code, 2);
}

TEST_F(Newcomer, GivesOptionsAndSourcesToTheCompiler) {
  EXPECT_EQ(mazurka("check main.c work.c -O2 -I include -DFAIL=0 -std=gnu11").exit_code, 0);
  EXPECT_EQ(mazurka("check -Iinclude main.c --plain explore -DFAIL=0 work.c -lm").exit_code, 0);
  ASSERT_EQ(shell("cc -E -P -Iinclude -DFAIL=0 work.c >work.i").exit_code, 0);
  EXPECT_EQ(mazurka("check main.c work.i -Iinclude").exit_code, 0);
  const Answer bug = mazurka("check main.c work.c -Iinclude -DFAIL=1 '-DTEXT=\"a b\"' --save bug.mzk");
  EXPECT_EQ(bug.exit_code, 1) << bug.err;
  EXPECT_THAT(bug.out, HasSubstr("work.c:3"));
  EXPECT_EQ(shell("cd include && " MAZURKA_BINARY " replay ../bug.mzk").exit_code, 1) << "all of it was saved";
  // A change in any source is one of the system.
  write("work.c", "#include <assert.h>\n#include \"work.h\"\nvoid *work(void *p) {\n  assert(!FAIL); return p; }\n");
  EXPECT_THAT(mazurka("replay bug.mzk").err, HasSubstr("has changed since"));
  expect_refused("check main.c -o main", "check compiles, links and runs a program; remove -o");
  ASSERT_EQ(shell(MAZURKA_BINARY "-cc -Iinclude -DFAIL=0 main.c work.c -o program -pthread").exit_code, 0);
  expect_refused("check ./program -O2", "is a program already; give -O2 to `mazurka cc`");
}

TEST_F(Newcomer, HasTheLastWordOnTheStandard) {
  write("standard.cpp", "#if __cplusplus > 201703L\n#error later\n#endif\nint main() {}\n");
  EXPECT_EQ(mazurka("check standard.cpp").exit_code, 2) << "C++20 unless said otherwise";
  EXPECT_EQ(mazurka("check standard.cpp -std=c++17").exit_code, 0);
  EXPECT_EQ(mazurka("check --cflags -std=c++17 standard.cpp").exit_code, 0);
  // C beside C++, each with its own standard.
  write("work.cpp",
        "#if __cplusplus > 201703L\n#error later\n#endif\nextern \"C\" void *work(void *p) { return p; }\n");
  const Answer mixed = mazurka("check main.c work.cpp -Iinclude -std=c++17 -std=c99");
  EXPECT_EQ(mixed.exit_code, 0) << mixed.err;
  EXPECT_THAT(mixed.err, Not(HasSubstr("valid for C"))) << "a compiler gets what it understands";
}

TEST_F(Newcomer, IsToldWhichFilesAreExpected) {
  write("net.ll_net", "PEP\n");
  write("notes.txt", "buy milk\n");
  expect_refused("check include", "include: is a directory; expected a C or C++ source (.c, .cpp");
  expect_refused("check notes.txt", "notes.txt: cannot be checked; expected a C or C++ source");
  expect_refused("check net.ll_net", "net.ll_net: is a Petri net; use `mazurka unfold`");
  expect_refused("check nosuch.c", "nosuch.c: cannot be read: No such file or directory; expected a C or C++ source");
  expect_refused("states main.c", "main.c: is a source; use `mazurka check`");
  expect_refused("states notes.txt", "notes.txt: has an unknown ending; expected a network (.tck, .sync");
  expect_refused("states include", "include: is a directory; expected a network");
  expect_refused("unfold main.c", "main.c: is a source; use `mazurka check`");
  expect_refused("unfold include", "include: is a directory; expected a net (.ll_net");
}

TEST_F(Newcomer, MessagesFitTheTerminal) {
  constexpr unsigned short kColumns = 80;
  std::istringstream shown(interrupted_on_terminal("check missing.c", ".sync)", kColumns).out);
  std::size_t lines = 0;
  for (std::string line; std::getline(shown, line); ++lines) EXPECT_LE(line.size(), kColumns + 1U) << line;  // and \r
  EXPECT_GT(lines, 1U);
  EXPECT_EQ(mazurka("check missing.c").err.find('\n'), mazurka("check missing.c").err.size() - 1)
      << "one line for scripts";
}

TEST_F(Newcomer, BringsProgramsOfTheCompetition) {
  write("nondet.c",
        "extern int __VERIFIER_nondet_int(void); extern void *__VERIFIER_nondet_pointer(void);\n"
        "extern void reach_error(void);\n"
        "int main(void) { if (__VERIFIER_nondet_int() == 3 && __VERIFIER_nondet_pointer()) reach_error(); }\n");
  const Answer refused = mazurka("check nondet.c");
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_THAT(refused.out, HasSubstr("--nondet=lo..hi")) << "it says what is missing";
  EXPECT_EQ(mazurka("check --nondet=-1..2 nondet.c").exit_code, 0);
  EXPECT_EQ(Json::parse(mazurka("check --json --nondet=-1..2 nondet.c").out)["executions"], 4);
  EXPECT_EQ(Json::parse(mazurka("check --json --keep-going --nondet=0..3 nondet.c").out)["executions"], 5);
  EXPECT_EQ(mazurka("check --nondet=0..3 --save bug.mzk nondet.c").exit_code, 1);
  EXPECT_EQ(mazurka("replay bug.mzk").exit_code, 1) << "the range is saved";
  expect_refused("check --nondet=3..1 nondet.c", "the first number of the range must not be above the second");
  expect_refused("check --nondet=3 nondet.c", "as in -1..3");
  expect_refused("check --nondet=-9223372036854775808..9223372036854775807 nondet.c", "at most 16384");
}

TEST_F(Newcomer, LearnsWhyNothingIsProvedAndWhatToDo) {
  const std::pair<const char*, const char*> cases[] = {
      {"--time-limit 0.3 spin.c", "time-limit"},
      {"--max-steps 30 spin.c", "max-steps"},
      {"--max-executions 3 spin.c", "max-executions"},
      {"--algorithm=random --max-executions 3 spin.c", "random"},
      {"--max-executions 9 --context-switches 1 --max-steps 40 spin.c", "context-switches"}};
  for (const auto& [arguments, reason] : cases) {
    const Json reasons = incomplete(arguments);
    ASSERT_FALSE(reasons.empty()) << arguments;
    EXPECT_EQ(reasons.back()["reason"], reason) << reasons;
    EXPECT_EQ(reasons.size(), reason == std::string("context-switches") ? 2U : 1U) << reasons;
    EXPECT_NE(reasons.back()["message"], "") << reasons;
    EXPECT_NE(reasons.back()["advice"], "") << reasons;
  }
  EXPECT_THAT(mazurka("check --max-executions 3 spin.c").out,
              HasSubstr("not every execution was explored\n  it stopped after 3 executions: raise --max-executions\n"));
  EXPECT_THAT(mazurka("check --max-steps 30 spin.c").out, HasSubstr("cut after 30 steps: raise --max-steps"));
  write("never.c", "#include <mazurka/mazurka.h>\nint main(void) { mazurka_assume(0); }\n");
  EXPECT_EQ(incomplete("never.c")[0]["reason"], "assumptions");
  write("m.tck", mazurka("gen dp 3").out);
  const Answer states = mazurka("states --json --max-states=10 m.tck");
  EXPECT_EQ(Json::parse(states.out)["incomplete"][0]["reason"], "max-states") << states.out;
  EXPECT_THAT(mazurka("states --max-states=10 m.tck").out, HasSubstr("raise --max-states"));
  EXPECT_THAT(mazurka("check --max-steps 5 m.tck").out, HasSubstr("cut after 5 steps: raise --max-steps\n"));
  write("d.tck", mazurka("gen dp 14").out);
  EXPECT_EQ(Json::parse(interrupted("states --json d.tck").out)["incomplete"][0]["reason"], "interrupt");
}

TEST_F(Newcomer, IsRefusedLimitsThatMakeNoSense) {
  for (const char* limit : {"-1", "0", "nan", "inf", "soon", "1e300", "2s"})
    expect_refused(std::string("check --time-limit ") + limit + " spin.c", "is not a time");
  expect_refused("check --watchdog 0 spin.c", "is not a time");
  for (const char* option : {"--max-steps", "--max-executions"})
    for (const char* limit : {"-1", "0", "1.5", "99999999999999999999"})
      expect_refused(std::string("check ") + option + " " + limit + " spin.c", "is not a whole number of 1 or more");
  expect_refused("check --context-switches -1 spin.c", "is not a whole number of 0 or more");
  expect_refused("states --max-states 0 m.tck", "is not a whole number of 1 or more");
}

TEST_F(Newcomer, QuietIsQuiet) {
  write("m.tck", mazurka("gen dp 3").out);
  const std::string bug = "check --quiet main.c work.c -Iinclude -DFAIL=1 --save bug.mzk";
  const std::pair<std::string, int> cases[] = {{bug, 1},
                                               {"replay --quiet bug.mzk", 1},
                                               {"check --quiet --max-executions 3 spin.c", 3},
                                               {"states --quiet " MAZURKA_SOURCE_DIR "/examples/philosophers.tck", 1},
                                               {"unfold --quiet --deadlock m.tck", 0}};
  for (const auto& [arguments, exit_code] : cases) {
    const Answer answer = mazurka(arguments);
    EXPECT_EQ(answer.exit_code, exit_code) << arguments;
    EXPECT_EQ(answer.out, "") << arguments;
    EXPECT_EQ(answer.err, "") << arguments;
  }
}

TEST_F(Newcomer, StatisticsAreForPeople) {
  const std::string text = mazurka("check --stats --max-executions 3 spin.c").out;
  EXPECT_THAT(text, HasSubstr("  races "));
  EXPECT_THAT(text, Not(HasSubstr("_"))) << text;
  EXPECT_THAT(text, Not(HasSubstr("microseconds"))) << text;
  EXPECT_TRUE(Json::parse(mazurka("check --json --max-executions 3 spin.c").out).contains("planned_steps"));
}

TEST_F(Newcomer, TheProgressLineFitsTheTerminal) {
  for (const int columns : {30, 60, 80}) {
    const Answer answer = interrupted_on_terminal("check spin.c", "executions", static_cast<unsigned short>(columns));
    EXPECT_EQ(answer.exit_code, 3);
    const std::size_t begin = answer.out.find("\x1b[K");
    ASSERT_NE(begin, std::string::npos) << answer.out;
    const std::string line = answer.out.substr(begin + 3);
    EXPECT_LT(line.substr(0, line.find('\r')).size(), static_cast<std::size_t>(columns)) << line;
  }
}

TEST_F(Newcomer, ReadsSentencesThatFitTheTerminal) {
  write("warns.c",
        "#include <pthread.h>\n"
        "#include <stdlib.h>\n"
        "static void* a_thread_with_a_long_name(void* p) { return malloc(40) == p ? p : 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, a_thread_with_a_long_name, 0); }\n");
  write("asm.c",
        "static int x;\n"
        "int main(void) { __asm__ volatile(\"lock; incl %0\" : \"+m\"(x)); return 0; }\n");
  write("beyond.c",
        "#include <stdlib.h>\n"
        "int main(void) { volatile char* block = malloc(1); block[1] = 1; free((void*)block); }\n");
  for (const std::string file : {"warns.c", "--plain=ignore warns.c", "asm.c", "beyond.c"}) {
    const std::string out = shell("LC_ALL=C COLUMNS=60 " MAZURKA_BINARY " check " + file).out;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 60U) << line;
    EXPECT_THAT(out, Not(HasSubstr("1 executions"))) << out;
    EXPECT_THAT(out, Not(HasSubstr("1 bytes"))) << out;
  }
  const std::string warned = mazurka("check warns.c").out;
  EXPECT_THAT(warned, HasSubstr("created at warns.c:4 (main), has not ended\n")) << "one line where nobody looks";
  const std::string unseen = mazurka("check asm.c").out;
  EXPECT_EQ(unseen.find("not all code is seen"), unseen.rfind("not all code is seen")) << unseen;
}

TEST_F(Newcomer, ReadsOneStepAndTwoSteps) {
  write("one.ll_net", "PEP\nPetriBox\nFORMAT_N2\nPL\n1\"a\"M1m1\nTR\n1\"t\"\nTP\nPT\n1>1\n");
  EXPECT_THAT(mazurka("unfold --deadlock one.ll_net").out, HasSubstr("reachable by 1 step\n"));
  EXPECT_THAT(mazurka("check --max-executions 1 spin.c").out, HasSubstr("it stopped after 1 execution: "));
}

}  // namespace
