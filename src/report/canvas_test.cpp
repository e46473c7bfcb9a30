#include "report/canvas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mazurka::report {
namespace {

using ::testing::ElementsAre;

TEST(Canvas, CountsTheColumnsOfATerminal) {
  EXPECT_EQ(columns("ab"), 2U);
  EXPECT_EQ(columns("\u00e9\u2502\u2026"), 3U);
  EXPECT_EQ(columns("\u6570\uff01"), 4U) << "wide characters";
  EXPECT_EQ(columns("\U0001F600"), 2U) << "an emoji";
  EXPECT_EQ(columns("e\u0301"), 1U) << "an accent of its own";
  EXPECT_EQ(columns(std::string(50, '\x80')), 1U) << "not UTF-8";
}

TEST(Canvas, CutsNoWideCharacterInTwo) {
  const Style style;
  EXPECT_EQ(shortened("\u6570\u6570\u6570", 6, style), "\u6570\u6570\u6570");
  EXPECT_EQ(shortened("\u6570\u6570\u6570", 5, style), "\u6570\u6570\u2026");
  EXPECT_EQ(shortened("\u6570\u6570\u6570", 4, style), "\u6570\u2026");
  EXPECT_THAT(wrapped("\u6570\u6570\u6570", 5), ElementsAre("\u6570\u6570", "\u6570"));
  EXPECT_THAT(wrapped("a \u6570\u6570 b", 6), ElementsAre("a \u6570\u6570", "b"));
}

TEST(Canvas, PutsTextBehindWideCharacters) {
  CanvasLine line;
  line.put(0, "\u6570e\u0301", Colour::Plain);
  line.put(4, "x", Colour::Plain);
  EXPECT_EQ(line.text(Style{}), "\u6570e\u0301 x");
}

}  // namespace
}  // namespace mazurka::report
