// What every explorer does with an execution: count it in the statistics, and report a failure to the listener.
#pragma once

#include "core/listener.hpp"

namespace mazurka {

/// Records the outcome of execution `number` (from 0). Returns false if the listener asked to stop the exploration.
bool record_outcome(const Execution& execution, std::uint64_t number, Statistics& statistics, Listener& listener);

}  // namespace mazurka
