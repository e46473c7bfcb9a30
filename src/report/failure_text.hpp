// Failures and warnings in words. All reports take them from here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/execution.hpp"
#include "core/names.hpp"
#include "core/warnings.hpp"

namespace mazurka::report {

/// What is wrong with an execution. The first line is the headline; of memory errors each use follows with the calls
/// that led to it, then the block of the heap.
std::string failure_text(const Names& names, const Execution& execution);

/// The innermost call of a stack that is neither in a system header nor of the runtime; if there is none, the
/// innermost.
std::uint64_t innermost_own(const Names& names, const CallStack& stack);

/// What is dubious about an execution.
std::vector<std::string> warning_texts(const Names& names, const Execution& execution);
/// What was dubious in any execution, in the order of the texts, and in how many.
std::vector<std::pair<std::string, std::uint64_t>> warning_texts(const Names& names, const WarningCounts& counts);

}  // namespace mazurka::report
