// Networks without end on the command line: proved by their states.
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Answer;
using ::testing::HasSubstr;
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
  EXPECT_THAT(text.out, HasSubstr("hashes of 128 bits"));
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
  EXPECT_THAT(text.out, HasSubstr("hashes of 128 bits"));
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
  EXPECT_THAT(optimal.err, HasSubstr("add --algorithm=unfolding"));
  const Answer cache = mazurka("check --algorithm=unfolding --cache 5 lock.tck");
  EXPECT_EQ(cache.exit_code, 2);
  EXPECT_THAT(cache.err, HasSubstr("add --cutoffs"));
  const Answer program = mazurka("check --algorithm=unfolding --cutoffs ends.c");
  EXPECT_EQ(program.exit_code, 2);
  EXPECT_THAT(program.err, HasSubstr("--cutoffs are for networks"));
}

}  // namespace
