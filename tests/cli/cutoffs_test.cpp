// Networks without end on the command line: proved by their states.
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class Cutoffs : public mazurka::testing::CommandLine {
 protected:
  /// Two clients that take a lock and give it back, for ever; or one of them keeps it.
  void write_lock(const std::string& file, bool keeps) const {
    const auto client = [](const std::string& name, bool gives_back) {
      return "process:" + name + "{role: client}\nlocation:" + name + ":idle{initial:}\nlocation:" + name +
             ":has\nedge:" + name + ":idle:has:acq\nedge:" + name +
             (gives_back ? ":has:idle:rel\n" : ":idle:idle:work\n");
    };
    write(file, "system:locks\nevent:acq\nevent:rel\nevent:work\n" + client("A", true) + client("B", !keeps) +
                    "process:L{role: server}\nlocation:L:free{initial:}\nlocation:L:taken\nedge:L:free:taken:acq\n"
                    "edge:L:taken:free:rel\nsync:A@acq:L@acq\nsync:A@rel:L@rel\nsync:B@acq:L@acq\n" +
                    (keeps ? "" : "sync:B@rel:L@rel\n"));
  }
};

TEST_F(Cutoffs, ProveANetworkThatNeverStops) {
  write_lock("lock.tck", false);
  const Answer refused = mazurka("check lock.tck");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("client 'A' has the cycle idle -> has -> idle"));
  const Answer text = mazurka("check --algorithm=unfolding --cutoffs lock.tck");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("ok: every reachable state was explored and nothing fails\n"
                                  "executions 0, blocked 0, cut 2, errors 0\n"));
  EXPECT_THAT(text.out, HasSubstr("128-bit hashes"));
  const Json json = Json::parse(mazurka("check --algorithm=unfolding --cutoffs --json lock.tck").out);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["cutoffs"], 2);
  EXPECT_THAT(mazurka("states lock.tck").out, HasSubstr("states 3, transitions 4, deadlocks 0"));
}

/// A client that goes round or ends: what ends is an execution, but there are infinitely many others.
TEST_F(Cutoffs, AreNoProofThatEveryExecutionWasExplored) {
  write("ends.tck",
        "system:ends\nevent:a\nevent:b\nprocess:P{role: client}\nlocation:P:p0{initial:}\nlocation:P:p1\n"
        "edge:P:p0:p0:a\nedge:P:p0:p1:b\n");
  const Answer text = mazurka("check --algorithm=unfolding --cutoffs ends.tck");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("ok: every reachable state was explored and nothing fails\n"
                                  "executions 1, blocked 0, cut 0, errors 0\n"));
  EXPECT_THAT(text.out, HasSubstr("128-bit hashes"));
}

TEST_F(Cutoffs, FindADeadlockAndReplayIt) {
  write_lock("stuck.tck", true);
  const Answer found = mazurka("check --algorithm=unfolding --cutoffs --cache 1 --save stuck.mzk stuck.tck");
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.out, HasSubstr("A waits for acq (L acq)"));
  EXPECT_EQ(mazurka("replay stuck.mzk").exit_code, 1);
}

TEST_F(Cutoffs, AreRefusedWhereTheyMeanNothing) {
  write_lock("lock.tck", false);
  write("ends.c", "int main(void) { return 0; }\n");
  const Answer optimal = mazurka("check --cutoffs lock.tck");
  EXPECT_EQ(optimal.exit_code, 2);
  EXPECT_THAT(optimal.err, HasSubstr("--cutoffs needs --algorithm=unfolding"));
  const Answer cache = mazurka("check --algorithm=unfolding --cache 5 lock.tck");
  EXPECT_EQ(cache.exit_code, 2);
  EXPECT_THAT(cache.err, HasSubstr("--cache needs --cutoffs"));
  const Answer fork = mazurka("check --algorithm=unfolding --cutoffs --isolation=fork ends.c");
  EXPECT_EQ(fork.exit_code, 2);
  EXPECT_THAT(fork.err, HasSubstr("remove --isolation=fork"));
}

constexpr const char* kTurns = R"(
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number;
static void* down(void* unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (number > 0) --number;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, down, 0);
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (number < MOST) ++number;
    assert(number <= 2);
    pthread_mutex_unlock(&mutex);
  }
}
)";

TEST_F(Cutoffs, ProveAProgramThatNeverStops) {
  write("turns.c", kTurns);
  for (const char* plain : {"check", "explore", "ignore"})
    for (const char* waiting : {"reduce", "explore"})
      for (const char* level : {"-O0", "-O2"}) {
        const std::string options = std::string("--plain=") + plain + " --waiting=" + waiting + " -DMOST=2 " + level;
        const Answer text = mazurka("check --algorithm=unfolding --cutoffs turns.c " + options);
        EXPECT_EQ(text.exit_code, 0) << options << text.out << text.err;
        EXPECT_THAT(text.out, HasSubstr("ok: every reachable state was explored and nothing fails\nexecutions 0,"));
        EXPECT_THAT(text.out, HasSubstr("128-bit hashes"));
      }
  const Json json = Json::parse(mazurka("check --algorithm=stateful-naive turns.c -DMOST=2 --json").out);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["executions"], 0);
  EXPECT_GT(json["states"], 8);
}

TEST_F(Cutoffs, FindABugOfAProgramAndReplayIt) {
  write("turns.c", kTurns);
  for (const std::string algorithm : {"unfolding --cutoffs --save bug.mzk", "stateful-naive"}) {
    const Answer found = mazurka("check turns.c -DMOST=3 --algorithm=" + algorithm);
    EXPECT_EQ(found.exit_code, 1) << found.out << found.err;
    EXPECT_THAT(found.out, HasSubstr("assertion `number <= 2` failed"));
  }
  const Answer replayed = mazurka("replay bug.mzk");
  EXPECT_EQ(replayed.exit_code, 1) << replayed.out << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("assertion `number <= 2` failed"));
}

/// Both threads go round for ever; their accesses clash in one round of several, and never within a step of each other
/// in the first execution.
TEST_F(Cutoffs, FindADataRaceThatNoStateShows) {
  write("race.c", R"(
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static int shared;
static void* other(void* unused) {
  for (;;) {
    if (atomic_load(&turn) == 1) {
#ifdef RACE
      atomic_store(&turn, 0);
      ++shared;
#else
      ++shared;
      shared = 0;
      atomic_store(&turn, 0);
#endif
    }
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  for (;;) {
    if (atomic_load(&turn) == 0) {
      shared = 0;
      atomic_store(&turn, 1);
    }
  }
}
)");
  const Answer found = mazurka("check --algorithm=unfolding --cutoffs race.c -DRACE");
  EXPECT_EQ(found.exit_code, 1) << found.out << found.err;
  EXPECT_THAT(found.out, HasSubstr("data race"));
  const Answer none = mazurka("check --algorithm=unfolding --cutoffs race.c");
  EXPECT_EQ(none.exit_code, 0) << none.out << none.err;
}

/// Whatever ran before leaves remains in registers and on stacks, which get into the frames of a thread.
TEST_F(Cutoffs, DoNotSeeWhatOtherThreadsLeaveBehind) {
  const auto expect = [&](const std::string& text, const std::string& options, int exit_code) {
    write("remains.c", text);
    const Answer answer = mazurka("check --algorithm=unfolding --cutoffs --keep-going remains.c " + options);
    EXPECT_EQ(answer.exit_code, exit_code) << text << answer.out << answer.err;
    EXPECT_THAT(answer.out, Not(HasSubstr("unsupported"))) << text;
  };
  // Whether the unwinder was needed at the end of the thread.
  expect(R"(#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void add(void* p) { (void)p; atomic_fetch_add(&x, 1); }
static void* one(void* p) {
  pthread_cleanup_push(add, p);
  atomic_fetch_add(&x, 1);
  if (atomic_load(&x) == 1) pthread_exit(0);
  pthread_cleanup_pop(0);
  return 0;
}
static void* two(void* p) { atomic_fetch_add(&x, 1); return p; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  return atomic_load(&x) == 1;
}
)",
         "--exit=process", 1);
  // The place in the journal.
  expect(R"(#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int note(long who, long value) { return printf("%ld %ld\n", who, value); }
static void* run(void* p) {
  const long who = (long)p;
  const int taken = pthread_mutex_trylock(&m);
  note(who, taken);
  if (taken == 0) pthread_mutex_unlock(&m);
  pthread_t t;
  extern void* leaf(void*);
  pthread_create(&t, 0, leaf, p);
  pthread_detach(t);
  return 0;
}
void* leaf(void* p) { note((long)p, atomic_fetch_add(&x, 1)); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void*)1);
  pthread_mutex_lock(&m);
  note(0, atomic_load(&x));
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
)",
         "-O2", 0);
  // The stack of the thread before, when a thread starts.
  expect(R"(#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int w;
static int note(long who, long value) { return printf("%ld %ld\n", who, value); }
static void* run(void* p) {
  void* q = malloc(16);
  note((long)p, (long)q & 0xff);
  syscall(SYS_futex, &w, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  free(q);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void*)1);
  note(0, syscall(SYS_futex, &w, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0));
  note(0, atomic_load(&w));
  free(malloc(8));
}
)",
         "--plain=ignore", 1);
}

/// What was left out is states, too.
TEST_F(Cutoffs, ThatDoNotEndSpeakOfStates) {
  write("asm.c", R"(#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int y;
static void* run(void* p) {
  for (;;) {
    atomic_store(&x, !atomic_load(&x));
    __asm__ volatile("movl $1, %0" : "=m"(y));
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
}
)");
  EXPECT_THAT(mazurka("check --algorithm=unfolding --cutoffs asm.c").out,
              HasSubstr("every reachable state was explored and nothing fails, but some code is not instrumented"));
  EXPECT_THAT(mazurka("check --algorithm=unfolding --cutoffs --trust=asm --max-executions=3 asm.c").out,
              HasSubstr("not every reachable state was explored"));
}

TEST_F(Cutoffs, RefuseByNameWhatStatesDoNotHave) {
  const auto body = [](const std::string& includes, const std::string& statement) {
    return "#include <pthread.h>\n" + includes + "static void* run(void* p) {\n  for (;;) { " + statement +
           " }\n  return p;\n}\n"
           "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, run, 0);\n  run(0);\n}\n";
  };
  const auto expect_refused = [&](const std::string& includes, const std::string& statement, const char* words) {
    write("refused.c", body(includes, statement));
    const Answer answer = mazurka("check --algorithm=unfolding --cutoffs refused.c");
    EXPECT_EQ(answer.exit_code, 4) << statement << answer.out << answer.err;
    EXPECT_THAT(answer.out, HasSubstr(words));
  };
  expect_refused("#include <time.h>\n", "time(0);", "asking for the time");
  expect_refused("#include <stdio.h>\n", "fclose(fopen(\"x\", \"w\"));", "a program that uses files");
  expect_refused("#include <stdatomic.h>\nstatic atomic_int x;\n", "atomic_load_explicit(&x, memory_order_relaxed);",
                 "weaker than acquire and release");
}

}  // namespace
