// A program's own functions with the names of interposed ones: they take precedence over the runtime's as they do over
// the C library's, and the runtime works without them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "program/command_line.hpp"
#include "program/compiler.hpp"
#include "program/executor.hpp"
#include "program/instrumentation.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

/// All interposed names that a C program could define itself, without those reserved for the implementation and those
/// of the interfaces between compiled code and the runtime.
std::set<std::string> replaceable_names() {
  std::set<std::string> names;
  std::istringstream symbols(output_of({"nm", "--defined-only", runtime_directory() + "/libmazurka_runtime.a"}));
  for (std::string line; std::getline(symbols, line);) {
    std::istringstream fields(line);
    std::string address;
    std::string type;
    std::string name;
    if (fields >> address >> type >> name && (type == "W" || type == "T") && !name.starts_with('_') &&
        !name.starts_with("mazurka_"))
      names.insert(name);
  }
  return names;
}

/// What the program needs for two threads, and the allocator: the loader calls it, so it must be a real one.
const std::set<std::string> kNeeded{"pthread_create", "pthread_join", "malloc",   "free",          "calloc",
                                    "realloc",        "cfree",        "memalign", "aligned_alloc", "posix_memalign",
                                    "reallocarray",   "valloc",       "pvalloc"};

/// Two threads that call each of them, in C, with types of the program's own.
std::string program_with(const std::set<std::string>& names) {
  std::string text =
      "int pthread_create(unsigned long*, void*, void* (*)(void*), void*);\n"
      "int pthread_join(unsigned long, void**);\nstatic _Atomic int ready;\n";
  std::string calls;
  int number = 0;
  for (const std::string& name : names) {
    text += fmt::format("long {}(void) {{ return {}; }}\n", name, ++number);
    calls += fmt::format("  if ({}() != {}) return (void*)1;\n", name, number);
  }
  return text + "static void* run(void* argument) {\n" + calls +
         "  ready = 1;\n  return argument;\n}\n"
         "int main(void) {\n  unsigned long thread;\n  void* result = (void*)1;\n"
         "  pthread_create(&thread, 0, run, 0);\n  if (run(0)) return 2;\n  pthread_join(thread, &result);\n"
         "  return result != 0;\n}\n";
}

/// How the executions of a program end: their failures and exit status.
std::set<std::string> ends_of(const std::string& compiler, const std::string& source) {
  const TemporaryFolder folder;
  const std::string binary = (folder.path() / "program").string();
  std::ofstream(folder.path() / "program.c") << source;
  if (launch_compiler({compiler}, {"-g", "-w", "-fno-builtin", "-pthread", (folder.path() / "program.c").string(), "-o",
                                   binary}) != 0)
    return {"does not link"};
  std::set<std::string> ends;
  for (const protocol::Plain plain : {protocol::Plain::Check, protocol::Plain::Ignore}) {
    Configuration configuration;
    configuration.binary = binary;
    configuration.settings.plain = plain;
    ProgramExecutor executor(configuration);
    const auto visit = [&](const Execution& execution) {
      ends.insert(execution.failure ? testing::failure_key(execution)
                                    : fmt::format("{} {}", name(execution.outcome), execution.exit_status));
    };
    testing::Exhaustive(executor, visit).run();
  }
  return ends;
}

TEST(OwnFunctions, WinOverTheRuntimes) {
  std::set<std::string> names = replaceable_names();
  ASSERT_GT(names.size(), 300U);
  for (const char* known : {"write", "read", "wait", "sleep", "connect", "malloc", "strlen", "time", "signal", "exit"})
    EXPECT_TRUE(names.contains(known)) << known;
  for (const std::string& name : kNeeded) names.erase(name);
  for (const char* compiler : {"gcc", "clang"})
    EXPECT_EQ(ends_of(compiler, program_with(names)), std::set<std::string>{"finished 0"}) << compiler;
}

TEST(OwnFunctions, WinOverTheRuntimesOneByOne) {
  // One at a time: the runtime's other functions must not call the program's.
  for (const char* name : {"write", "wait", "pthread_join", "syscall", "clock_gettime"})
    EXPECT_EQ(ends_of("gcc", fmt::format("long {}(void) {{ return 7; }}\nint main(void) {{ return {}() != 7; }}\n",
                                         name, name)),
              std::set<std::string>{"finished 0"})
        << name;
}

TEST(OwnFunctions, MayBeAnAllocator) {
  EXPECT_EQ(ends_of("gcc", R"(#include <pthread.h>
                              #include <stddef.h>
                              #include <string.h>
                              static _Atomic size_t used;
                              static _Alignas(16) char memory[1 << 20];
                              void* malloc(size_t bytes) {
                                const size_t at = __atomic_fetch_add(&used, (bytes + 31) & ~(size_t)15, 5);
                                *(size_t*)(memory + at) = bytes;
                                return memory + at + 16;
                              }
                              void free(void* block) {}
                              void* calloc(size_t count, size_t bytes) { return malloc(count * bytes); }
                              void* realloc(void* block, size_t bytes) {
                                void* other = malloc(bytes);
                                if (block) memcpy(other, block, ((size_t*)block)[-2]);
                                return other;
                              }
                              static void* run(void* p) { return strcpy(malloc(4), "abc"); }
                              int main(void) {
                                pthread_t thread;
                                void* result;
                                pthread_create(&thread, 0, run, 0);
                                char* own = run(0);
                                pthread_join(thread, &result);
                                return own < memory || own >= memory + used || own == result || strcmp(own, result);
                              })"),
            std::set<std::string>{"finished 0"});
}

TEST(OwnFunctions, AreNotCalledByTheRuntime) {
  // Each of these runtime functions is built on one that the program has replaced.
  EXPECT_EQ(ends_of("gcc", R"(#include <threads.h>
                              #include <sys/syscall.h>
                              long syscall(long, ...);
                              int nanosleep(const struct timespec* a, struct timespec* b) { return 5; }
                              void* pthread_getspecific(unsigned key) { return (void*)5; }
                              int clock_gettime(int clock, struct timespec* time) { return 5; }
                              long write(int file, const void* bytes, unsigned long count) { return 5; }
                              int getpid(void) { return 5; }
                              int main(void) {
                                struct timespec time = {0, 1};
                                tss_t key;
                                if (thrd_sleep(&time, 0) != 0 || tss_create(&key, 0) != thrd_success) return 1;
                                if (tss_get(key) != 0 || syscall(SYS_getpid) == 5) return 2;
                                if (syscall(SYS_clock_gettime, 1, &time) != 0) return 3;
                                return syscall(SYS_write, 1, "ab", 2) != 2;
                              })"),
            std::set<std::string>{"finished 0"});
}

TEST(OwnFunctions, LinkNodesOfContainersAsTheLibraryDoes) {
  for (const char* family : {"gcc", "clang"}) {
    ProgramExecutor executor(configure(family, "containers", {}));
    EXPECT_EQ(executor.run({}).outcome, Outcome::Finished) << family;
  }
}

}  // namespace
}  // namespace mazurka::program
