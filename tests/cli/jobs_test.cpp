// Several explorers on the command line: the same answer as with one, and what they cannot do is refused by name.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class Jobs : public mazurka::testing::CommandLine {
 protected:
  Json check(const std::string& arguments) const { return Json::parse(mazurka("check --json " + arguments).out); }

  /// What must not depend on the number of explorers.
  static Json counts(const Json& answer) {
    Json same;
    for (const char* key : {"result", "complete", "executions", "cut", "events", "failed_executions", "warnings"})
      same[key] = answer[key];
    for (const Json& error : answer["errors"]) same["kinds"].push_back(error["kind"]);
    return same;
  }

  void SetUp() override {
    CommandLine::SetUp();
    write("three.c", R"(#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x, y;
static void* work(void* unused) { x++; y = x; return unused; }
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
#ifdef FAILS
  assert(y == 3);
#endif
})");
    write("waits.c", R"(#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, done;
static void* wait(void* unused) { while (!ready) {} done++; return unused; }
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, wait, 0);
  ready = 1;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return done != 2;
})");
    write("endless.c", R"(#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* work(void* unused) { for (;;) x++; return unused; }
int main(void) { pthread_t thread; pthread_create(&thread, 0, work, 0); for (;;) x--; })");
    write("file.c", R"(#include <stdio.h>
int main(void) { FILE* file = fopen("written", "w"); fputs("x", file); fclose(file); })");
  }
};

TEST_F(Jobs, ChangeNoCount) {
  ASSERT_EQ(mazurka("gen mpat 4 > mpat.tck").exit_code, 0);
  for (const std::string& algorithm : {std::string("optimal"), std::string("source"), std::string("observers")})
    for (const std::string& system : {std::string("mpat.tck"), std::string("three.c"), std::string("waits.c")}) {
      const std::string how = "--algorithm=" + algorithm + " " + system;
      const Json one = check(how);
      EXPECT_EQ(one["result"], "ok") << how;
      for (const char* const jobs : {"-j 2 ", "-j3 ", "--jobs=8 ", "-j 0 "})
        EXPECT_EQ(counts(check(jobs + how)), counts(one)) << jobs << how;
    }
}

TEST_F(Jobs, FindTheSameBugs) {
  for (const std::string& algorithm : {std::string("optimal"), std::string("source"), std::string("observers")}) {
    const std::string how = "--keep-going -DFAILS three.c --algorithm=" + algorithm;
    const Json one = check(how);
    const Json several = check("-j 3 " + how);
    EXPECT_EQ(one["result"], "bug");
    EXPECT_EQ(several["result"], "bug");
    ASSERT_EQ(several["errors"].size(), one["errors"].size());
    EXPECT_EQ(several["errors"][0]["kind"], "assertion");
  }
  EXPECT_EQ(check("-j 3 -DFAILS three.c --save bug.mzk")["result"], "bug");
  EXPECT_EQ(mazurka("replay bug.mzk").exit_code, 1);
}

TEST_F(Jobs, SampleTheSameExecutions) {
  for (const std::string& how : {std::string("three.c"), std::string("-DFAILS --keep-going three.c")}) {
    const Json one = check("--algorithm=random --max-executions 500 " + how);
    const Json several = check("--algorithm=random --max-executions 500 -j 3 " + how);
    EXPECT_EQ(several["executions"], 500);
    EXPECT_EQ(counts(several), counts(one));
  }
}

TEST_F(Jobs, KeepToLimits) {
  const Json limited = check("-j 3 --max-executions 5 three.c");
  EXPECT_EQ(limited["result"], "incomplete");
  EXPECT_EQ(limited["executions"], 5);
  const Json endless = check("-j 3 --time-limit 3 endless.c");
  EXPECT_EQ(endless["result"], "incomplete");
  EXPECT_TRUE(endless.contains("reach"));
  const Answer stopped = interrupted("check -j 3 endless.c");
  EXPECT_EQ(stopped.exit_code, 3) << stopped.err;
}

TEST_F(Jobs, AreRefusedWhereThereCanBeOneOnly) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"-j 2 --algorithm=unfolding three.c", "unfolding has one explorer"},
      {"-j 2 --algorithm=pct three.c", "pct has one explorer"},
      {"-j 2 --hunt 1 three.c", "a hunt learns"},
      {"-j 2 --context-switches 3 three.c", "use -j 1"},
      {"-j x three.c", "a number of explorers"},
  };
  for (const auto& [arguments, why] : refused) {
    const Answer answer = mazurka("check " + arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(why)) << arguments;
  }
  EXPECT_EQ(check("file.c")["result"], "ok");
  const Json files = check("-j 2 file.c");
  EXPECT_EQ(files["result"], "unsupported");
  EXPECT_THAT(files.dump(), HasSubstr("use -j 1"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "written"));
}

TEST_F(Jobs, OfStatesPrintWhatOneExplorerPrints) {
  write("locks.tck", mazurka("gen locks 1 4 4").out);
  const Answer one = mazurka("states locks.tck");
  EXPECT_EQ(one.exit_code, 1);
  EXPECT_THAT(one.out, HasSubstr("deadlocks 8"));
  for (const std::string jobs : {"2", "3", "8", "0"}) {
    const Answer several = mazurka("states -j " + jobs + " locks.tck");
    EXPECT_EQ(several.exit_code, 1);
    EXPECT_EQ(several.out, one.out);
  }
  const Answer limited = mazurka("states -j 2 --max-states 100 locks.tck");
  EXPECT_THAT(limited.out, HasSubstr("the limit of 100 states was reached"));
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"--algorithm=full+sleep", "what full+sleep leaves out depends on the order"},
      {"--count-paths", "the graph that --count-paths needs"},
      {"--verify-reduction", "the graph that --verify-reduction needs"},
      {"--dot graph.dot", "the graph that --dot needs"},
      {"--aut graph.aut", "the graph that --aut needs"},
  };
  for (const auto& [arguments, why] : refused) {
    const Answer answer = mazurka("states -j 2 locks.tck " + arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(why)) << arguments;
  }
}

}  // namespace
