// The result as SARIF 2.1.0 (OASIS), which code hosts and editors show beside the code: one result for each error, with
// a code flow in which every thread has a thread flow; `executionOrder` joins them to one interleaving.
#pragma once

#include <nlohmann/json.hpp>

#include "report/summary.hpp"

namespace mazurka::report {

/// Files below `root`, an absolute path, are named relative to it.
nlohmann::ordered_json sarif(const Summary& summary, const std::string& root);

}  // namespace mazurka::report
