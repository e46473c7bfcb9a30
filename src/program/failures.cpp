#include "program/failures.hpp"

#include "program/damage.hpp"

namespace mazurka::program {

CallStack call_stack(const protocol::CallStack& stack) {
  return {stack.sites, stack.sites + checked_count(stack.depth, protocol::kMaxFrames, "a call stack")};
}

namespace {

ProcessIndex checked_process(ProcessIndex process, std::size_t processes) {
  if (process >= processes) throw DamagedSegment{"the threads of a finding"};
  return process;
}

MemoryUse memory_use(const protocol::UseRecord& record, std::size_t processes) {
  return {checked(record.use), record.bytes, checked_process(record.process, processes), call_stack(record.stack)};
}

AllocatedBlock allocated_block(const protocol::Finding& finding, std::size_t processes) {
  if (finding.block == 0) return {};
  return {finding.block, finding.block_bytes, checked_process(finding.block_process, processes),
          call_stack(finding.allocation)};
}

MemoryClash clash(const protocol::Finding& finding, std::size_t processes) {
  return {finding.address, memory_use(finding.now, processes),
          finding.before.use == Use::None ? MemoryUse{} : memory_use(finding.before, processes),
          allocated_block(finding, processes)};
}

ObjectMisuse checked_misuse(const ObjectMisuse& misuse, std::size_t processes) {
  if (misuse.kind > kLastObjectKind || (misuse.holder != kNoProcess && misuse.holder >= processes))
    throw DamagedSegment{"what was misused"};
  if (misuse.kind == ObjectKind::Thread && misuse.object >= processes) throw DamagedSegment{"what was misused"};
  return misuse;
}

BlockedAlone checked_operation(const BlockedAlone& blocked) {
  if (blocked.operation >= OperationKind::Count) throw DamagedSegment{"what blocks"};
  return blocked;
}

}  // namespace

FailureDetail failure_detail(const protocol::Channel& channel, std::size_t processes) {
  switch (channel.error_kind) {
    case FailureKind::DoubleLock:
    case FailureKind::ForeignUnlock:
    case FailureKind::ForeignReceive:
    case FailureKind::DestroyInUse:
    case FailureKind::UseAfterDestroy:
    case FailureKind::DoubleJoin: return checked_misuse(channel.misuse, processes);
    case FailureKind::Blocked: return checked_operation(channel.blocked_alone);
    case FailureKind::Signal: return channel.raised;
    case FailureKind::Abort: return channel.raised.number == 0 ? FailureDetail{} : channel.raised;
    default: break;
  }
  if (checked(channel.finding.now.use) != Use::None && channel.outcome == Outcome::Error)
    return clash(channel.finding, processes);
  if (channel.message[0] != 0) return GivenWords(checked_message(channel));
  return {};
}

LeakedBlocks leaked_blocks(const protocol::Channel& channel, std::size_t processes) {
  LeakedBlocks result{channel.leaked_blocks, allocated_block(channel.finding, processes)};
  if (result.count == 0 || result.first.address == 0) throw DamagedSegment{"the leaked blocks"};
  result.first.address = 0;  // the same leak at another address counts as the same
  return result;
}

}  // namespace mazurka::program
