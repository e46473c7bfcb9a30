#include "runtime/detector/findings.hpp"

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

Use use_of(Touch touch) {
  switch (touch) {
    case Touch::AtomicRead: return Use::AtomicRead;
    case Touch::AtomicWrite: return Use::AtomicWrite;
    case Touch::Read: return Use::Read;
    case Touch::Write: return Use::Write;
    case Touch::Freed: return Use::Free;
    default: return Use::None;
  }
}

void add_frame(protocol::CallStack& stack, std::uint64_t address) {
  if (image.has_code(address) && stack.depth < protocol::kMaxFrames) stack.sites[stack.depth++] = address - image.base;
}

/// Captures the call stack of the running thread with `place` as its innermost address; frames of libraries are
/// skipped.
void take_stack(protocol::CallStack& stack, const void* place) {
  stack.depth = 0;
  const auto innermost = reinterpret_cast<std::uint64_t>(place);
  if (image.has_code(innermost)) {
    add_frame(stack, innermost);
  } else {
    // The nearest word above the call that looks like a return address into the program.
    const auto frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)) & ~7ULL;
    constexpr std::uint64_t kReach = 8192;
    const std::uint64_t end = stack_top(self().index) - frame < kReach ? stack_top(self().index) : frame + kReach;
    std::uint64_t at = frame;
    while (at < end && *reinterpret_cast<const std::uint64_t*>(at) != innermost) at += 8;
    for (; at < end && stack.depth == 0; at += 8) add_frame(stack, *reinterpret_cast<const std::uint64_t*>(at));
  }
  // The outermost call is the runtime's call of the thread function.
  const ThreadClocks& calls = clocks_of(self().index);
  constexpr std::uint32_t kKept = sizeof calls.calls / sizeof *calls.calls;
  for (std::uint32_t i = calls.depth < kKept ? calls.depth : kKept; i-- > 1;) add_frame(stack, calls.calls[i]);
}

void describe(protocol::UseRecord& record, const Access& access) {
  record.use = use_of(access.touch);
  record.bytes = static_cast<std::uint8_t>(__builtin_popcount(access.bytes));
  record.process = access.thread;
}

void describe_block(std::uint64_t address) {
  protocol::Finding& finding = worker.channel->finding;
  const Block block = block_near(address);
  const bool captured = finding.block == block.address && finding.allocation.depth > 0;
  finding.block = block.address;
  finding.block_bytes = block.bytes;
  finding.block_process = block.process;
  if (captured || block.address == 0) return;
  finding.allocation.depth = block.site == 0 ? 0 : 1;
  finding.allocation.sites[0] = block.site;
}

/// First time: repeats the execution with call tracing. Second time: reports the finding.
[[noreturn]] void report(FailureKind kind, const Access* before, const Access& now, std::uint64_t address,
                         const void* place) {
  protocol::Channel& channel = *worker.channel;
  protocol::Finding& finding = channel.finding;
  // Our own accesses from here on are not the program's, even if the compiler turns some into memset().
  detector.checking = detector.guarding = detector.hooked = false;
  if (!detector.tracing) {
    zero_bytes(&finding, sizeof finding);
    channel.watch = {true,
                     before == nullptr ? std::uint8_t{0} : before->bytes,
                     before == nullptr ? std::uint8_t{0} : static_cast<std::uint8_t>(before->touch),
                     before == nullptr ? kNoProcess : before->thread,
                     before == nullptr ? 0 : before->clock,
                     before == nullptr ? 0 : before->site,
                     address};
    repeat_execution();
  }
  finding.address = address;
  describe(finding.now, now);
  take_stack(finding.now.stack, place);
  if (before != nullptr) {
    const std::uint32_t depth = finding.before.stack.depth;
    describe(finding.before, *before);
    if (depth == 0 && before->site != 0) {
      finding.before.stack.depth = 1;
      finding.before.stack.sites[0] = before->site;
    }
  }
  describe_block(address);
  message() << "at address " << reinterpret_cast<void*>(address);
  fail(kind, channel.message, finding.now.stack.depth > 0 ? finding.now.stack.sites[0] : 0);
}

}  // namespace

void report_ended_stack(const Access& before, const Access& now, std::uint64_t address, const void* place) {
  report(FailureKind::UseAfterReturn, &before, now, address, place);
}

void report_race(const Access& before, const Access& now, std::uint64_t address, const void* place) {
  if (now.touch == Touch::Freed && is_on_stack(address)) report_ended_stack(before, now, address, place);
  report(FailureKind::DataRace, &before, now, address, place);
}

void report_bad_memory(const Access& before, const Access& now, std::uint64_t address, const void* place) {
  if (before.touch == Touch::Gap) report(FailureKind::HeapOverflow, nullptr, now, address, place);
  report(now.touch == Touch::Freed ? FailureKind::DoubleFree : FailureKind::UseAfterFree, &before, now, address, place);
}

void report_wild_access(const Access& now, std::uint64_t address, const void* place) {
  report(FailureKind::HeapOverflow, nullptr, now, address, place);
}

void report_damage(const Access& now, std::uint64_t address, const void* place) {
  report(FailureKind::DamagedMemory, nullptr, now, address, place);
}

void note_watched(const Access& access, std::uint64_t address, const void* place) {
  const protocol::Watch& watch = worker.channel->watch;
  if (access.thread != watch.process || access.clock != watch.clock || access.site != watch.site) return;
  if (static_cast<std::uint8_t>(access.touch) != watch.touch || (address & ~7ULL) != (watch.address & ~7ULL)) return;
  if ((access.bytes & watch.bytes) != 0) take_stack(worker.channel->finding.before.stack, place);
}

void note_allocation(std::uint64_t block, std::uint64_t bytes, const void* place) {
  const std::uint64_t address = worker.channel->watch.address;
  // Addresses grow within a slot, so the last match is the nearest block.
  if (block > address || address - block >= kLargeSlot || bytes > kLargeSlot) return;
  worker.channel->finding.block = block;
  take_stack(worker.channel->finding.allocation, place);
}

void enter_call(void* return_address) {
  ThreadClocks& calls = clocks_of(self().index);
  if (calls.depth < sizeof calls.calls / sizeof *calls.calls)
    calls.calls[calls.depth] = reinterpret_cast<std::uint64_t>(return_address);
  ++calls.depth;
}

void leave_call() {
  ThreadClocks& calls = clocks_of(self().index);
  if (calls.depth > 0) --calls.depth;
}

}  // namespace mazurka::runtime
