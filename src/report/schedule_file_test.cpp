#include "report/schedule_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace mazurka::report {
namespace {

const std::string kSchedule =
    "mazurka-schedule 3\nsystem s.tck\nfolder /tmp\nhash 1f\nargument a b\noption plain=check\nerror deadlock\n"
    "step 0 p take (fork)\nend\n";
const std::string kPrinted =
    "mazurka-schedule 3\nsystem s.c\nfolder /tmp\nhash 1f\nerror signal\noutput 0 a \\\\ b\\n\nstep 0 0 create 0.1\n"
    "output 0.1 c\noutput 0 d\nend\n";

std::string error_of_schedule(const std::string& text) {
  try {
    read_schedule(text, "x.mzk");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string schedule_with(const std::string& before, const std::string& after) {
  std::string text = kSchedule;
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

TEST(ScheduleFile, IsReadBackAndWrittenIdentically) {
  EXPECT_EQ(write_schedule(read_schedule(kSchedule, "x.mzk")), kSchedule);
  EXPECT_EQ(write_schedule(read_schedule(kPrinted, "x.mzk")), kPrinted);
  using Outputs = std::vector<ScheduleFile::Output>;
  EXPECT_EQ(read_schedule(kPrinted, "x.mzk").outputs, (Outputs{{0, "0", "a \\ b\n"}, {1, "0.1", "c"}, {1, "0", "d"}}));
}

TEST(ScheduleFile, NothingIsDroppedUnnoticed) {
  const std::pair<std::string, std::string> cases[] = {
      {schedule_with("schedule 3", "schedule 3 more"), "x.mzk:1:1: unexpected text 'more' after the version"},
      {schedule_with("folder", "colour red\nfolder"), "x.mzk:3:1: unknown item 'colour'"},
      {schedule_with("folder", "system t.tck\nfolder"), "x.mzk:3:1: a second item 'system'"},
      {schedule_with("error", "error race\nerror"), "x.mzk:8:1: a second item 'error'"},
      {schedule_with("hash 1f\n", ""), "x.mzk:8:1: the item 'hash' is missing"},
      {schedule_with("end", "end 3"), "x.mzk:9:1: unexpected text after 'end'"},
      {kSchedule + "step 0 q drop\n", "x.mzk:10:1: unexpected text after the 'end' line; one file holds one schedule"},
      {schedule_with("end\n", ""), "x.mzk:9:1: the file ends without its 'end' line: it was truncated"},
      {schedule_with("end\n", "output\nend\n"), "x.mzk:9:1: an output is 'output PROCESS TEXT'"},
      {schedule_with("step 0", "step one"), "x.mzk:8:1: 'one' should be a number"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of_schedule(text), message);
  EXPECT_EQ(error_of_schedule(kSchedule + "\n"), "no error");
}

}  // namespace
}  // namespace mazurka::report
