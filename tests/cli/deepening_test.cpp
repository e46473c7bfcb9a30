// Programs without end on the command line: bugs near the start, and what is said where nothing is proved.
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class Deepening : public mazurka::testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    // Two bugs: near the start, and a little further. Built once, for all tests of one name.
    write("work.c",
          "#include <assert.h>\n"
          "#include <pthread.h>\n"
          "#include <stdatomic.h>\n"
          "atomic_int x;\n"
          "void *work(void *p) {\n"
          "  for (;;) x++;\n"
          "  return p;\n"
          "}\n"
          "void *look(void *p) {\n"
          "  int seen = x;\n"
          "#ifdef BUGS\n"
          "  assert(seen != 2);\n"
          "  assert(seen != 3);\n"
          "#endif\n"
          "  return p;\n"
          "}\n"
          "int main(void) {\n"
          "  pthread_t a, b;\n"
          "  pthread_create(&a, 0, work, 0);\n"
          "  pthread_create(&b, 0, look, 0);\n"
          "  pthread_join(b, 0);\n"
          "  pthread_join(a, 0);\n"
          "}\n");
    write("create.c",
          "#include <pthread.h>\n"
          "void *t(void *p) { return p; }\n"
          "int main(void) {\n"
          "  pthread_t a;\n"
          "  for (;;)\n"
          "    pthread_create(&a, 0, t, 0);\n"
          "}\n");
  }

  Json json(const std::string& arguments) const {
    const Answer answer = mazurka("check --json " + arguments);
    return Json::parse(answer.out);
  }
};

TEST_F(Deepening, FindsAndSavesABugNearTheStart) {
  const Answer answer = mazurka("check work.c -DBUGS --save bug.mzk");
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("seen != 2"));
  EXPECT_THAT(answer.out, Not(HasSubstr(" times"))) << "it takes two rounds, no more";
  EXPECT_EQ(mazurka("replay bug.mzk").exit_code, 1);
  EXPECT_LT(json("--waiting=explore work.c -DBUGS")["seconds"], 4.5) << "schedules without end are not minimised to";
}

TEST_F(Deepening, FindsEachBugOnce) {
  ASSERT_EQ(mazurka("cc -g -DBUGS work.c -o work").exit_code, 0);
  for (const char* algorithm : {"optimal", "unfolding"}) {
    const Json answer = json(std::string("--keep-going --max-executions 300 ./work --algorithm=") + algorithm);
    EXPECT_EQ(answer["result"], "bug");
    EXPECT_EQ(answer["errors"].size(), 2U) << "in every exploration, but they are two all the same";
    EXPECT_EQ(answer["complete"], false);
    EXPECT_EQ(answer["reach"]["executions"], 300);
    EXPECT_GT(answer["reach"]["explorations"], 3);
  }
}

TEST_F(Deepening, SaysHowFarItCameAndNamesTheLoop) {
  const Answer text = mazurka("check --max-executions 200 work.c");
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_THAT(text.out, HasSubstr("it stopped after 200 executions: raise --max-executions\n"));
  EXPECT_THAT(text.out, HasSubstr("steps per thread was explored: longer ones continue in work.c:6\n    (work)"));
  const Json answer = json("--max-executions 200 work.c");
  const Json& reach = answer["reach"];
  EXPECT_EQ(reach["executions"], 200);
  EXPECT_EQ(reach["cut"][0]["at"], "work.c:6 (work)");
  EXPECT_EQ(reach["cut"][0]["function"], "work");
  EXPECT_EQ(reach["cut"][0]["line"], 6);
  EXPECT_GT(reach["bound"]["steps"], reach["explored"]["steps"]);
}

TEST_F(Deepening, EndsAtTheLimitOfTheUser) {
  const Json answer = json("--max-steps 20 work.c");
  ASSERT_EQ(answer["incomplete"].size(), 1U) << answer;
  EXPECT_EQ(answer["incomplete"][0]["reason"], "max-steps");
  EXPECT_THAT(std::string(answer["incomplete"][0]["advice"]), HasSubstr("bound the loop in work.c:6 (work)"));
  EXPECT_GT(answer["reach"]["explorations"], 3);
}

TEST_F(Deepening, CutsWhereThereWouldBeTooManyThreads) {
  ASSERT_EQ(mazurka("cc -g create.c -o create").exit_code, 0);
  for (const char* algorithm : {"optimal", "unfolding", "naive"}) {
    const Json three = json(std::string("--max-threads 3 ./create --algorithm=") + algorithm);
    ASSERT_EQ(three["incomplete"].size(), 1U) << three;
    EXPECT_EQ(three["incomplete"][0]["reason"], "max-threads");
    EXPECT_THAT(std::string(three["incomplete"][0]["message"]),
                HasSubstr("cut where thread number 4 is created in create.c:6 (main)"));
    EXPECT_EQ(three["reach"]["cut"][0]["creates_thread"], true);
  }
  const Json many = json("./create");
  ASSERT_EQ(many["result"], "incomplete") << many;
  EXPECT_EQ(many["incomplete"][0]["reason"], "threads");
  EXPECT_THAT(std::string(many["incomplete"][0]["message"]), HasSubstr("more than 4,095 different threads"));
}

TEST_F(Deepening, LosesNothingWithAsManyThreadsAsThereAre) {
  write("three.c",
        "#include <pthread.h>\n"
        "#include <stdatomic.h>\n"
        "atomic_int x;\n"
        "void *t(void *p) { x++; return p; }\n"
        "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);\n"
        "  pthread_join(a, 0); pthread_join(b, 0); }\n");
  const Json all = json("three.c");
  const Json three = json("--max-threads 3 three.c");
  EXPECT_EQ(three["result"], "ok");
  EXPECT_EQ(three["executions"], all["executions"]);
  EXPECT_FALSE(three.contains("reach"));
  EXPECT_EQ(json("--max-threads 2 three.c")["result"], "incomplete");
}

}  // namespace
