// A check that is stopped, however that happens, goes on from its checkpoint: in the end everything was explored, and
// nothing counted twice.
#include <cmath>
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

class Checkpoints : public mazurka::testing::CommandLine {
 protected:
  static constexpr int kExecutions = 3840;  // of mpat(5)

  void SetUp() override {
    CommandLine::SetUp();
    ASSERT_EQ(mazurka("gen mpat 5 > mpat.tck").exit_code, 0);
    write("counts.c", R"(#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
#include <mazurka/mazurka.h>
static atomic_int x, y, worst;
static void* work(void* unused) {
  mazurka_atomic_begin();
  x++;
  mazurka_atomic_end();
  const int seen = x;
  y = seen;
  if (y == 1) worst++;
  return unused;
}
int main(int argc, char** argv) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  if (argc > 1) assert(worst < atoi(argv[1]));
  malloc(3);
})");
    ASSERT_EQ(mazurka("cc -g counts.c -o counts").exit_code, 0);
  }

  /// Kills it again and again, each time a while after it wrote a checkpoint, until it comes to its end. The first
  /// rounds write a checkpoint after each execution and are killed after their first one, long before the last.
  Json in_pieces(const std::string& arguments) const {
    constexpr int kKills = 3;
    for (int round = 0;; ++round) {
      const std::string resume = std::filesystem::exists(folder_ / "c") ? " --resume c" : "";
      const std::string search =
          fmt::format("{} check --json --checkpoint c --checkpoint-every {} -j {}{} {}", MAZURKA_BINARY,
                      round < kKills ? 1e-6 : 0.02, 1 + round % 3, resume, arguments);
      const double later = round < kKills ? 0 : 0.1 * std::pow(1.3, round);
      const Answer answer =
          shell(fmt::format("before=$(stat -c %i-%z c); {} & "
                            "while [ \"$(stat -c %i-%z c)\" = \"$before\" ] && [ -e /proc/$!/exe ]; do :; done; "
                            "sleep {}; kill -s KILL $!; wait $!",
                            search, later));
      if (answer.exit_code != 137) {
        EXPECT_GT(round, 0) << "it was to be killed";
        return Json::parse(answer.out);
      }
    }
  }
};

TEST_F(Checkpoints, OfNetworksSurviveAKill) {
  for (const char* const algorithm : {"optimal", "source", "observers"}) {
    const Json answer = in_pieces(fmt::format("mpat.tck --algorithm={}", algorithm));
    EXPECT_EQ(answer["result"], "ok");
    EXPECT_EQ(answer["executions"], kExecutions);
    std::filesystem::remove(folder_ / "c");
  }
}

TEST_F(Checkpoints, OfProgramsSurviveAKill) {
  const Json one = Json::parse(mazurka("check --json ./counts").out);
  const Json answer = in_pieces("./counts");
  for (const char* const key : {"result", "executions", "blocked", "cut", "events", "warnings"})
    EXPECT_EQ(answer[key], one[key]) << key;
}

TEST_F(Checkpoints, RememberBugs) {
  const Json one = Json::parse(mazurka("check --json --keep-going ./counts -- 3").out);
  EXPECT_EQ(one["result"], "bug");
  const Json answer = in_pieces("--keep-going ./counts -- 3");
  EXPECT_EQ(answer["result"], "bug");
  ASSERT_EQ(answer["errors"].size(), one["errors"].size());
  EXPECT_EQ(answer["errors"][0]["kind"], one["errors"][0]["kind"]);
}

TEST_F(Checkpoints, AreWrittenWhenTheSearchIsStopped) {
  ASSERT_EQ(mazurka("gen mpat 7 > large.tck").exit_code, 0);
  const std::string search = fmt::format("{} check -j 2 --checkpoint c large.tck", MAZURKA_BINARY);
  // A signal is sent once the search is under way, which its first checkpoint shows. Job control, since the shell
  // would have SIGINT ignored otherwise.
  const std::string until_signal =
      "set -m; " + search + " --checkpoint-every 0.01 & while [ ! -e c ]; do sleep 0.01; done; kill -s {} $!; wait $!";
  for (const std::string& command : {fmt::format(fmt::runtime(until_signal), "INT"),
                                     fmt::format(fmt::runtime(until_signal), "TERM"), search + " --time-limit 1"}) {
    const Answer stopped = shell(command);
    EXPECT_EQ(stopped.exit_code, 3) << command << stopped.err;
    EXPECT_THAT(stopped.out, HasSubstr("--resume c")) << command;
    const Json resumed = Json::parse(mazurka("check --json --resume c --time-limit 1 large.tck").out);
    EXPECT_EQ(resumed["result"], "incomplete");
    EXPECT_GT(resumed["executions"], 0);
    std::filesystem::remove(folder_ / "c");
  }
}

TEST_F(Checkpoints, AreOfOneSystemAndItsOptions) {
  ASSERT_EQ(mazurka("check --checkpoint c --checkpoint-every 0.01 mpat.tck").exit_code, 0);
  ASSERT_TRUE(std::filesystem::exists(folder_ / "c"));
  EXPECT_EQ(mazurka("check --resume c -j 3 mpat.tck").exit_code, 0);
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Answer answer = mazurka("check " + arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(why)) << arguments;
  };
  ASSERT_EQ(mazurka("gen mpat 3 > other.tck").exit_code, 0);
  refused("--resume c other.tck", "another system");
  refused("--resume c --algorithm=source mpat.tck", "algorithm=optimal");
  refused("--resume c --keep-going mpat.tck", "keep-going=no");
  refused("--resume mpat.tck mpat.tck", "is not a checkpoint");
  refused("--resume nowhere mpat.tck", "nowhere");
  refused("--resume c counts.c", "is a source");
  refused("--checkpoint c --algorithm=unfolding mpat.tck", "optimal, source or observers");
  ASSERT_EQ(shell("head -c -20 c > short; sed '1s/checkpoint 1/checkpoint 9/' c > newer").exit_code, 0);
  refused("--resume short mpat.tck", "is damaged");
  refused("--resume newer mpat.tck", "another version");
}

}  // namespace
