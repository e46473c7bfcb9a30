// An execution as a person reads it.
#pragma once

#include <string>

#include "core/executor.hpp"

namespace mazurka::report {

/// Headline, one line per step with process and operation, and who waits for what at the end.
std::string text(const Executor& executor, const Execution& execution);

/// The operations that unfinished processes wait for, one line each; empty where nobody waits.
std::string waiting(const Executor& executor, const Execution& execution);

}  // namespace mazurka::report
