#include "core/error.hpp"

#include <gtest/gtest.h>

#include "core/invariant.hpp"

namespace mazurka {
namespace {

TEST(InputError, CarriesFileLineAndColumn) {
  EXPECT_STREQ(InputError({"model.tck", 3, 7}, "unknown process 'p'").what(), "model.tck:3:7: unknown process 'p'");
  EXPECT_STREQ(InputError({"model.tck"}, "is empty").what(), "model.tck: is empty");
}

TEST(Invariant, NamesTheBrokenTheorem) {
  try {
    MZ_INVARIANT(1 == 2, "arithmetic is sound");
    FAIL() << "no exception";
  } catch (const InvariantViolation& violation) {
    EXPECT_NE(std::string(violation.what()).find("arithmetic is sound"), std::string::npos);
  }
}

}  // namespace
}  // namespace mazurka
