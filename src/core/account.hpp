// What every explorer does with an execution: count it, and hand errors to the listener.
#pragma once

#include "core/listener.hpp"

namespace mazurka {

/// Returns false where the exploration must stop.
bool account(const Execution& execution, std::uint64_t number, Statistics& statistics, Listener& listener);

}  // namespace mazurka
