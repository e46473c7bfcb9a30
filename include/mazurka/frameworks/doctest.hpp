// doctest: a failed CHECK or REQUIRE inside a closure fails the execution. A check with a bug fails the test. doctest
// cannot skip a running test, so an incomplete check fails it too, with a message that says so.
#pragma once

namespace mazurka::detail {
namespace {

#ifdef MAZURKA_EXPLORER
struct StopAtFailure : public doctest::IReporter {
  explicit StopAtFailure(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    // A test that throws has failed as well, but without a failed assertion.
    conclude_incomplete(static_cast<unsigned long long>(stats.numAssertsFailed) + exceptions_);
  }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override { ++exceptions_; }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& data) override {
    if (!data.m_failed || mazurka_is_exploring() == 0) return;
    std::ostringstream text;
    text << data.m_file << ":" << data.m_line << ": " << data.m_expr << "\nwith expansion: " << data.m_decomp.c_str();
    mazurka_fail(text.str().c_str());
  }
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  unsigned long long exceptions_ = 0;
};
DOCTEST_REGISTER_LISTENER("mazurka", 1, StopAtFailure);
#endif

void report_to_doctest(const Exploration& result, const char* file, int line) {
  if (result.ok()) {
    DOCTEST_MESSAGE(result.report());
    return;
  }
  std::ostringstream text;
  if (result.incomplete()) ++incomplete_checks();
  text << (result.incomplete() ? "incomplete\n" : "\n") << result;
  DOCTEST_ADD_FAIL_CHECK_AT(file, line, text.str());
}

const Framework framework{nullptr, report_to_doctest, false};

}  // namespace
}  // namespace mazurka::detail
