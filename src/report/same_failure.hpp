// Which failures are the same. Two sites are the same place if they are in one line of one function: a loop that was
// unrolled, or a function that was inlined twice, does not fail in several ways.
#pragma once

#include "core/execution.hpp"
#include "core/names.hpp"

namespace mazurka::report {

/// The same error: kind, detail and, where nothing can move, what everybody waits for.
bool same_failure(const Names& names, const Execution& a, const Execution& b);

/// The same bug, in another interleaving perhaps: of what everybody waits for, only what can be told apart by name
/// counts.
bool same_bug(const Names& names, const Execution& a, const Execution& b);

}  // namespace mazurka::report
