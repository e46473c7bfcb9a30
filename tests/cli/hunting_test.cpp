// Sampled executions on the command line: they find bugs, replay and minimise as others do, and never claim a proof.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class Hunting : public mazurka::testing::CommandLine {
 protected:
  Json check(const std::string& arguments) const { return Json::parse(mazurka("check --json " + arguments).out); }

  void SetUp() override {
    CommandLine::SetUp();
    write("lost.c", R"(#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int count;
static void* add(void* unused) { int seen = count; count = seen + 1; return unused; }
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(count == 3);
})");
    write("fine.c", R"(#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void* add(void* unused) { count++; return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  count++;
  pthread_join(thread, 0);
  return count != 2;
})");
    write("race.c", R"(#include <pthread.h>
static int count;
static void* add(void* unused) { count++; return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  count++;
  pthread_join(thread, 0);
})");
  }
};

TEST_F(Hunting, FindsShowsAndRepeatsABug) {
  for (const std::string& how :
       {std::string("--algorithm=pct"), std::string("--algorithm=pct --pct-depth=2"), std::string("--algorithm=pos"),
        std::string("--algorithm=rff"), std::string("--hunt 20")}) {
    const Json found = check("--save bug.mzk " + how + " lost.c");
    EXPECT_EQ(found["result"], "bug") << how;
    ASSERT_EQ(found["errors"].size(), 1U) << how;
    EXPECT_EQ(found["errors"][0]["kind"], "assertion") << how;
    EXPECT_GT(found["distinct_classes"], 0) << how;
    EXPECT_GT(found["reads_from_pairs"], 1) << how;
    EXPECT_EQ(mazurka("replay bug.mzk").exit_code, 1) << how;
    EXPECT_EQ(check(how + " lost.c")["executions"], found["executions"]) << how << ": a seed is a seed";
  }
}

TEST_F(Hunting, ProvesNothing) {
  const std::pair<const char*, const char*> cases[] = {{"--algorithm=pct", "sampling"},
                                                       {"--algorithm=pos", "sampling"},
                                                       {"--algorithm=rff", "sampling"},
                                                       {"--hunt 30", "hunt"}};
  for (const auto& [how, reason] : cases) {
    const Json answer = check(std::string(how) + " --max-executions 50 fine.c");
    EXPECT_EQ(answer["result"], "incomplete") << how;
    EXPECT_FALSE(answer["complete"]) << how;
    ASSERT_EQ(answer["incomplete"].size(), 1U) << answer["incomplete"];
    EXPECT_EQ(answer["incomplete"][0]["reason"], reason) << how;
    EXPECT_EQ(answer["executions"], 50) << how;
    EXPECT_EQ(answer["distinct_classes"], 2) << how << ": who adds first";
  }
  const Answer text = mazurka("check --hunt 0.3 fine.c");
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_THAT(text.out, HasSubstr("a hunt samples executions, which proves nothing"));
  EXPECT_THAT(text.out, HasSubstr("belong to 2 distinct classes, with "));
}

TEST_F(Hunting, SeesDataRacesAndGoesOn) {
  EXPECT_EQ(check("--hunt 20 race.c")["errors"][0]["kind"], "data race");
  const Json all = check("--hunt 20 --keep-going --max-executions 200 lost.c");
  EXPECT_EQ(all["errors"].size(), 1U);
  EXPECT_GT(all["failed_executions"], 1);
  EXPECT_EQ(all["executions"], 200);
}

TEST_F(Hunting, IsForNetworksToo) {
  const std::string philosophers = MAZURKA_SOURCE_DIR "/examples/philosophers.tck";
  for (const char* how : {"--algorithm=pct", "--algorithm=pos", "--hunt 20"})
    EXPECT_EQ(mazurka(std::string("check ") + how + " " + philosophers).exit_code, 1) << how;
  const Answer rff = mazurka("check --algorithm=rff " + philosophers);
  EXPECT_EQ(rff.exit_code, 2);
  EXPECT_THAT(rff.err, HasSubstr("use pct or pos"));
}

TEST_F(Hunting, RefusesWhatMakesNoSense) {
  for (const char* arguments : {"--hunt 1 --algorithm=pos fine.c", "--hunt 0 fine.c", "--hunt -1 fine.c",
                                "--algorithm=pct --pct-depth 0 fine.c", "--algorithm=pct --pct-depth 18 fine.c"})
    EXPECT_EQ(mazurka(std::string("check ") + arguments).exit_code, 2) << arguments;
}

}  // namespace
