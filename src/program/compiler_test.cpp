// The compilers as build systems use them.
#include "program/compiler.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "program/command_line.hpp"
#include "program/compiler_arguments.hpp"
#include "program/executor.hpp"
#include "support/failure_key.hpp"

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

TEST(CommandLine, SplitsAsAShellDoes) {
  EXPECT_EQ(split_words("  -O2 -DX='a b' \"-DY=\\\"q\\\"\" c\\ d '' "),
            (Words{"-O2", "-DX=a b", "-DY=\"q\"", "c d", ""}));
  EXPECT_EQ(split_words(""), Words{});
}

TEST(Compiler, KnowsWhatACommandDoes) {
  EXPECT_TRUE(analyse({"a.c", "-o", "a"}).links);
  EXPECT_EQ(analyse({"a.c", "b.o", "-o", "c.c"}).sources, Words{"a.c"});
  EXPECT_FALSE(analyse({"-c", "a.c"}).links);
  EXPECT_FALSE(analyse({"--version"}).links);
  EXPECT_FALSE(analyse({"-E", "-dM", "-x", "c", "/dev/null"}).links);
  EXPECT_TRUE(analyse({"-shared", "a.o"}).shared);
  EXPECT_TRUE(analyse({"-static", "a.o"}).is_static);
}

class CompilerInAFolder : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  Execution run(const std::string& binary) {
    Configuration configuration;
    configuration.binary = (folder_ / binary).string();
    ProgramExecutor executor(configuration);
    Execution execution = executor.run({});
    output_ = execution.output;
    return execution;
  }

  TemporaryFolder temporary_;
  fs::path folder_ = temporary_.path() / "with blanks";
  std::string output_;
};

TEST_F(CompilerInAFolder, CompilesOneSource) {
  write("my prog.c", "#include <stdio.h>\n#include <mazurka/mazurka.h>\nint main(void) { printf(NAME); }\n");
  const std::string binary =
      compile_program((folder_ / "my prog.c").string(), split_words("'-DNAME=\"it works\"'"), folder_.string());
  EXPECT_EQ(run("my prog").outcome, Outcome::Finished);
  EXPECT_EQ(output_, "it works");
  write("bad.c", "int main(void) { return undeclared; }\n");
  EXPECT_THROW(compile_program((folder_ / "bad.c").string(), {"-w"}, folder_.string()), InputError);
}

TEST_F(CompilerInAFolder, RefusesStaticLinking) {
  write("a.c", "int main(void) { return 0; }\n");
  EXPECT_THROW(run_compiler(Language::C, {"-static", (folder_ / "a.c").string(), "-o", (folder_ / "a").string()}),
               InputError);
}

TEST_F(CompilerInAFolder, ServesCMake) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(demo CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
        "find_package(Threads REQUIRED)\nadd_library(part STATIC part.cpp)\nadd_library(other SHARED other.cpp)\n"
        "add_executable(demo main.cpp)\ntarget_link_libraries(demo part other Threads::Threads)\n");
  write("part.cpp", "#include <atomic>\nstd::atomic<int> x;\nvoid part() { x.fetch_add(1); }\n");
  write("other.cpp",
        "#include <atomic>\nextern std::atomic<int> x;\nvoid other(std::atomic<int>& y) { y.fetch_add(2); }\n");
  write("main.cpp",
        "#include <atomic>\n#include <iostream>\n#include <thread>\nextern std::atomic<int> x;\nvoid part();\n"
        "void other(std::atomic<int>&);\n"
        "int main() { std::thread t(part); other(x); t.join(); std::cout << x; }\n");
  const std::string build = (folder_ / "build").string();
  const std::string compiler = fmt::format("{}-c++", MAZURKA_BINARY);
  ASSERT_FALSE(output_of({"cmake", "-S", folder_.string(), "-B", build, "-DCMAKE_CXX_COMPILER=" + compiler}).empty());
  ASSERT_FALSE(output_of({"cmake", "--build", build}).empty());
  const Execution execution = run("build/demo");
  EXPECT_EQ(execution.outcome, Outcome::Finished) << mazurka::testing::failure_key(execution);
  EXPECT_EQ(output_, "3");
  int modifications = 0;
  for (const Event& event : execution.events)
    modifications += event.operation.kind == OperationKind::ReadModifyWrite ? 1 : 0;
  EXPECT_EQ(modifications, 2) << "those of the static and of the shared library";
}

TEST_F(CompilerInAFolder, ServesAutoconf) {
  write("configure.ac",
        "AC_INIT([demo], [1.0])\nAC_PROG_CC\nAC_CHECK_HEADERS([pthread.h stdatomic.h])\n"
        "AC_SEARCH_LIBS([pthread_create], [pthread])\nAC_CHECK_FUNCS([clock_gettime])\nAC_CHECK_SIZEOF([long])\n"
        "AC_C_BIGENDIAN\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n");
  write("Makefile.in", "prog: @srcdir@/main.c\n\t@CC@ @DEFS@ @CFLAGS@ $< -o $@ @LIBS@\n");
  write("main.c",
        "#include <pthread.h>\n#include <stdio.h>\n#if !HAVE_CLOCK_GETTIME || !HAVE_STDATOMIC_H || SIZEOF_LONG != 8\n"
        "#error \"configure found the wrong things\"\n#endif\nstatic void* part(void* p) { return p; }\n"
        "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, part, 0);\n  pthread_join(t, 0);\n"
        "  puts(\"configured\");\n}\n");
  const std::string commands =
      fmt::format("cd '{}' && autoconf && ./configure CC='{} cc' && make", folder_.string(), MAZURKA_BINARY);
  const std::string output = output_of({"sh", "-c", commands});
  EXPECT_NE(output.find("checking whether we are cross compiling... no"), std::string::npos) << output;
  EXPECT_EQ(run("prog").outcome, Outcome::Finished) << output;
  EXPECT_EQ(output_, "configured\n");
}

TEST_F(CompilerInAFolder, ServesMake) {
  write("Makefile", "prog: main.o part.o\n\t$(CC) $(CFLAGS) $^ -o $@ -pthread\n");
  write("part.c", "#include <stdatomic.h>\natomic_int x;\nvoid* part(void* p) { x += 1; return p; }\n");
  write("main.c",
        "#include <pthread.h>\n#include <stdio.h>\nvoid* part(void*);\nint main(void) {\n  pthread_t t;\n"
        "  pthread_create(&t, 0, part, 0);\n  pthread_join(t, 0);\n  puts(\"made\");\n}\n");
  ASSERT_FALSE(
      output_of({"make", "-C", folder_.string(), fmt::format("CC={} cc", MAZURKA_BINARY), "CFLAGS=-O2"}).empty());
  EXPECT_EQ(run("prog").outcome, Outcome::Finished);
  EXPECT_EQ(output_, "made\n");
  EXPECT_EQ(output_of({(folder_ / "prog").string()}), "made\n") << "and without an explorer";
}

}  // namespace
}  // namespace mazurka::program
