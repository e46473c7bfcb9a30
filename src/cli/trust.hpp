// What code that is not seen means for a result: an `ok` that does not cover it is none, unless the user trusts it.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "program/unseen.hpp"
#include "report/summary.hpp"

namespace mazurka::cli {

/// `asm`: inline assembly and intrinsics; `objects`: code without instrumentation.
struct TrustOptions {
  std::vector<std::string> classes;
};

void add_trust_option(CLI::App& command, TrustOptions& options);

/// Adds what is not seen to a summary, with notes for people, and takes an `ok` back that does not hold.
void add_unseen(const program::UnseenCode& code, const TrustOptions& options, report::Summary& summary);

/// The keys `unseen` and `uninstrumented`.
void add_unseen(const report::Summary& summary, nlohmann::ordered_json& answer);

}  // namespace mazurka::cli
