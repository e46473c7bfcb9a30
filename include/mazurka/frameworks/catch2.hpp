// Catch2: a failed CHECK or REQUIRE inside a closure is a bug of the execution; a failed check is a failure of the
// test, an incomplete one skips it where Catch2 can (from 3.3 on) and fails it before.
#pragma once

#if CATCH_VERSION_MAJOR >= 3
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif

namespace mazurka::detail {
namespace {

#if defined(MAZURKA_EXPLORER) && CATCH_VERSION_MAJOR >= 3
class StopAtFailure : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  void assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    if (result.isOk() || mazurka_is_exploring() == 0) return;
    std::ostringstream text;
    text << result.getSourceInfo() << ": " << result.getExpressionInMacro();
    if (result.hasExpandedExpression()) text << "\nwith expansion: " << result.getExpandedExpression();
    if (result.hasMessage()) text << "\n" << result.getMessage();
    mazurka_fail(text.str().c_str());
  }
};
CATCH_REGISTER_LISTENER(StopAtFailure)
#endif

void report_to_catch2(const Exploration& result, const char* file, int line) {
  std::ostringstream text;
  text << file << ":" << line << (result.incomplete() ? ": incomplete\n" : "\n") << result;
  if (result.ok()) SUCCEED(result.report());
#ifdef SKIP
  else if (result.incomplete())
    SKIP(text.str());
#endif
  else
    FAIL_CHECK(text.str());
}

const Framework framework{nullptr, report_to_catch2};

}  // namespace
}  // namespace mazurka::detail
