// Code of the C++ library that reads the clock for a timed wait: to compute the deadline, or to check whether it has
// passed. The explorer finds it in debug information (Channel::timed_code).
#pragma once

#include "program/protocol.hpp"

namespace mazurka::runtime {

/// Why the code that `caller` returns to reads the clock.
protocol::TimeQuestion question_at(const void* caller);

}  // namespace mazurka::runtime
