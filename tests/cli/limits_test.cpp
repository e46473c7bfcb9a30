// Limits and interrupts while one long execution of a program is looked at: the tests end only if these are heard.
#include <string>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

class Limits : public mazurka::testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    // An execution of a million steps, most of which race.
    write("races.c",
          "#include <pthread.h>\n"
          "int x, y;\n"
          "void *t(void *a) { while (y == 0) x = x + 1; return a; }\n"
          "int main() {\n"
          "  pthread_t a, b;\n"
          "  pthread_create(&a, 0, t, 0), pthread_create(&b, 0, t, 0);\n"
          "  pthread_join(a, 0), pthread_join(b, 0);\n"
          "}\n");
    // Three loops that wait for each other, and count: their unfolding branches at every load.
    write("loops.cpp",
          "#include <atomic>\n"
          "#include <thread>\n"
          "std::atomic<int> a{0}, b{0}, c{0};\n"
          "thread_local int rounds;\n"
          "int main() {\n"
          "  std::thread t([] { while (!a) ++rounds; b = 1; while (!c) ++rounds; });\n"
          "  std::thread u([] { while (!a) ++rounds; });\n"
          "  a = 1;\n"
          "  while (!b) {}\n"
          "  c = 1;\n"
          "  t.join(), u.join();\n"
          "}\n");
    // One location is read again and again, and nobody writes it.
    write("loads.c",
          "#include <stdatomic.h>\n"
          "atomic_int x;\n"
          "int main() { for (int i = 0; i < 400000; ++i) (void)atomic_load(&x); }\n");
  }
};

TEST_F(Limits, ATimeLimitIsHeardWhileRacesAreLookedFor) {
  const auto answer = mazurka("check --json --plain=explore --cflags -O0 --time-limit 2 races.c");
  EXPECT_EQ(answer.exit_code, 3) << answer.out << answer.err;
}

TEST_F(Limits, AnInterruptIsHeardWhileRacesAreLookedFor) {
  const auto answer = interrupted("check --json --plain=explore --cflags -O0 races.c");
  EXPECT_EQ(answer.exit_code, 3) << answer.out << answer.err;
  EXPECT_EQ(nlohmann::json::parse(answer.out)["result"], "incomplete");
}

TEST_F(Limits, AreHeardByTheUnfolding) {
  EXPECT_EQ(mazurka("check --json --algorithm=unfolding --time-limit 2 loops.cpp").exit_code, 3);
  EXPECT_EQ(interrupted("check --json --algorithm=unfolding loops.cpp").exit_code, 3);
}

TEST_F(Limits, AreNotNeededForALongExecutionWithoutRaces) {
  const auto answer = mazurka("check --json loads.c");
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_EQ(nlohmann::json::parse(answer.out)["executions"], 1);
}

}  // namespace
