// What a report tells of a program besides its steps: its output, its own names and words, the lines of failures that
// no step made, warnings, and a debugger that speaks of the same threads and steps.
#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using Json = nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// How often a text occurs.
std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

class StoryOf : public mazurka::testing::CommandLine {
 protected:
  Answer check(const std::string& arguments) const { return mazurka("check " + arguments); }
};

TEST_F(StoryOf, OutputStandsBesideTheStepThatPrintedIt) {
  write("talk.cpp", R"(
#include <cassert>
#include <cstdio>
#include <iostream>
#include <thread>
#include <atomic>
std::atomic<int> n;
int main() {
  printf("one\n");
  std::thread thread([] {
    n = 1;
    std::cout << "two \"quoted\"" << std::endl;
  });
  thread.join();
  fputs("three\n", stderr);
  assert(n == 0);
})");
  const Answer text = check("talk.cpp --save bug.mzk");
  EXPECT_EQ(text.exit_code, 1);
  const std::size_t one = text.out.find(R"(prints "one\n")");
  const std::size_t store = text.out.find("store n");
  const std::size_t two = text.out.find(R"(prints "two \"quoted\"\n")");
  const std::size_t end = text.out.find("exit-thread 0.1");
  ASSERT_NE(two, std::string::npos) << text.out;
  EXPECT_LT(one, text.out.find("create 0.1")) << text.out;
  EXPECT_LT(store, two) << text.out;
  EXPECT_LT(two, end) << text.out;
  EXPECT_LT(text.out.find("join 0.1"), text.out.find(R"(prints "three\n")")) << text.out;

  const Answer again = mazurka("replay bug.mzk");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_EQ(count(again.out + again.err, "one"), 1U) << again.out << again.err;
  EXPECT_EQ(count(again.out + again.err, "two"), 1U) << again.out << again.err;

  const Json json = Json::parse(mazurka("replay --json bug.mzk").out)["errors"][0];
  ASSERT_EQ(json["output"].size(), 3U) << json["output"];
  EXPECT_EQ(json["output"][0], Json({{"after", 0}, {"thread", "0"}, {"text", "one\n"}}));
  EXPECT_EQ(json["output"][1]["thread"], "0.1");
  const std::size_t after = json["output"][1]["after"];
  EXPECT_EQ(json["events"][after - 1]["operation"].get<std::string>().substr(0, 7), "store n");
}

TEST_F(StoryOf, AnUncaughtExceptionHasItsWords) {
  write("throws.cpp", R"(
#include <stdexcept>
#include <string>
#include <thread>
struct Named { virtual ~Named() = default; std::string name; };
struct Many : Named, virtual std::runtime_error { Many() : std::runtime_error("many bases") {} };
struct Derived : std::logic_error { using std::logic_error::logic_error; };
struct Hidden : private std::runtime_error { Hidden() : std::runtime_error("hidden") {} };
int main(int argc, char**) {
  std::thread thread([argc] {
    if (argc == 1) throw std::out_of_range("the queue is empty");
    if (argc == 2) throw Many();
    if (argc == 3) throw Derived("derived");
    if (argc == 4) throw Hidden();
    throw 3;
  });
  thread.join();
})");
  ASSERT_EQ(shell(MAZURKA_BINARY "-c++ -g throws.cpp -o throws -pthread").exit_code, 0);
  EXPECT_THAT(check("./throws").out,
              HasSubstr("exception: an exception of type std::out_of_range is not caught: the queue is empty\n"));
  EXPECT_THAT(check("./throws").out, HasSubstr("throws.cpp")) << "and a line";
  EXPECT_THAT(check("./throws").out, HasSubstr("load the handlers of the C++ library"));
  EXPECT_THAT(check("./throws -- 2").out, HasSubstr("an exception of type Many is not caught: many bases\n"));
  EXPECT_THAT(check("./throws -- 2 3").out, HasSubstr("an exception of type Derived is not caught: derived\n"));
  EXPECT_THAT(check("./throws -- 2 3 4").out, HasSubstr("an exception of type Hidden is not caught\n"));
  EXPECT_THAT(check("./throws -- 2 3 4 5").out, HasSubstr("an exception of type int is not caught\n"));
}

TEST_F(StoryOf, MisuseOfAStandardThreadHasItsName) {
  write("misuse.cpp", R"(
#include <stdexcept>
#include <system_error>
#include <thread>
int main(int argc, char**) {
  std::thread thread([] {});
  if (argc == 1) return 0;
  if (argc == 2) thread = std::thread([] {});
  thread.join();
  if (argc == 3) thread.join();
  try {
    thread.detach();
  } catch (const std::system_error&) {
  }
  throw std::runtime_error("something else");
})");
  const std::string joinable = "abort: a joinable std::thread is destroyed or assigned to";
  for (const std::string level : {"-O0", "-O2"}) {
    ASSERT_EQ(shell(MAZURKA_BINARY "-c++ -g misuse.cpp -o misuse -pthread " + level).exit_code, 0);
    EXPECT_THAT(check("./misuse").out, HasSubstr(joinable)) << level;
    EXPECT_THAT(check("./misuse -- 2").out, HasSubstr(joinable)) << level;
    const std::string twice = check("./misuse -- 2 3").out;
    EXPECT_THAT(twice,
                HasSubstr("Invalid argument\n(std::thread::join() of a thread that was joined or detached before"));
    EXPECT_THAT(twice, Not(HasSubstr("thread_misuse"))) << "lines of the program, not ours";
    if (level == "-O0") {
      EXPECT_THAT(twice, HasSubstr("10  if (argc == 3) thread.join();"));
    }
    const std::string other = check("./misuse -- 2 3 4").out;
    EXPECT_THAT(other, HasSubstr("something else\n"));
    EXPECT_THAT(other, Not(HasSubstr("std::thread::"))) << "what was caught has nothing to do with it";
  }
}

TEST_F(StoryOf, VariablesOfAllFunctionsHaveTheirNames) {
  write("locals.cpp", R"(
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
struct Queue {
  std::atomic<int> head{0};
  std::mutex locks[2];
};
void run(int rounds) {
  Queue queue;
  {
    std::atomic<int> done{0};
    std::thread thread([&] {
      const std::lock_guard guard(queue.locks[1]);
      queue.head += rounds;
      done = 1;
    });
    const int seen = done;
    thread.join();
    assert(seen == 0);
  }
}
void race() {
  int local = 0;
  std::thread thread([&] { local = 1; });
  local = 2;
  thread.join();
}
int main(int argc, char**) { argc > 1 ? race() : run(3); })");
  for (const std::string compiler : {"g++", "clang++"}) {
    SCOPED_TRACE(compiler);
    ASSERT_EQ(shell("MAZURKA_CXX=" + compiler + " " MAZURKA_BINARY "-c++ -std=c++20 -g locals.cpp -o locals").exit_code,
              0);
    const std::string text = shell("COLUMNS=160 " MAZURKA_BINARY " check ./locals").out;
    EXPECT_THAT(text, HasSubstr("lock queue.locks[1]"));
    EXPECT_THAT(text, HasSubstr("read-modify-write queue.head"));
    EXPECT_THAT(text, HasSubstr("store done"));
    EXPECT_THAT(text, HasSubstr("load done"));
    EXPECT_THAT(text, Not(HasSubstr("0x")));
    EXPECT_THAT(shell("COLUMNS=160 " MAZURKA_BINARY " check ./locals -- race").out,
                HasSubstr("of local are not ordered"));
  }
}

TEST_F(StoryOf, VariablesOfUnnamedNamespacesStaticOnesAndTheRuntimesHaveShortNames) {
  write("hits.cpp", R"(
#include <thread>
namespace shop { namespace { int hits; } }
int main() {
  std::thread other([] { ++shop::hits; });
  ++shop::hits;
  other.join();
})");
  const std::string text = check("hits.cpp").out;
  EXPECT_THAT(text, HasSubstr("of shop::hits are "));
  EXPECT_THAT(text, HasSubstr("the line race:shop::*hits\n"));
  write("intended", "race:shop::*hits\n");
  EXPECT_EQ(check("--suppressions intended hits.cpp").exit_code, 0);
  write("count.c", R"(
#include <pthread.h>
static void *run(void *p) { static int count; ++count; return p; }
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  return pthread_join(other, 0);
})");
  EXPECT_THAT(check("count.c").out, HasSubstr("of count are ")) << "gcc calls it count.0";
  write("lambda.cpp", R"(
#include <functional>
#include <thread>
const std::function<void(int (*)(int))> run = [](int (*)(int)) {
  static int first = [] { static int count; return ++count; }();
  ++first;
};
int main() {
  std::thread other(run, nullptr);
  run(nullptr);
  other.join();
})");
  const std::string lambda = check("lambda.cpp").out;
  EXPECT_THAT(lambda, HasSubstr("of first are "));
  EXPECT_THAT(lambda, HasSubstr("once-enter guard variable for first"));
  const std::string random = check(MAZURKA_SOURCE_DIR "/tests/regressions/shared_random_numbers.c").out;
  EXPECT_THAT(random, HasSubstr("read-modify-write the state of random() (8 bytes) "));
  EXPECT_THAT(random, Not(HasSubstr("mazurka::")));
}

TEST_F(StoryOf, LoopsAndRefusedCallsHaveTheirLines) {
  write("stuck.c", R"(
#include <pthread.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/wait.h>
static void *turn(void *p) {
  for (unsigned i = 1; i != 0;) i += 2;
  return p;
}
int main(int argc, char **argv) {
  (void)argv;
  char byte;
  int terminal;
  if (argc == 2) {
    fork();
  }
  if (argc == 3 && (terminal = open("/dev/ptmx", O_RDWR)) >= 0)
    return (int)read(terminal, &byte, 1);
  pthread_t thread;
  pthread_create(&thread, 0, turn, 0);
  return pthread_join(thread, 0);
})");
  ASSERT_EQ(shell(MAZURKA_BINARY "-cc -g -O0 stuck.c -o stuck").exit_code, 0);
  const auto failure = [&](const std::string& arguments) {
    return Json::parse(check("--json --watchdog 0.3 ./stuck " + arguments).out)["errors"][0];
  };
  EXPECT_EQ(failure("")["kind"], "endless-loop");
  EXPECT_EQ(failure("")["failure"]["line"], 7);
  EXPECT_EQ(failure("-- 1")["kind"], "unsupported");
  EXPECT_EQ(failure("-- 1")["failure"]["line"], 15) << "before the first step";
  EXPECT_EQ(failure("-- 1 2")["failure"]["line"], 18);
}

TEST_F(StoryOf, WarningsNameTheThreadAndWhereItWasCreated) {
  write("left.cpp", R"(
#include <pthread.h>
#include <cstdlib>
#include <thread>
static void *nothing(void *p) { return p; }
int main() {
  std::thread([] {}).detach();
  pthread_t other;
  pthread_create(&other, nullptr, nothing, nullptr);
  for (int i = 0; i < 2; ++i) static_cast<char *>(std::malloc(8))[0] = 1;
})");
  const Answer answer = check("left.cpp");
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.out, HasSubstr("thread 0.2, created at left.cpp:9 (main), is neither joined nor detached\n"));
  EXPECT_THAT(answer.out, HasSubstr("main returns while thread 0.1, created at left.cpp:7 (main), has not ended\n"));
  EXPECT_EQ(count(answer.out, "allocated by thread 0\n    at left.cpp:10 (main)"), 1U) << answer.out;
  const Answer strict = check("--strict left.cpp");
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_EQ(count(strict.out, "at left.cpp:10 (main)"), 1U) << "a leak is printed once: " << strict.out;
}

TEST_F(StoryOf, SourcesThatWereChangedSinceAreNamed) {
  write("late.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
  ASSERT_EQ(mazurka("cc -g late.c -o late").exit_code, 0);
  const std::string note = "note: late.c was changed after late was built: the lines shown may not be those that ran\n";
  EXPECT_THAT(check("--save bug.mzk ./late").out, Not(HasSubstr(note)));
  std::filesystem::last_write_time(folder_ / "late.c",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_THAT(check("./late").out, HasSubstr(note));
  EXPECT_THAT(mazurka("replay bug.mzk").out, HasSubstr(note));
  EXPECT_THAT(check("late.c").out, Not(HasSubstr("was changed after"))) << "which builds it";
}

TEST_F(StoryOf, CrashesInFunctionsOfTheLibraryAreAtTheirCaller) {
  write("compare.c", R"(
#include <string.h>
int main(void) {
  char *volatile name = 0;
  return strcmp("a", name);
})");
  const Answer answer = check("compare.c");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("at address 0x0\n    in strcmp\n    called from compare.c:5 (main)\n"));
  EXPECT_THAT(answer.out, HasSubstr("signal   5  return strcmp")) << "not in the runtime, which has one of its own";
  write("called.cpp", R"(
#include <cstring>
#include <functional>
int main() {
  const std::function<size_t(const char*)> length = [](const char* text) { return strlen(text); };
  return static_cast<int>(length(nullptr));
})");
  EXPECT_THAT(
      check("called.cpp").out,
      ContainsRegex("in strlen\n    called from called.cpp:5 [^\n]*\n    called from [^\n]*\n    called, through "
                    "[0-9]+ more frames?, from [^\n]*\n    called from called.cpp:6 \\(main\\)\n"));
}

TEST_F(StoryOf, RacesInSystemHeadersAreAtTheirCaller) {
  write("copies.cpp", R"(
#include <string>
#include <thread>
std::string name = "a name that is too long to lie in the string itself";
void change() { name = "x"; }
int main() {
  std::thread other(change);
  std::string copy = name;
  other.join();
})");
  const Answer answer = check("copies.cpp");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("at copies.cpp:5 (change)"));
  EXPECT_THAT(answer.out, HasSubstr("at copies.cpp:8 (main)"));
  EXPECT_THAT(answer.out.substr(0, answer.out.find('\n')), Not(HasSubstr(".h:"))) << "the headline: " << answer.out;
  EXPECT_THAT(answer.out, HasSubstr("data race   5  void change()"));
  EXPECT_THAT(answer.out, HasSubstr("the line race:change\n"));
  write("main.cpp", R"(
#include <thread>
int hits;
int main() {
  std::thread other([] { ++hits; });
  ++hits;
  other.join();
})");
  EXPECT_THAT(check("main.cpp").out, HasSubstr("the line race:hits\n")) << "race:main would leave out everything";
}

TEST_F(StoryOf, VariablesHaveNamesIfTheFirstExecutionNeverEnds) {
  write("spins.c", R"(
#include <stdatomic.h>
atomic_int before;
int main(void) {
  before = 1;
  for (volatile int n = 0;;) n = 1;
})");
  const Answer answer = check("--watchdog 0.2 spins.c");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("store before (4 bytes): 1"));
}

TEST_F(StoryOf, AWriteAcrossTheEndOfABlockGoesBeyondIt) {
  write("across.c", R"(
#include <stdlib.h>
#include <string.h>
int main(void) { memset(malloc(10), 0, 20); })");
  EXPECT_THAT(check("across.c").out, HasSubstr("is out of bounds of a heap block\n"));
}

TEST_F(StoryOf, ADeadlockSaysWhatBarriersAndSemaphoresWaitFor) {
  write("waits.c", R"(
#include <pthread.h>
#include <semaphore.h>
pthread_barrier_t meeting;
sem_t slots;
void *wait(void *p) { pthread_barrier_wait(&meeting); return p; }
int main(void) {
  pthread_t other;
  pthread_barrier_init(&meeting, 0, 2);
  sem_init(&slots, 0, 0);
  pthread_create(&other, 0, wait, 0);
  sem_wait(&slots);
})");
  const Answer answer = check("waits.c");
  EXPECT_THAT(answer.out, HasSubstr("0 waits for a post to slots (waits.c:12)\n"));
  EXPECT_THAT(answer.out, HasSubstr("0.1 waits for other threads to arrive at meeting (waits.c:6)\n"));
}

TEST_F(StoryOf, AWriterWaitsForReaders) {
  write("readers.c", R"(
#include <pthread.h>
pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *read_it(void *p) {
  pthread_rwlock_rdlock(&table);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_unlock(&table);
  return p;
}
int main(int argc, char **argv) {
  pthread_t readers[2];
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < argc; ++i) pthread_create(&readers[i], 0, read_it, argv);
  pthread_rwlock_wrlock(&table);
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&mutex);
})");
  ASSERT_EQ(mazurka("cc -g readers.c -o readers").exit_code, 0);
  const std::string one = check("./readers").out;
  EXPECT_THAT(one, HasSubstr("0 waits for write-lock table (readers.c:16), held by 0.1 since step 4\n"));
  EXPECT_THAT(one, HasSubstr("circular wait: 0 -> 0.1 -> 0\n"));
  EXPECT_THAT(one, Not(HasSubstr("0.1 has held"))) << "which was said";
  const std::string two = check("./readers --max-executions 1000 -- 2").out;
  EXPECT_THAT(two, ContainsRegex("held by 0.[12] since step [0-9]+ and by 0.[12] since step [0-9]+\n"));
}

TEST_F(StoryOf, ALockMayBeHeldByAThreadThatHasEnded) {
  write("ended.c", R"(
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *take(void *p) { pthread_mutex_lock(&mutex); return p; }
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, take, 0);
  pthread_join(other, 0);
  pthread_mutex_lock(&mutex);
})");
  EXPECT_THAT(check("ended.c").out,
              HasSubstr("0 waits for lock mutex (ended.c:9), held by 0.1 since step 3, and 0.1 has ended\n"));
}

TEST_F(StoryOf, ABlockedCallIsNamedOnceAsTheProgramHasIt) {
  write("blocked.c", R"(
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
int ends[2];
atomic_flag taken = ATOMIC_FLAG_INIT;
void *read_it(void *p) { char c; return read(ends[0], &c, 1) == 1 ? p : 0; }
void *take_it(void *p) { while (atomic_flag_test_and_set(&taken)) {} return p; }
int main(void) {
  pthread_t one, two;
  sigset_t set;
  int number;
  if (pipe(ends) != 0) return 1;
  atomic_flag_test_and_set(&taken);
  pthread_create(&one, 0, read_it, 0);
  pthread_create(&two, 0, take_it, 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  sigwait(&set, &number);
})");
  const Answer answer = check("blocked.c");
  const std::string blocked = "blocked: read from descriptor 512";
  EXPECT_THAT(answer.out, HasSubstr(blocked));
  EXPECT_EQ(answer.out.find(blocked), answer.out.rfind(blocked)) << answer.out;
  EXPECT_THAT(answer.out, HasSubstr("0.1 waits to read from descriptor 512 (blocked.c:8)\n"));
  EXPECT_THAT(answer.out, HasSubstr("blocked: spin on taken"));
  EXPECT_THAT(answer.out, HasSubstr("blocked: wait for signals of thread 0"));
  EXPECT_THAT(answer.out, HasSubstr("0 waits for a signal to be sent to it (blocked.c:21)\n"));
}

/// Suppressions leave out no race with free(), so none is offered.
TEST_F(StoryOf, ARaceWithFreeIsNotToBeSuppressed) {
  write("freed.c", R"(
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *shared;
static void *use(void *p) { ++*shared; return p; }
int main(void) {
  pthread_t user;
  shared = malloc(sizeof *shared);
  pthread_create(&user, 0, use, 0);
  free(shared);
  pthread_join(user, 0);
})");
  const Answer answer = check("freed.c");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, Not(HasSubstr("--suppressions"))) << answer.out;
}

TEST_F(StoryOf, TheDebuggerStartsAtTheFailureAndKnowsThreadsAndSteps) {
  write("two.c", R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *wait_for_it(void *p) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return p;
}
int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, wait_for_it, 0);
  ready = 1;
  assert(!ready);
})");
  ASSERT_EQ(check("--save bug.mzk two.c").exit_code, 1);
  const auto debug = [&](const std::string& commands) {
    return shell("MAZURKA_GDB='gdb -batch " + commands + "' " MAZURKA_BINARY " replay --gdb bug.mzk 2>&1").out;
  };
  write("plain.c", "int twice(int x) { return 2 * x; }\nint main(void) { return twice(0); }\n");
  const std::string plain =
      shell("gcc -g plain.c -o plain && gdb -nx -batch -ex 'break main' -ex run -ex 'print twice(21)' ./plain 2>&1")
          .out;
  if (plain.find("= 42") == std::string::npos) {
    EXPECT_THAT(debug("-ex bt"), HasSubstr("this gdb cannot call functions of a program on this machine"));
    GTEST_SKIP() << "gdb cannot call functions of any program here: " << plain;
  }
  const std::string start = debug("-ex \"info locals\" -ex \"mazurka threads\" -ex \"mazurka thread 0.1\"");
  EXPECT_THAT(start, HasSubstr("mazurka: thread 0 fails after step 4: assertion: "));
  EXPECT_THAT(start, HasSubstr("at two.c:18\n18"));
  EXPECT_THAT(start, HasSubstr("thread = ")) << "its variables are at hand";
  EXPECT_THAT(start, HasSubstr("To step: `mazurka goto 7`"));
  EXPECT_THAT(start, HasSubstr("* 0        main at two.c:18"));
  EXPECT_THAT(start, HasSubstr("  0.1      "));
  const std::string steps = debug("-ex \"mazurka goto 2\" -ex \"mazurka next\" -ex continue -ex bt");
  EXPECT_THAT(steps, HasSubstr("mazurka: step 2 is next, by thread 0\n"));
  EXPECT_THAT(steps, HasSubstr("at two.c:16\n16"));
  EXPECT_THAT(steps, HasSubstr("mazurka: step 3 is next, by thread 0\n"));
  EXPECT_THAT(steps, HasSubstr("at two.c:17\n17"));
  EXPECT_EQ(count(steps, "fails after step 4"), 2U) << "it runs again, to the same end: " << steps;
}

TEST_F(StoryOf, EnumeratorsAndPointersHaveNames) {
  write("values.cpp", R"(
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>
enum class State : std::uint8_t { Idle, Busy, Done };
enum Colour { RED = -1, GREEN = 5 };
struct Node {
  int first;
  std::atomic<State> state;
};
Node nodes[2];
std::atomic<State> state;
std::atomic<Colour> colour{RED};
std::atomic<unsigned> number{4294967295U};
std::atomic<Node*> head;
std::atomic<int*> inner;
std::atomic<void (*)()> callback;
void hello() {}
int main() {
  std::atomic<State> local{State::Busy};
  std::thread thread([&] {
    State expected = State::Busy;
    state.compare_exchange_strong(expected, State::Done);
    colour.store(GREEN);
    colour.store(static_cast<Colour>(7));
    number.load();
    head.store(&nodes[1]);
    inner.store(&nodes[1].first);
    nodes[1].state = State::Done;
    callback.store(hello);
    head.store(new Node{});
    delete head.exchange(nullptr);
    local.exchange(State::Done);
  });
  thread.join();
  assert(colour.load() == RED);
})");
  for (const std::string compiler : {"g++", "clang++"}) {
    const Json json = Json::parse(shell("MAZURKA_CXX=" + compiler + " " MAZURKA_BINARY " check --json values.cpp").out);
    std::string told;
    for (const Json& event : json["errors"][0]["events"])
      if (event["thread"] == "0.1" && event.contains("values"))
        told += event.value("object", "") + ": " + event.value("values", "") + " " +
                std::to_string(event.value("line", 0)) + "\n";
    EXPECT_EQ(told,
              "state: found State::Idle, expected State::Busy 24\n"
              "colour: GREEN 25\n"
              "colour: 7 26\n"
              "number: 4294967295 27\n"
              "head: &nodes[1] 28\n"
              "inner: &nodes[1].first 29\n"
              "nodes[1].state: State::Done 30\n"
              "callback: &hello 31\n"
              "head: &heap[values.cpp:32] 32\n"
              "head: &heap[values.cpp:32] -> null 33\n"
              "local: State::Busy -> State::Done 34\n")
        << compiler;
  }
}

TEST_F(StoryOf, ASecondJoinHasItsNameAndLine) {
  write("twice.c", R"(
#include <pthread.h>
static void *run(void *p) { return p; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  pthread_join(thread, 0);
})");
  const Answer answer = check("twice.c");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("double-join: thread 0 joins thread 0.1, which it has joined already\n"));
  EXPECT_THAT(answer.out, ContainsRegex("\n +double-join +8  pthread_join\\(thread, 0\\);\n"));
}

TEST_F(StoryOf, MailboxesHaveTheUsersLinesAndNames) {
  write("actors.cpp", R"(
#include <cassert>
#include <memory>
#include <thread>
#include <mazurka/mailbox.hpp>
struct Account {
  long balance = 0;
  mazurka::Mailbox<long> inbox;
  void serve() { balance += inbox.receive(); }
};
mazurka::Mailbox<int> audit;
int main() {
  Account account;
  auto other = std::make_unique<Account>();
  std::thread owner([&] { account.serve(); });
  std::thread server([&] { other->serve(); });
  account.inbox.send(1);
  audit.send(2);
  other->inbox.send(3);
  owner.join();
  server.join();
  assert(audit.receive() == 3);
})");
  for (const char* const flags : {"", "-O2", "MAZURKA_CXX=clang++"}) {
    const bool clang = flags[0] == 'M';
    const Answer answer =
        shell((clang ? std::string(flags) + " " : "") + MAZURKA_BINARY " check actors.cpp " + (clang ? "" : flags));
    EXPECT_EQ(answer.exit_code, 1) << flags << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("send account.inbox, tag 0")) << flags;
    EXPECT_THAT(answer.out, HasSubstr("send audit, tag 0")) << flags;
    EXPECT_THAT(answer.out, HasSubstr("send heap[actors.cpp:14]+8, tag 0")) << flags;
    EXPECT_THAT(answer.out, HasSubstr("18  audit.send(2);")) << flags;
    EXPECT_THAT(answer.out, HasSubstr("9  void serve() { balance += inbox")) << flags;
    EXPECT_THAT(answer.out, Not(HasSubstr("mailbox.hpp"))) << flags;
  }
}

}  // namespace
