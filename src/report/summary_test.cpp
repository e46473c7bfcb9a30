#include "report/summary.hpp"

#include <gtest/gtest.h>

#include "report/canvas.hpp"
#include "report/interleaving.hpp"

namespace mazurka::report {
namespace {

TEST(Summaries, OfADoubtfulBugAreIncomplete) {
  Summary summary;
  summary.result = Result::Bug;
  Story race;
  race.kind = FailureKind::DataRace;
  race.message = "two accesses are not ordered\n  the first";
  summary.errors.push_back(race);
  EXPECT_EQ(headline(summary), "data race: two accesses are not ordered");
  EXPECT_TRUE(reasons(summary).empty());
  summary.result = Result::Incomplete;
  summary.incomplete = {{"unseen", "this may be none", "look at it"}};
  EXPECT_EQ(headline(summary), "incomplete: this may be none");
  EXPECT_EQ(reasons(summary), std::vector<std::string>{"look at it"});
}

TEST(Summaries, GiveEveryReasonAndHowFarTheSearchCame) {
  Summary summary;
  summary.result = Result::Incomplete;
  summary.incomplete = {{"time-limit", "it took long", "wait"}, {"max-steps", "it is long", "cut it"}};
  summary.reach.deepened = true;
  summary.reach.explored = {1504, 1};
  EXPECT_EQ(headline(summary), "incomplete: no bug found, but not every execution was explored");
  EXPECT_EQ(reasons(summary),
            (std::vector<std::string>{
                "it took long: wait", "it is long: cut it",
                "every execution with at most 1,504 steps per thread and at most 1 thread was explored"}));
}

TEST(ForeignObjects, AreThoseThatAFailingAssertionUsesItself) {
  for (const char* object : {"0x5555556470e8", "testing::internal::g_mutex", "the thread-specific keys"})
    EXPECT_TRUE(is_foreign(object)) << object;
  for (const char* object : {"hits", "the state of random()", "keys"}) EXPECT_FALSE(is_foreign(object)) << object;
}

TEST(Wrapped, KeepsWordsTogether) {
  EXPECT_EQ(wrapped("held by 0.1 since step 3", 22), (std::vector<std::string>{"held by 0.1 since", "step 3"}));
  EXPECT_EQ(wrapped("it came step by step 3 times", 16), (std::vector<std::string>{"it came step by", "step 3 times"}));
  EXPECT_EQ(wrapped("load x: 1 -> 2 of y", 9), (std::vector<std::string>{"load x:", "1 -> 2 of", "y"}));
  EXPECT_EQ(wrapped("lock heap[a.c:3 #1] now", 18), (std::vector<std::string>{"lock", "heap[a.c:3 #1] now"}));
}

}  // namespace
}  // namespace mazurka::report
