// Catch2: a failed CHECK or REQUIRE inside a closure fails the execution. A check with a bug fails the test; an
// incomplete check skips it if Catch2 can (3.3 or later), and fails it otherwise.
#pragma once

#ifndef CATCH_VERSION_MAJOR
#include <catch2/catch_version_macros.hpp>
#endif
#if CATCH_VERSION_MAJOR >= 3
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif

namespace mazurka::detail {
namespace {

/// The number of incomplete checks that did not fail their test.
inline unsigned long long skipped_checks() {
#ifdef SKIP
  return incomplete_checks();
#else
  return 0;
#endif
}

#ifdef MAZURKA_EXPLORER
/// Ends the execution at a failed assertion.
inline bool stop_at_failure(const Catch::AssertionResult& result) {
  if (result.isOk() || mazurka_is_exploring() == 0) return false;
  std::ostringstream text;
  text << result.getSourceInfo() << ": " << result.getExpressionInMacro();
  if (result.hasExpandedExpression()) text << "\nwith expansion: " << result.getExpandedExpression();
  if (result.hasMessage()) text << "\n" << result.getMessage();
  mazurka_fail(text.str().c_str());
}

#if CATCH_VERSION_MAJOR >= 3
struct StopAtFailure : Catch::EventListenerBase {
  using EventListenerBase::EventListenerBase;
  void assertionEnded(const Catch::AssertionStats& stats) override { stop_at_failure(stats.assertionResult); }
  void testRunEnded(const Catch::TestRunStats& stats) override {
    conclude_incomplete(stats.totals.assertions.failed + skipped_checks());
  }
};
const Catch::ListenerRegistrar<StopAtFailure> listener("mazurka");
#elif defined(CATCH_CONFIG_MAIN) || defined(CATCH_CONFIG_RUNNER) || defined(CATCH_CONFIG_EXTERNAL_INTERFACES)
struct StopAtFailure : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  bool assertionEnded(const Catch::AssertionStats& stats) override { return stop_at_failure(stats.assertionResult); }
  void testRunEnded(const Catch::TestRunStats& stats) override {
    conclude_incomplete(stats.totals.assertions.failed + skipped_checks());
    TestEventListenerBase::testRunEnded(stats);
  }
};
const Catch::ListenerRegistrar<StopAtFailure> listener;
#else
// Otherwise a failed CHECK inside a closure would go unnoticed.
#error "define CATCH_CONFIG_EXTERNAL_INTERFACES before <catch2/catch.hpp>, which Mazurka needs to see assertions fail"
#endif
#endif

void report_to_catch2(const Exploration& result, const char* file, int line) {
  std::ostringstream text;
  text << file << ":" << line << (result.incomplete() ? ": incomplete\n" : "\n") << result;
  if (result.incomplete()) ++incomplete_checks();
  if (result.ok()) SUCCEED(result.report());
#ifdef SKIP
  else if (result.incomplete())
    SKIP(text.str());
#endif
  else
    FAIL_CHECK(text.str());
}

const Framework framework{nullptr, report_to_catch2, false};

}  // namespace
}  // namespace mazurka::detail
