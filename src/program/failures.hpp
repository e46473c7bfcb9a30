// What a worker tells about a failure, as the records that an execution holds.
#pragma once

#include "core/failure_record.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

MemoryClash clash(const protocol::Finding& finding);
LeakedBlocks leaked_blocks(const protocol::Channel& channel);

}  // namespace mazurka::program
