// Converts a worker's description of a failure into the records of an execution.
#pragma once

#include <cstddef>

#include "core/failure_record.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

// Both throw DamagedSegment. The program has `processes` processes.

/// The worker's description of its execution's failure.
FailureDetail failure_detail(const protocol::Channel& channel, std::size_t processes);
LeakedBlocks leaked_blocks(const protocol::Channel& channel, std::size_t processes);

/// Throws DamagedSegment.
CallStack call_stack(const protocol::CallStack& stack);

}  // namespace mazurka::program
