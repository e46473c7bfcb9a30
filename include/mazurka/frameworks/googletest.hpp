// GoogleTest: a failed EXPECT inside a closure is a bug of the execution; a failed check is a failure of the test, an
// incomplete one skips it.
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
  else if (::testing::Test::HasFailure() || ::testing::UnitTest::GetInstance()->current_test_info() == nullptr)
    return;
  else
    std::printf("%s", result.report().c_str());
}

const Framework framework{prepare_googletest, report_to_googletest};

}  // namespace
}  // namespace mazurka::detail
