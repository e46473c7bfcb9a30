// Code that is not seen: assembly, functions and objects without instrumentation, libraries of the system.
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;

const std::string kPrograms = MAZURKA_SOURCE_DIR "/tests/programs/unseen/";

class Unseen : public mazurka::testing::CommandLine {
 protected:
  bool contains(const std::string& text, const std::string& part) const { return text.find(part) != std::string::npos; }
  void must(const std::string& command) const {
    const Answer answer = shell(command);
    EXPECT_EQ(answer.exit_code, 0) << command << "\n" << answer.out << answer.err;
  }
};

/// By each compiler, with and without optimisation.
class UnseenBy : public Unseen, public ::testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  Answer check(const std::string& program, const std::string& flags = "", const std::string& options = "") const {
    const auto& [compiler, level] = GetParam();
    return shell(std::string("MAZURKA_CC=") + compiler + " MAZURKA_CXX=" + cxx() + " " MAZURKA_BINARY " check " +
                 kPrograms + program + " --cflags=\"" + level + " " + flags + "\" " + options);
  }
  bool gcc() const { return std::get<0>(GetParam()) == std::string("gcc"); }
  std::string cxx() const { return gcc() ? "g++" : "clang++"; }
};
INSTANTIATE_TEST_SUITE_P(All, UnseenBy,
                         ::testing::Combine(::testing::Values("gcc", "clang"), ::testing::Values("-O0", "-O2")));

TEST_P(UnseenBy, AssemblyThatTouchesMemoryIsNamed) {
  const Answer answer = check("asm_atomics.c");
  EXPECT_EQ(answer.exit_code, 3) << answer.out;
  EXPECT_TRUE(contains(answer.out,
                       "incomplete: every execution was explored and none fails, but some code is not instrumented"));
  EXPECT_TRUE(contains(answer.out, "asm_atomics.c:9: assembly in")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "asm_atomics.c:12: assembly in")) << answer.out;
  const Answer trusted = check("asm_atomics.c", "", "--trust=asm");
  EXPECT_EQ(trusted.exit_code, 0) << trusted.out;
  EXPECT_TRUE(contains(trusted.out, "trusted, not checked: ")) << trusted.out;
  EXPECT_EQ(check("asm_atomics.c", "", "--trust=objects").exit_code, 3);
}

TEST_P(UnseenBy, ADataRaceThatAssemblyMayOrderIsNoBug) {
  const Answer answer = check("asm_atomics.c", "-DLOCK");
  EXPECT_EQ(answer.exit_code, 3) << answer.out;
  EXPECT_TRUE(contains(answer.out, "data race: ")) << answer.out;
  EXPECT_TRUE(
      contains(answer.out, "\nincomplete: this is a data race unless uninstrumented code orders the accesses\n"))
      << answer.out;
  EXPECT_TRUE(contains(answer.out, "asm_atomics.c:16: assembly in")) << answer.out;
  EXPECT_EQ(check("asm_atomics.c", "-DLOCK", "--trust=objects,asm").exit_code, 1);
}

TEST_P(UnseenBy, FencesInAssemblyAreFences) {
  for (const char* flags : {"", "-DINTRINSIC", "-DWEAK", "'-DMB=\\\"lock; addl \\$0,0(%%rsp)\\\"'",
                            "'-DMB=\\\"lock orq \\$0, -8(%%rsp)\\\"'"}) {
    const Answer answer = check("asm_fence.c", flags);
    EXPECT_EQ(answer.exit_code, 0) << flags << answer.out << answer.err;
    EXPECT_TRUE(contains(answer.out, "executions 2,")) << flags << answer.out;
  }
  const Answer none = check("asm_fence.c", "'-DMB=\\\"nop\\\"'");
  EXPECT_EQ(none.exit_code, 1) << "nothing orders the accesses";
  EXPECT_TRUE(contains(none.out, "data race: "));
}

TEST_P(UnseenBy, FencesInAssemblyKeepRegistersFlagsAndTheRedZone) {
  for (const char* options : {"", "--plain=ignore", "--isolation=fork", "--algorithm=unfolding"}) {
    const Answer answer = check("asm_registers.c", "", options);
    EXPECT_EQ(answer.exit_code, 0) << options << answer.out;
    EXPECT_TRUE(contains(answer.out, "executions 6,")) << options << answer.out;
  }
}

TEST_P(UnseenBy, FunctionsWithoutInstrumentationAreNamed) {
  const Answer plain = check("no_sanitize.cpp", "-DPLAIN");
  EXPECT_EQ(plain.exit_code, 3) << plain.out;
  EXPECT_TRUE(contains(plain.out, "no_sanitize.cpp:8: increment() is marked no_sanitize")) << plain.out;
  EXPECT_EQ(check("no_sanitize.cpp", "-DPLAIN", "--trust=objects").exit_code, 0);
  EXPECT_EQ(check("no_sanitize.cpp", "-DPLAIN", "--trust=asm").exit_code, 3);
  // clang sees the atomics of such functions, and the update that is lost.
  const Answer atomics = check("no_sanitize.cpp");
  EXPECT_EQ(atomics.exit_code, gcc() ? 3 : 1) << atomics.out;
}

TEST_F(Unseen, ObjectsOfTheUserAreNamed) {
  const std::string source = kPrograms + "library.cpp";
  must("g++ -O1 -shared -fPIC -DLIBRARY " + source + " -o libcounter.so");
  must("g++ -O1 -c -DLIBRARY " + source + " -o counter.o && ar rcs libparts.a counter.o");
  const std::string compile = MAZURKA_BINARY " c++ -g " + source;
  must(compile + " ./libcounter.so -o shared");
  must(compile + " counter.o -o object");
  must(compile + " -L. -lparts -o archive");
  const std::pair<const char*, const char*> names[] = {
      {"shared", "libcounter.so: not instrumented"},
      {"object", "counter.o: not instrumented"},
      {"archive", "libparts.a: not instrumented: counter.o"},
  };
  for (const auto& [program, name] : names) {
    const Answer answer = mazurka(std::string("check ./") + program);
    EXPECT_EQ(answer.exit_code, 3) << answer.out;
    EXPECT_TRUE(contains(answer.out, name)) << answer.out;
    EXPECT_EQ(mazurka(std::string("check --trust=objects ./") + program).exit_code, 0);
    EXPECT_EQ(mazurka(std::string("check --trust=objects ./") + program + " -- an argument").exit_code, 0);
  }
  // And the same with instrumentation, where the number that is given twice is found.
  must(MAZURKA_BINARY " c++ -g -c -DLIBRARY " + source + " -o seen.o && " + compile + " seen.o -o seen");
  EXPECT_EQ(mazurka("check ./seen").exit_code, 1);
  // Instrumented, but nobody has looked for assembly in it.
  must("g++ -g -fsanitize=thread -c -DLIBRARY " + source + " -o half.o && " + compile + " half.o -o half");
  const Answer half = mazurka("check --json --max-executions=1 ./half");
  EXPECT_TRUE(contains(half.out, "not compiled by mazurka cc")) << half.out;
}

TEST_F(Unseen, AssemblySourcesAreNamed) {
  write("get.s",
        ".globl get\n.type get, @function\nget:\n  movl x(%rip), %eax\n  ret\n.size get, .-get\n"
        ".section .note.GNU-stack,\"\",@progbits\n");
  write("main.c", "int x;\nint get(void);\nint main(void) { return get(); }\n");
  must(MAZURKA_BINARY " cc main.c get.s -o p");
  const Answer answer = mazurka("check ./p");
  EXPECT_EQ(answer.exit_code, 3) << answer.out;
  EXPECT_TRUE(contains(answer.out, "not checked: get.s: not instrumented")) << answer.out;
}

TEST_F(Unseen, LibrariesOfTheSystemAreNotedWithAnOk) {
  write("test.cpp",
        "#include <atomic>\n#include <thread>\n#include <gtest/gtest.h>\nTEST(Counter, Counts) {\n"
        "  std::atomic<int> x{0};\n  std::thread t([&] { ++x; });\n  ++x;\n  t.join();\n  EXPECT_EQ(x, 2);\n}\n");
  must(MAZURKA_BINARY " c++ -g test.cpp -lgtest -lgtest_main -lz -Wl,--no-as-needed -lz -o p");
  const Answer text = mazurka("check ./p");
  EXPECT_EQ(text.exit_code, 0) << text.out;
  EXPECT_TRUE(contains(text.out, "note: system libraries without instrumentation: ")) << text.out;
  const auto json = nlohmann::json::parse(mazurka("check --json ./p").out);
  EXPECT_EQ(json["result"], "ok");
  EXPECT_TRUE(json["unseen"].empty());
  std::string all;
  for (const auto& library : json["uninstrumented"]) all += library.get<std::string>() + "\n";
  EXPECT_TRUE(contains(all, "libgtest")) << all;
  EXPECT_TRUE(contains(all, "libz.so")) << all;
  EXPECT_FALSE(contains(all, "libstdc++")) << all;
  EXPECT_FALSE(contains(all, "libc.so")) << all;
}

TEST_F(Unseen, JsonListsThePlaces) {
  const auto json = nlohmann::json::parse(mazurka("check --json " + kPrograms + "asm_atomics.c").out);
  EXPECT_EQ(json["result"], "incomplete");
  ASSERT_EQ(json["unseen"].size(), 2U) << json.dump();
  EXPECT_EQ(json["unseen"][0]["kind"], "asm");
  EXPECT_EQ(json["unseen"][0]["line"], 9);
  EXPECT_EQ(json["unseen"][0]["trusted"], false);
  EXPECT_TRUE(contains(json["unseen"][0]["file"], "asm_atomics.c"));
}

TEST_F(Unseen, WhatIsSeenGivesNoNote) {
  write("p.c",
        "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n"
        "static void* f(void* p) { x++; __asm__ volatile(\"pause\" ::: \"memory\"); return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); return pthread_join(t, 0); }\n");
  const Answer answer = mazurka("check p.c");
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_FALSE(contains(answer.out, "note")) << answer.out;
}

/// The compilers stay what build systems expect.
TEST_P(UnseenBy, CompilersAreStillCompilers) {
  write("a.c", "int f(void);\nint main(void) { return f(); }\n");
  write("b.c", "int x;\nint f(void) { __asm__ volatile(\"incl %0\" : \"+m\"(x)); return 0; }\n");
  write("words", "-c b.c -o 'from file.o'\n");
  const auto& [compiler, level] = GetParam();
  const std::string cc = std::string("MAZURKA_CC=") + compiler + " " MAZURKA_BINARY " cc -Wall -Werror " + level + " ";
  const auto recorded = [&](const std::string& file) { return shell("readelf -p .mazurka.unseen " + file).out; };
  must(cc + "-c a.c b.c -pipe -MD");
  EXPECT_TRUE(contains(recorded("b.o"), "b.c")) << recorded("b.o");
  EXPECT_TRUE(contains(read("b.d"), "b.o: b.c"));
  must(cc + "@words");
  EXPECT_TRUE(contains(recorded("'from file.o'"), "b.c"));
  must(cc + "-x c -c -o input.o - <b.c");
  EXPECT_TRUE(contains(recorded("input.o"), "<stdin>")) << recorded("input.o");
  must(cc + "-flto -c b.c -o lto.o");
  EXPECT_TRUE(contains(recorded("lto.o"), "b.c"));
  must(cc + "-r a.o b.o -o both.o -nostdlib");
  EXPECT_TRUE(contains(recorded("both.o"), "b.c"));
  must(cc + "-E b.c -o b.i && " + cc + "-S b.c -o b.s && " + cc + "-fsyntax-only b.c");
  EXPECT_TRUE(contains(read("b.s"), "__tsan_")) << "and may be assembled later";
  must(cc + "-c b.s -o later.o && " + cc + "a.o later.o -o q");
  EXPECT_TRUE(contains(mazurka("check ./q").out, "later.o: instrumented, but not compiled by mazurka cc"));
  must(cc + "a.o b.o -o p -Wl,-Map=my.map && test -s my.map");
  EXPECT_EQ(mazurka("check ./p").exit_code, 3);
  write("bad.c", "int x = ;\n");
  EXPECT_EQ(shell(cc + "-c bad.c b.c").exit_code, 1);
}

}  // namespace
