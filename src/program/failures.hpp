// What a worker tells about a failure, as the records that an execution holds.
#pragma once

#include "core/failure_record.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

/// What a worker says about the failure of its execution.
FailureDetail failure_detail(const protocol::Channel& channel);
LeakedBlocks leaked_blocks(const protocol::Channel& channel);

}  // namespace mazurka::program
