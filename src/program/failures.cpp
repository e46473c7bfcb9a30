#include "program/failures.hpp"

namespace mazurka::program {
namespace {

CallStack call_stack(const protocol::CallStack& stack) { return {stack.sites, stack.sites + stack.depth}; }

MemoryUse memory_use(const protocol::UseRecord& record) {
  return {record.use, record.bytes, record.process, call_stack(record.stack)};
}

AllocatedBlock allocated_block(const protocol::Finding& finding) {
  if (finding.block == 0) return {};
  return {finding.block, finding.block_bytes, finding.block_process, call_stack(finding.allocation)};
}

}  // namespace

MemoryClash clash(const protocol::Finding& finding) {
  return {finding.address, memory_use(finding.now),
          finding.before.use == Use::None ? MemoryUse{} : memory_use(finding.before), allocated_block(finding)};
}

LeakedBlocks leaked_blocks(const protocol::Channel& channel) {
  LeakedBlocks result{channel.leaked_blocks, allocated_block(channel.finding)};
  result.first.address = 0;  // one that lies elsewhere is the same leak
  return result;
}

}  // namespace mazurka::program
