// Data races that are intended: what the verdict says of those that were suppressed or annotated, and how to go on
// where one was reported.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "cli/system.hpp"
#include "core/execution.hpp"
#include "core/names.hpp"
#include "report/verdict.hpp"

namespace mazurka::cli {

/// Puts those that were found, and suppressions without effect, into the verdict and its notes.
void add_intended_races(const System& system, report::Verdict& verdict);
/// The same for scripts.
void add_intended_races(const report::Verdict& verdict, nlohmann::ordered_json& answer);

/// What can be done about a data race that is intended; empty for other failures, and where memory is freed.
std::string race_advice(const Names& names, const Execution& race);

}  // namespace mazurka::cli
