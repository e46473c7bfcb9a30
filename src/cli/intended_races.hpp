// Data races that are intended: what a report says of those that were suppressed or annotated, and how to go on
// where one was reported.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "cli/system.hpp"
#include "core/execution.hpp"
#include "core/names.hpp"
#include "report/summary.hpp"

namespace mazurka::cli {

/// Puts those that were found, and suppressions without effect, into the summary and its notes.
void add_intended_races(const System& system, report::Summary& summary);
/// The same for scripts.
void add_intended_races(const report::Summary& summary, nlohmann::ordered_json& answer);

/// What can be done about a data race that is intended; empty for other failures, and where memory is freed.
std::string race_advice(const Names& names, const Execution& race);

}  // namespace mazurka::cli
