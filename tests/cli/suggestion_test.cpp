#include "cli/suggestion.hpp"

#include <gtest/gtest.h>

#include "cli/progress.hpp"

namespace mazurka::cli {
namespace {

TEST(Suggestion, IsTheNearestWordIfThatIsNear) {
  const std::vector<std::string> words{"check", "states", "unfold", "cc"};
  EXPECT_EQ(nearest("chekc", words), "check") << "a swap";
  EXPECT_EQ(nearest("state", words), "states") << "a letter is missing";
  EXPECT_EQ(nearest("unffold", words), "unfold") << "a letter too many";
  EXPECT_EQ(nearest("undold", words), "unfold") << "a wrong letter";
  EXPECT_EQ(nearest("wurst", words), std::nullopt);
  EXPECT_EQ(nearest("check", {}), std::nullopt);
}

TEST(ProgressLine, LosesWholePartsToFit) {
  const std::string line = "1,234 executions, 56/s, blocked 0";
  EXPECT_EQ(fitting(line, 0), line) << "the width is not known";
  EXPECT_EQ(fitting(line, line.size() + 1), line);
  EXPECT_EQ(fitting(line, line.size()), "1,234 executions, 56/s") << "the last column stays free";
  EXPECT_EQ(fitting(line, 20), "1,234 executions");
  EXPECT_EQ(fitting(line, 5), "1,23") << "there is nothing better";
}

}  // namespace
}  // namespace mazurka::cli
