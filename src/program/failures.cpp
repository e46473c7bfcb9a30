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

MemoryClash clash(const protocol::Finding& finding) {
  return {finding.address, memory_use(finding.now),
          finding.before.use == Use::None ? MemoryUse{} : memory_use(finding.before), allocated_block(finding)};
}

}  // namespace

FailureDetail failure_detail(const protocol::Channel& channel) {
  switch (channel.error_kind) {
    case FailureKind::DoubleLock:
    case FailureKind::ForeignUnlock:
    case FailureKind::DestroyInUse:
    case FailureKind::UseAfterDestroy: return channel.misuse;
    case FailureKind::Blocked: return channel.blocked_alone;
    case FailureKind::Signal: return channel.raised;
    case FailureKind::Abort: return channel.raised.number == 0 ? FailureDetail{} : channel.raised;
    default: break;
  }
  if (channel.finding.now.use != Use::None && channel.outcome == Outcome::Error) return clash(channel.finding);
  if (channel.message[0] != 0) return GivenWords(channel.message);
  return {};
}

LeakedBlocks leaked_blocks(const protocol::Channel& channel) {
  LeakedBlocks result{channel.leaked_blocks, allocated_block(channel.finding)};
  result.first.address = 0;  // one that lies elsewhere is the same leak
  return result;
}

}  // namespace mazurka::program
