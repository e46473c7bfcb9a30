// Properties over random systems, for GoogleTest: a number of cases that does not depend on RapidCheck's defaults and
// can be scaled by MAZURKA_TEST_SCALE (percent), for slow builds and for long runs.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

#include <rapidcheck.h>

namespace mazurka::testing {

inline int property_cases(int cases) {
  const char* scale = std::getenv("MAZURKA_TEST_SCALE");
  return scale == nullptr ? cases : std::max(1, cases * std::atoi(scale) / 100);
}

/// Checks `body`, whose parameters are generated, on `cases` cases of growing size; prints the shrunk counterexample.
template <typename Body>
bool property_exactly(const std::string& description, int cases, Body&& body) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = cases;
  rc::detail::TestMetadata metadata;
  metadata.id = description;
  metadata.description = description;
  const auto result = rc::detail::checkTestable(std::forward<Body>(body), metadata, params);
  if (result.template is<rc::detail::SuccessResult>()) return true;
  rc::detail::printResultMessage(result, std::cerr);
  std::cerr << std::endl;
  return false;
}

/// The same, the number of cases being scaled.
template <typename Body>
bool property(const std::string& description, int cases, Body&& body) {
  return property_exactly(description, property_cases(cases), std::forward<Body>(body));
}

}  // namespace mazurka::testing
