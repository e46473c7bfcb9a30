// `mpirun -n N mazurka check`: the same answer as without ranks, whatever happens to them; or a refusal by name.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class MpiRanks : public mazurka::testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    ASSERT_EQ(mazurka("gen mpat 4 > mpat.tck").exit_code, 0);
    write("nested.c", R"(#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x;
static void* leaf(void* unused) { x++; return unused; }
static void* middle(void* unused) {
  pthread_t thread;
  if (x++ == 1) { pthread_create(&thread, 0, leaf, 0); pthread_join(thread, 0); }
  pthread_create(&thread, 0, leaf, 0);
  pthread_join(thread, 0);
  return unused;
}
int main(int argc, char** argv) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, middle, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(argc == 1 || x == 5);
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
    for (const char* const name : {"nested", "waits"})
      ASSERT_EQ(mazurka(fmt::format("cc -g {0}.c -o {0}", name)).exit_code, 0);
  }

  /// Without a search for leaks by AddressSanitizer: Open MPI leaks.
  static std::string ranks(unsigned count) {
    return fmt::format("</dev/null ASAN_OPTIONS=detect_leaks=0 {} --allow-run-as-root --oversubscribe -n {} {} ",
                       MAZURKA_MPIRUN, count, MAZURKA_BINARY);
  }
  Json check(const std::string& arguments) const { return Json::parse(mazurka("check --json " + arguments).out); }
  Json check_in(unsigned count, const std::string& arguments) const {
    const Answer answer = shell(ranks(count) + "check --json " + arguments);
    const Json json = Json::parse(answer.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << arguments << answer.out << answer.err;
    return json;
  }
  /// What must not depend on the number of explorers.
  static Json counts(const Json& answer) {
    Json same;
    for (const char* key : {"result", "complete", "executions", "cut", "events", "failed_executions", "warnings"})
      same[key] = answer[key];
    for (const Json& error : answer["errors"]) same["kinds"].push_back(error["kind"]);
    return same;
  }
};

#if MAZURKA_HAS_MPI

TEST_F(MpiRanks, ChangeNoCount) {
  for (const std::string& how :
       {std::string("mpat.tck"), std::string("--algorithm=source ./nested"), std::string("./nested"),
        std::string("--algorithm=observers ./waits"), std::string("./waits")}) {
    const Json one = check(how);
    EXPECT_EQ(one["result"], "ok") << how;
    EXPECT_EQ(counts(check_in(4, how)), counts(one)) << how;
  }
}

TEST_F(MpiRanks, FindTheSameBugs) {
  const Json one = check("--keep-going ./nested -- x");
  const Json several = check_in(4, "--keep-going --save bug.mzk ./nested -- x");
  EXPECT_EQ(several["result"], "bug");
  ASSERT_EQ(several["errors"].size(), one["errors"].size());
  EXPECT_EQ(several["errors"][0]["kind"], "assertion");
  EXPECT_EQ(mazurka("replay bug.mzk").exit_code, 1);
  EXPECT_EQ(check_in(3, "./nested -- x")["result"], "bug");
}

TEST_F(MpiRanks, GoOnFromACheckpointOfAnotherNumberOfRanks) {
  ASSERT_EQ(mazurka("gen mpat 7 > large.tck").exit_code, 0);
  const Answer stopped = shell(ranks(3) + "check --checkpoint c --time-limit 1 large.tck");
  EXPECT_THAT(stopped.out, HasSubstr("--resume c")) << stopped.err;
  const Json resumed = check_in(2, "--resume c --time-limit 1 large.tck");
  EXPECT_EQ(resumed["result"], "incomplete");
  EXPECT_GT(resumed["executions"], 0);
  // A program, kept after nearly every execution, and resumed where it was nearly at its end.
  const Json one = check("./nested");
  EXPECT_EQ(counts(check_in(3, "--checkpoint p --checkpoint-every 1e-6 ./nested")), counts(one));
  ASSERT_TRUE(std::filesystem::exists(folder_ / "p"));
  EXPECT_EQ(counts(check_in(2, "--resume p ./nested")), counts(one));
}

TEST_F(MpiRanks, LeaveACheckpointWhenOneIsKilled) {
  ASSERT_EQ(mazurka("gen mpat 7 > large.tck").exit_code, 0);
  // Rank 2 is killed as soon as there is a checkpoint.
  write("rank", "#!/bin/sh\n[ \"$OMPI_COMM_WORLD_RANK\" = 2 ] && echo $$ >victim\nexec " MAZURKA_BINARY
                " check --checkpoint c --checkpoint-every 0.01 large.tck\n");
  const Answer killed =
      shell(fmt::format("chmod +x rank; {} --allow-run-as-root --oversubscribe -n 4 ./rank & "
                        "while [ ! -e c ] || [ ! -e victim ]; do sleep 0.05; done; kill -s KILL $(cat victim); wait $!",
                        MAZURKA_MPIRUN));
  EXPECT_NE(killed.exit_code, 0);
  EXPECT_THAT(killed.err, HasSubstr("exited on signal 9"));
  const Json resumed = check_in(2, "--resume c --time-limit 1 large.tck");
  EXPECT_EQ(resumed["result"], "incomplete") << killed.err;
  EXPECT_GT(resumed["executions"], 0);
}

TEST_F(MpiRanks, RefuseWhatTheyCannotDo) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"-j 2 mpat.tck", "start more ranks"},
      {"--algorithm=unfolding mpat.tck", "several ranks are for"},
      {"--context-switches 3 mpat.tck", "--context-switches"},
      {"nested.c", "is a source"},
      {"nowhere.tck", "nowhere.tck"},
      {"--no-such-option mpat.tck", "--no-such-option"},
  };
  for (const auto& [arguments, why] : refused) {
    const Answer answer = shell(ranks(3) + "check " + arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    const std::size_t first = answer.err.find(why);
    EXPECT_NE(first, std::string::npos) << arguments << answer.err;
    EXPECT_EQ(answer.out, "");
  }
}

#endif

TEST_F(MpiRanks, AreRefusedWithoutMpi) {
  // As mpirun starts them, but with a runtime in a folder without the library for MPI.
  const Answer answer = shell("mkdir without; OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 MAZURKA_RUNTIME=without " +
                              std::string(MAZURKA_BINARY) + " check mpat.tck");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.err, HasSubstr("was started as 4 ranks, but this mazurka was built without MPI"));
  const Answer silent = shell("OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=1 MAZURKA_RUNTIME=without " +
                              std::string(MAZURKA_BINARY) + " check mpat.tck");
  EXPECT_EQ(silent.exit_code, 2);
  EXPECT_EQ(silent.out + silent.err, "");
}

}  // namespace
