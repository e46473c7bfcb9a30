#include "core/failure_kind.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(FailureKind, HasOneNameEach) {
  EXPECT_EQ(std::string(name(FailureKind::None)), "");
  std::set<std::string> names;
  for (int kind = 1; kind <= static_cast<int>(FailureKind::Snapshot); ++kind) {
    const std::string word = name(static_cast<FailureKind>(kind));
    EXPECT_NE(word, "") << kind;
    EXPECT_TRUE(names.insert(word).second) << word;
  }
  EXPECT_EQ(std::string(name(static_cast<FailureKind>(255))), "") << "what a damaged segment holds";
}

}  // namespace
}  // namespace mazurka
