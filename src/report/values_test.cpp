#include "report/values.hpp"

#include <gtest/gtest.h>

namespace mazurka::report {
namespace {

using enum OperationKind;

class NoNames final : public Names {
 public:
  std::string process_name(ProcessIndex) const override { return ""; }
  ProcessIndex process_named(std::string_view) const override { return kNoProcess; }
  std::string describe(const Operation&, const std::vector<HeapBlock>&) const override { return ""; }
  std::string object(const Operation&, const std::vector<HeapBlock>&) const override { return ""; }
};

Values of(OperationKind kind, std::uint64_t found, std::uint64_t written, std::uint8_t flags = 0,
          std::uint8_t size = 4) {
  Event event;
  event.operation.kind = kind;
  event.operation.flags = flags;
  event.operation.size = size;
  event.value = found;
  event.written = written;
  return values_of(NoNames(), event, {});
}

TEST(Values, SayWhatWasFoundAndWritten) {
  EXPECT_EQ(of(Load, 3, 0).text, "3");
  EXPECT_EQ(of(Store, 3, 4).text, "4");
  EXPECT_FALSE(of(Store, 3, 4).found) << "what a store overwrites may be rubbish";
  EXPECT_EQ(of(ReadModifyWrite, 3, 4).text, "3 -> 4");
  EXPECT_EQ(of(CompareExchange, 0, 1).text, "0 -> 1");
  const Values failed = of(CompareExchange, 1, 0, kFailed);
  EXPECT_EQ(failed.text, "found 1, expected 0");
  EXPECT_EQ(failed.expected, 0U);
  EXPECT_FALSE(failed.wrote);
  EXPECT_EQ(of(FutexWait, 1, 0, kFailed).text, "found 1, expected 0");
  EXPECT_EQ(of(FutexWait, 1, 1).text, "1");
}

TEST(Values, HaveTheSignOfTheirSize) {
  EXPECT_EQ(of(Load, 0xffffffff, 0).text, "-1");
  EXPECT_EQ(of(Load, 0xff, 0).text, "255");
  EXPECT_EQ(of(Load, 0xff, 0, 0, 1).text, "-1");
  EXPECT_EQ(of(Load, UINT64_MAX, 0, 0, 8).text, "-1");
}

TEST(Values, AreLeftOutWhereTheyAreNotKnown) {
  EXPECT_EQ(of(Store, 0, 0, kPlain).text, "");
  EXPECT_EQ(of(Load, 7, 0, kPlain).text, "7");
  EXPECT_EQ(of(Load, 7, 0, 0, 16).text, "");
  EXPECT_EQ(of(MutexLock, 0, 0).text, "");
}

}  // namespace
}  // namespace mazurka::report
