// GoogleTest: a failed EXPECT inside a closure fails the execution. A check with a bug fails the test; an incomplete
// check skips it.
#pragma once

namespace mazurka::detail {
namespace {

#ifdef MAZURKA_EXPLORER
class StopAtFailure : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (!part.failed() || mazurka_is_exploring() == 0) return;
    std::ostringstream text;
    text << (part.file_name() == nullptr ? "" : part.file_name()) << ":" << part.line_number() << ": "
         << part.message();
    mazurka_fail(text.str().c_str());
  }
};

void prepare_googletest() { ::testing::UnitTest::GetInstance()->listeners().Append(new StopAtFailure); }
#else
void prepare_googletest() {}
#endif

void report_to_googletest(const Exploration& result, const char* file, int line) {
  if (result.incomplete())
    GTEST_MESSAGE_AT_(file, line, "incomplete\n", ::testing::TestPartResult::kSkip) << result;
  else if (!result.ok())
    ADD_FAILURE_AT(file, line) << result;
  else
    std::printf("%s", result.report().c_str());
}

/// GoogleTest has its own variables for shards.
bool share_out_tests() {
  for (const char* name : {"TOTAL_SHARDS", "SHARD_INDEX", "SHARD_STATUS_FILE"})
    if (const char* value = std::getenv((std::string("TEST_") + name).c_str()))
      setenv((std::string("GTEST_") + name).c_str(), value, 0);
  return true;
}

const Framework framework{prepare_googletest, report_to_googletest, share_out_tests()};

}  // namespace
}  // namespace mazurka::detail
