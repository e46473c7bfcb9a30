// Code of the C++ library that asks for the time because of a wait: when the wait shall end, and whether it is over.
// The explorer knows from debug information where it lies (Channel::timed_code).
#pragma once

#include "program/protocol.hpp"

namespace mazurka::runtime {

/// What a call that returns to `caller` wants to know when it asks for the time.
protocol::TimeQuestion question_at(const void* caller);

}  // namespace mazurka::runtime
