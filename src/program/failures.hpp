// What a worker tells about a failure, as the records that an execution holds.
#pragma once

#include <cstddef>

#include "core/failure_record.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

// Of a program with `processes` processes. Both throw DamagedSegment.

/// What a worker says about the failure of its execution.
FailureDetail failure_detail(const protocol::Channel& channel, std::size_t processes);
LeakedBlocks leaked_blocks(const protocol::Channel& channel, std::size_t processes);

/// Throws DamagedSegment.
CallStack call_stack(const protocol::CallStack& stack);

}  // namespace mazurka::program
