// What a bug looks like in each kind of report.
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "cli/command_line_fixture.hpp"
#include "cli/sarif_schema.hpp"

namespace {

using mazurka::testing::Answer;
using mazurka::testing::SarifSchema;
using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kExamples = MAZURKA_SOURCE_DIR "/examples/";
const std::string kSystems[] = {kExamples + "bank.c", kExamples + "philosophers.cpp", kExamples + "lost_wakeup.cpp",
                                kExamples + "philosophers.tck"};

/// Characters of the longest line; all of them one column wide.
std::size_t widest(const std::string& text) {
  std::istringstream in(text);
  std::size_t most = 0;
  for (std::string line; std::getline(in, line);) {
    std::size_t characters = 0;
    for (char c : line) characters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    most = std::max(most, characters);
  }
  return most;
}

class Reports : public mazurka::testing::CommandLine {
 protected:
  Answer check(const std::string& arguments) const { return mazurka("check " + arguments); }
  Json check_json(const std::string& arguments) const { return Json::parse(check("--json " + arguments).out); }
};

TEST_F(Reports, StacksShowTheProgramOnly) {
  write("once.cpp", R"(
#include <mutex>
#include <thread>
int x;
std::once_flag flag;
int main() {
  std::thread thread([] { std::call_once(flag, [] { x = 1; }); });
  x = 2;
  thread.join();
})");
  const Answer answer = check("once.cpp");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("\n    at once.cpp:7 ("));
  EXPECT_THAT(answer.out, Not(HasSubstr("mazurka_call")));
}

TEST_F(Reports, VariablesOfMainHaveTheirNamesAndOperationsTheirLines) {
  write("locals.cpp", R"(
#include <mutex>
#include <thread>
struct Pair {
  std::mutex first;
  std::mutex others[2];
};
int main() {
  Pair pair;
  std::thread thread([&] {
    const std::lock_guard one(pair.others[1]);
    const std::lock_guard two(pair.first);
  });
  pair.first.lock();
  pair.others[1].lock();
  pair.others[1].unlock();
  pair.first.unlock();
  thread.join();
})");
  for (const std::string compiler : {"g++", "clang++"})
    for (const std::string level : {"-O0", "-O2"}) {
      SCOPED_TRACE(compiler + " " + level);
      ASSERT_EQ(
          shell("MAZURKA_CXX=" + compiler + " " MAZURKA_BINARY "-c++ -std=c++20 -g " + level + " locals.cpp -o locals")
              .exit_code,
          0);
      const Answer answer = check("./locals");
      EXPECT_EQ(answer.exit_code, 1);
      EXPECT_THAT(answer.out, HasSubstr("lock pair.first"));
      EXPECT_THAT(answer.out, HasSubstr("lock pair.others[1]"));
      // Also where std::mutex::lock is a function of its own.
      EXPECT_THAT(answer.out, HasSubstr("0 waits for lock pair.others[1] (locals.cpp:15)"));
      EXPECT_THAT(answer.out, HasSubstr("0.1 waits for lock pair.first (locals.cpp:12)"));
    }
}

TEST_F(Reports, ObjectsOnTheHeapAreCalledAfterTheirAllocation) {
  write("heap.cpp", R"(
#include <memory>
#include <mutex>
#include <thread>
struct Account {
  long balance = 0;
  std::mutex mutex;
};
void transfer(Account& from, Account& to) {
  const std::lock_guard one(from.mutex);
  const std::lock_guard two(to.mutex);
}
int main() {
  std::unique_ptr<Account> accounts[2];
  for (auto& account : accounts) account = std::make_unique<Account>();
  const auto other = std::make_shared<Account>();
  std::thread thread([&] { transfer(*accounts[1], *other); });
  transfer(*accounts[0], *accounts[1]);
  transfer(*other, *accounts[0]);
  thread.join();
  thread = std::thread([&] { transfer(*other, *accounts[1]); });
  transfer(*accounts[1], *other);
  thread.join();
})");
  for (const std::string compiler : {"g++", "clang++"})
    for (const std::string level : {"-O0", "-O2"}) {
      SCOPED_TRACE(compiler + " " + level);
      const std::string build = " " MAZURKA_BINARY "-c++ -std=c++20 -g " + level + " heap.cpp -o heap";
      ASSERT_EQ(shell("MAZURKA_CXX=" + compiler + build).exit_code, 0);
      const Answer answer = check("--save heap.mzk ./heap");
      EXPECT_EQ(answer.exit_code, 1);
      // The offset in the second depends on what std::make_shared puts before the object.
      EXPECT_THAT(answer.out, HasSubstr("waits for lock heap[heap.cpp:15 #2]+8 (heap.cpp:11)"));
      EXPECT_THAT(answer.out, HasSubstr("waits for lock heap[heap.cpp:16]+"));
      const Answer again = shell(MAZURKA_BINARY " replay heap.mzk");
      EXPECT_EQ(again.exit_code, 1);
      EXPECT_THAT(again.out, HasSubstr("waits for lock heap[heap.cpp:15 #2]+8 (heap.cpp:11)"));
      EXPECT_THAT(again.out, Not(HasSubstr("behaves differently")));
    }
}

TEST_F(Reports, ALoopThatWaitsLetsTheOthersGoOnAndIsOneRow) {
  write("spin.cpp", R"(
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<bool> ready;
int main() {
  std::thread thread([] { ready = true; });
  while (!ready) {
  }
  thread.join();
  assert(!ready);
})");
  for (const std::string algorithm : {"optimal", "source", "observers", "unfolding"}) {
    const Answer answer = check("--no-minimise --waiting=explore --algorithm=" + algorithm + " spin.cpp");
    EXPECT_EQ(answer.exit_code, 1) << algorithm << answer.out;
    EXPECT_THAT(answer.out, HasSubstr("load ready (1 byte): 0, "));
    EXPECT_THAT(answer.out, HasSubstr(" times"));
  }
}

TEST_F(Reports, WarningsThatAreErrorsAreCountedOnce) {
  write("leaves.cpp", R"(
#include <thread>
int main() { std::thread([] {}).detach(); })");
  const std::string sentence = "main returns while thread 0.1, created at leaves.cpp:3 (main), has not ended\n";
  const Answer answer = check("--strict leaves.cpp");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, StartsWith("main-returned: " + sentence));
  EXPECT_EQ(answer.out.find(sentence), answer.out.rfind(sentence)) << "it is told once: " << answer.out;
  const Json json = Json::parse(check("--strict --json leaves.cpp").out);
  EXPECT_EQ(json["warnings"][0]["executions"], 1);
  EXPECT_THAT(check("leaves.cpp").out, HasSubstr("warning, in 1 execution: " + sentence));
}

TEST_F(Reports, TheTextHasATableWithAColumnForEachThread) {
  const Answer answer = shell("LANG=C.UTF-8 COLUMNS=120 " MAZURKA_BINARY " check " + kExamples + "philosophers.cpp");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("deadlock: 4 threads are blocked forever\n"));
  std::istringstream in(answer.out);
  std::size_t columns[3] = {};
  std::size_t seen = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("   #"))
      for (std::size_t t = 0; t < 3; ++t) columns[t] = line.find("0." + std::to_string(t + 1));
    const std::size_t lock = line.find("lock forks[");
    if (lock == std::string::npos) continue;
    if (line.find("blocked: ") != std::string::npos || line.find("waits for") != std::string::npos) continue;
    // A bar is three bytes for one column.
    std::size_t bars = 0;
    for (std::size_t i = 0; i < lock; ++i) bars += line[i] == '\xe2' ? 1 : 0;
    ASSERT_LT(seen, 3U);
    EXPECT_EQ(lock - 2 * bars, columns[seen]) << line;
    EXPECT_THAT(line, HasSubstr("11  std::lock_guard<std::mutex> left"));
    ++seen;
  }
  EXPECT_EQ(seen, 3U);
  EXPECT_THAT(answer.out, HasSubstr("0.1 waits for lock forks[1] (philosophers.cpp:12), held by 0.2 since step 7"));
  EXPECT_THAT(answer.out, HasSubstr("circular wait: 0.1 -> 0.2 -> 0.3 -> 0.1"));
}

TEST_F(Reports, AThreadThatTimesOutInVainWaitsForASignal) {
  write("poll.c", R"(#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int stop;
int main(void) {
  const struct timespec soon = {1800000000, 0};
  pthread_mutex_lock(&mutex);
  while (!stop)
    pthread_cond_timedwait(&changed, &mutex, &soon);
  pthread_mutex_unlock(&mutex);
}
)");
  const Answer answer = shell("COLUMNS=200 " MAZURKA_BINARY " check poll.c");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("waits for a signal on changed (poll.c:9), which is never signalled; a time-out "
                                    "would not help"));
}

/// The library asks for the time and waits, all of it in headers: the steps are at the caller's line all the same.
TEST_F(Reports, ATimedWaitOfTheLibraryIsAtTheLineThatCallsIt) {
  write("poll.cpp", R"(#include <condition_variable>
#include <mutex>
std::mutex mutex;
std::condition_variable changed;
bool stop;
int main() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stop)
    changed.wait_for(lock, std::chrono::milliseconds(5));
}
)");
  const Answer answer = shell("COLUMNS=200 " MAZURKA_BINARY " check poll.cpp");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("0 waits for a signal on changed (poll.cpp:9), which is never signalled"));
}

TEST_F(Reports, TheTextFitsTheWidth) {
  for (const std::string& system : kSystems)
    for (const std::size_t width : {60U, 80U, 100U, 120U}) {
      const Answer answer =
          shell("COLUMNS=" + std::to_string(width) + " " MAZURKA_BINARY " check --save b.mzk " + system);
      EXPECT_EQ(answer.exit_code, 1) << answer.err;
      EXPECT_LE(widest(answer.out), width) << answer.out;
    }
}

TEST_F(Reports, ColoursAreForTerminalsOnly) {
  const std::string command = MAZURKA_BINARY " check " + kExamples + "philosophers.tck";
  const std::string terminal = "script -qec '" + command + "' /dev/null";
  EXPECT_THAT(shell(command).out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(shell("TERM=xterm " + terminal).out, HasSubstr("\x1b[1;31mdeadlock:"));
  EXPECT_THAT(shell("TERM=xterm NO_COLOR=1 " + terminal).out, Not(HasSubstr("\x1b[1;31m")));
}

TEST_F(Reports, WithoutUnicodeTheTextIsAscii) {
  const Answer answer = shell("LC_ALL=C " MAZURKA_BINARY " check " + kSystems[0]);
  for (char c : answer.out) ASSERT_LT(static_cast<unsigned char>(c), 128U) << answer.out;
}

TEST_F(Reports, ManyThreadsGetANameColumn) {
  std::string program =
      "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n"
      "static void* f(void* p) { assert(++n < 12); return p; }\n"
      "int main(void) { pthread_t t[12];\n"
      "  for (int i = 0; i < 12; ++i) pthread_create(&t[i], 0, f, 0);\n"
      "  for (int i = 0; i < 12; ++i) pthread_join(t[i], 0); }\n";
  write("many.c", program);
  const Answer answer = shell("COLUMNS=80 " MAZURKA_BINARY " check many.c");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("   #  thread"));
  EXPECT_LE(widest(answer.out), 80U) << answer.out;
}

TEST_F(Reports, StepsThatConcernNobodyElseAreFolded) {
  write("own.c",
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int mine, shared;\n"
        "static void* f(void* p) { for (int i = 0; i < 6; ++i) mine++; shared = 1; return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(!shared); return pthread_join(t, 0); }\n");
  const Answer answer = check("own.c");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("3-8"));
  EXPECT_THAT(answer.out, HasSubstr("read-modify-write mine (4 bytes), 6 times"));
}

TEST_F(Reports, SchedulesAreMinimisedUnlessAskedNotTo) {
  const std::string random = "--algorithm=random --seed=3 " + kExamples + "philosophers.cpp";
  const Json found = check_json("--no-minimise " + random)["errors"][0];
  const Json shown = check_json("--save bug.mzk " + random)["errors"][0];
  EXPECT_EQ(found["message"], shown["message"]);
  EXPECT_EQ(shown["context_switches"], 3);
  EXPECT_EQ(shown["minimal"], true);
  EXPECT_GT(found["context_switches"], 3) << "choose another seed: this one finds the minimum by chance";
  EXPECT_FALSE(found.contains("minimal"));
  const Json again = Json::parse(mazurka("replay --json bug.mzk").out);
  EXPECT_EQ(again["errors"][0]["events"], shown["events"]) << "what was shown is what was saved";
}

TEST_F(Reports, JsonIsComplete) {
  const Json answer = check_json(kExamples + "philosophers.cpp");
  const Json& error = answer["errors"][0];
  EXPECT_EQ(error["threads"].size(), 4U);
  EXPECT_EQ(error["events"].size(), 9U);
  const Json& lock = error["events"][4];
  EXPECT_EQ(lock["step"], 5);
  EXPECT_EQ(lock["thread"], "0.1");
  EXPECT_EQ(lock["kind"], "lock");
  EXPECT_EQ(lock["operation"], "lock forks[0]");
  EXPECT_EQ(lock["object"], "forks[0]");
  EXPECT_EQ(lock["file"], "philosophers.cpp");
  EXPECT_EQ(lock["path"], kExamples + "philosophers.cpp");
  EXPECT_EQ(lock["line"], 11);
  EXPECT_EQ(lock["function"], "dine");
  EXPECT_EQ(lock["source"], "std::lock_guard<std::mutex> left(forks[seat]);");
  EXPECT_EQ(error["events"][3]["after"], Json({1}));
  const Json& blocked = error["waiting"][1];
  EXPECT_EQ(blocked["thread"], "0.1");
  EXPECT_EQ(blocked["object"], "forks[1]");
  EXPECT_EQ(blocked["holder"], "0.2");
  EXPECT_EQ(blocked["line"], 12);
  EXPECT_EQ(error["holding"][0], Json({{"thread", "0.1"}, {"object", "forks[0]"}, {"since", 5}}));
  EXPECT_EQ(error["warnings"], Json::array());

  const Json failed = check_json(kExamples + "bank.c")["errors"][0];
  EXPECT_EQ(failed["failure"]["thread"], "0.1");
  EXPECT_EQ(failed["failure"]["line"], 20);
}

TEST_F(Reports, JsonSaysUnderWhichConditionAProofHolds) {
  write("fine.c", "int main(void) { return 0; }\n");
  const Json assumed = check_json("--plain=ignore fine.c");
  EXPECT_EQ(assumed["result"], "ok");
  ASSERT_EQ(assumed["notes"].size(), 1U);
  EXPECT_THAT(assumed["notes"][0].get<std::string>(), HasSubstr("no data race"));
  EXPECT_EQ(check_json("fine.c")["notes"], Json::array());
  EXPECT_EQ(check_json("--plain=explore fine.c")["notes"], Json::array());
}

TEST_F(Reports, SarifHasWhatTheSchemaDemands) {
  for (const std::string& system : kSystems) {
    check("--keep-going --save bug.mzk --sarif r.sarif " + system);
    const Json log = Json::parse(read("r.sarif"));
    EXPECT_THAT(SarifSchema::check(log), IsEmpty()) << system;
    EXPECT_EQ(log["runs"][0]["invocations"][0]["exitCode"], 1);
  }
  write("fine.c", "int main(void) { return 0; }\n");
  check("--sarif r.sarif fine.c");
  const Json fine = Json::parse(read("r.sarif"));
  EXPECT_THAT(SarifSchema::check(fine), IsEmpty());
  EXPECT_EQ(fine["runs"][0]["results"].size(), 0U);
}

TEST_F(Reports, TheCheckOfSarifFindsWhatIsMissing) {
  check("--sarif r.sarif " + kExamples + "bank.c");
  Json log = Json::parse(read("r.sarif"));
  log["runs"][0]["results"][0].erase("message");
  log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"] = Json::array();
  log["runs"][0]["colour"] = "red";
  EXPECT_EQ(SarifSchema::check(log).size(), 3U);
}

TEST_F(Reports, SarifHasAThreadFlowForEachThreadInTheOrderOfExecution) {
  ASSERT_EQ(shell("cp " + kExamples + "bank.c 'my bank.c'").exit_code, 0);
  check("--sarif r.sarif 'my bank.c'");
  const Json log = Json::parse(read("r.sarif"));
  const Json& result = log["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "assertion");
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "assertion");
  const Json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "my%20bank.c");
  EXPECT_EQ(place["region"]["startLine"], 20);
  const Json& flows = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 3U);
  std::set<int> orders;
  for (const Json& flow : flows) {
    int before = 0;
    for (const Json& location : flow["locations"]) {
      const int order = location["executionOrder"];
      EXPECT_GT(order, before);
      EXPECT_TRUE(orders.insert(order).second) << "two threads never move at once";
      before = order;
    }
  }
  EXPECT_EQ(orders.size(), 12U) << "eleven steps and the failure";
}

TEST_F(Reports, JunitTellsBugsFromWhatIsNotKnown) {
  write("fine.tck", mazurka("gen mpat 2").out);
  const struct {
    std::string arguments;
    int failures;
    int errors;
  } cases[] = {{kExamples + "bank.c", 1, 0}, {"fine.tck", 0, 0}, {"--algorithm=random fine.tck", 0, 1}};
  for (const auto& [arguments, failures, errors] : cases) {
    check("--junit r.xml " + arguments);
    pugi::xml_document document;
    ASSERT_TRUE(document.load_file((folder_ / "r.xml").c_str())) << arguments;
    const pugi::xml_node suite = document.child("testsuites").child("testsuite");
    EXPECT_EQ(suite.attribute("tests").as_int(), 1);
    EXPECT_EQ(suite.attribute("failures").as_int(), failures) << arguments;
    EXPECT_EQ(suite.attribute("errors").as_int(), errors) << arguments;
    const pugi::xml_node test = suite.child("testcase");
    EXPECT_GE(test.attribute("time").as_double(-1), 0.0);
    EXPECT_NE(std::string(test.attribute("name").value()), "");
    EXPECT_EQ(!test.child("failure").empty(), failures == 1);
    EXPECT_EQ(!test.child("error").empty(), errors == 1);
    EXPECT_FALSE(test.child("system-out").empty());
  }
  check("--junit r.xml " + kExamples + "bank.c");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file((folder_ / "r.xml").c_str()));
  const pugi::xml_node failure = document.child("testsuites").child("testsuite").child("testcase").child("failure");
  EXPECT_EQ(std::string(failure.attribute("type").value()), "assertion");
  EXPECT_EQ(std::string(failure.attribute("message").value()),
            "assertion: " + kExamples + "bank.c:20: withdraw: assertion `balance >= 0` failed");
  EXPECT_THAT(failure.child_value(), HasSubstr("create 0.1"));
}

TEST_F(Reports, JunitHoldsAnyTextAProgramMayContain) {
  write("odd.c", "#include <assert.h>\nint main(void) { assert(0 && \"<&> \\xff \\x01 ]]> caf\\xc3\\xa9\"); }\n");
  check("--junit r.xml --html r.html --sarif r.sarif odd.c");
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file((folder_ / "r.xml").c_str()));
  EXPECT_THAT(SarifSchema::check(Json::parse(read("r.sarif"))), IsEmpty());
}

TEST_F(Reports, AFileThatCannotBeWrittenIsSaid) {
  const Answer answer = check("--html missing/folder/r.html " + kExamples + "philosophers.tck");
  EXPECT_EQ(answer.exit_code, 1) << "the bug is what matters";
  EXPECT_THAT(answer.err, HasSubstr("missing/folder/r.html: cannot be written"));
}

}  // namespace
