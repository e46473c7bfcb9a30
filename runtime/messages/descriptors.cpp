#include "runtime/messages/descriptors.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;

constexpr int kFirst = 512;
constexpr int kMost = 448;  // select() takes no more, and copies of the runtime's own descriptors come after them

// In the program's memory.
Channel* table[kMost];
bool close_on_exec[kMost];

Operation call_on(OperationKind kind, DescriptorCall call, int file) {
  Operation result = operation(kind);
  result.object = 1;
  result.set_call(call, static_cast<std::uint32_t>(file));
  return result;
}

int free_number(int from) {
  for (int i = from < kFirst ? 0 : from - kFirst; i < kMost; ++i)
    if (table[i] == nullptr) return i + kFirst;
  return -EMFILE;
}

/// A read or write that waits.
struct Transfer {
  int file;
  bool writes;
  bool nonblocking;
  std::size_t bytes;
  const Thread* thread;
};

unsigned can_transfer(const void* what) {
  const auto& transfer = *static_cast<const Transfer*>(what);
  const Channel* channel = channel_of(transfer.file);
  if (channel == nullptr || transfer.nonblocking || (channel->flags & O_NONBLOCK) != 0 || transfer.bytes == 0)
    return kReady;
  if (transfer.writes) return channel->kind->has_room(*channel, transfer.bytes) ? kReady : 0;
  return ((channel->kind->events(*channel, transfer.thread->clock) & (EPOLLIN | EPOLLHUP)) != 0 ? kReady : 0) |
         (expiry_of(*channel) != kNeverExpires ? kTimerMayExpire : 0);
}

int duplicate(int file, int from, std::uint64_t site) {
  use_descriptors(DescriptorCall::Duplicate, file, site);
  Channel* channel = channel_of(file);
  if (channel == nullptr) return -EBADF;
  const int number = free_number(from);
  if (number < 0) return number;
  table[number - kFirst] = channel;
  ++channel->descriptors;
  return number;
}

}  // namespace

bool is_channel(int file) { return file >= kFirst && file < kFirst + kMost; }
Channel* channel_of(int file) { return is_channel(file) ? table[file - kFirst] : nullptr; }

int add_channel(const ChannelKind& kind, void* state, std::uint32_t side, int flags) {
  const int number = free_number(kFirst);
  if (number < 0) return number;
  auto* const channel = static_cast<Channel*>(new_state(sizeof(Channel), 0));
  *channel = {&kind, state, side, 1, 0, flags};
  table[number - kFirst] = channel;
  return number;
}

void* new_state(std::size_t bytes, std::uint64_t site) {
  void* const state = allocate(bytes);
  if (state == nullptr) unsupported("a pipe or its like for which there is no memory", site);
  zero_bytes(state, bytes);
  return state;
}

void use_descriptors(DescriptorCall call, int file, std::uint64_t site) {
  perform(call_on(DescriptorUse, call, file), site);
}

bool wait_for_descriptors(unsigned (*ready)(const void*), const void* what, bool time_may_pass, DescriptorCall call,
                          int file, std::uint64_t site) {
  Thread& thread = self();
  thread.ready = ready;
  thread.ready_for = what;
  thread.timed = time_may_pass;
  perform(call_on(DescriptorWait, call, file), site);
  thread.timed = false;
  return thread.alternative == 1;
}

long transfer_bytes(bool writes, int file, void* bytes, std::size_t count, bool nonblocking, std::uint64_t site) {
  std::size_t done = 0;
  for (;;) {
    const Channel* before = channel_of(file);
    const Transfer transfer{file, writes, nonblocking, count - done, &self()};
    const bool passed = wait_for_descriptors(can_transfer, &transfer, before != nullptr && !writes && is_timer(*before),
                                             writes ? DescriptorCall::Write : DescriptorCall::Read, file, site);
    Channel* const channel = channel_of(file);
    if (channel == nullptr) return done > 0 ? static_cast<long>(done) : -EBADF;
    if (passed) expire(*channel);
    const int mode = channel->flags & O_ACCMODE;
    if (mode == (writes ? O_RDONLY : O_WRONLY)) return -EBADF;
    auto* const place = static_cast<std::uint8_t*>(bytes) + done;
    if (!writes) {
      const long result = channel->kind->read(*channel, place, count);
      if (result >= 0) acquire(channel->state);
      return result;
    }
    release(channel->state);
    const long result = channel->kind->write(*channel, place, count - done);
    if (result < 0) return done > 0 ? static_cast<long>(done) : result;
    done += static_cast<std::size_t>(result);
    if (done == count || nonblocking || (channel->flags & O_NONBLOCK) != 0) return static_cast<long>(done);
  }
}

long close_channel(int file, std::uint64_t site) {
  use_descriptors(DescriptorCall::Close, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return -EBADF;
  table[file - kFirst] = nullptr;
  close_on_exec[file - kFirst] = false;
  if (--channel->descriptors > 0) return 0;
  release(channel->state);
  leave_pollers(*channel);
  channel->kind->close(*channel);
  return 0;
}

long duplicate_channel(int file, std::uint64_t site) { return duplicate(file, kFirst, site); }

long control_channel(int file, int command, long argument, std::uint64_t site) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return duplicate(file, static_cast<int>(argument), site);
  use_descriptors(DescriptorCall::Control, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return -EBADF;
  switch (command) {
    case F_GETFL: return channel->flags;
    case F_SETFL: channel->flags = (channel->flags & ~O_NONBLOCK) | (static_cast<int>(argument) & O_NONBLOCK); return 0;
    case F_GETFD: return close_on_exec[file - kFirst] ? FD_CLOEXEC : 0;
    case F_SETFD: close_on_exec[file - kFirst] = (argument & FD_CLOEXEC) != 0; return 0;
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ: return control_pipe(*channel, command, argument);
    default: unsupported("fcntl() with this command on a descriptor of the program's own", site);
  }
}

}  // namespace mazurka::runtime
