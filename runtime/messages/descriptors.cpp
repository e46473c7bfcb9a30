#include "runtime/messages/descriptors.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/passing_time.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/states/states.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;

constexpr int kFirst = 512;
constexpr int kMost = 448;  // the limit of select(); above are copies of the runtime's own descriptors

// In the program's memory.
Channel* table[kMost];
bool close_on_exec[kMost];

Operation call_on(OperationKind kind, DescriptorCall call, int file) {
  Operation result = operation(kind);
  result.object = 1;
  result.set_call(call, static_cast<std::uint32_t>(file));
  return result;
}

void refuse_sections(std::uint64_t site) {
  if (self().atomic_depth > 0) unsupported("a pipe, socket, event counter or the like inside an atomic section", site);
}

int free_number(int from) {
  for (int i = from < kFirst ? 0 : from - kFirst; i < kMost; ++i)
    if (table[i] == nullptr) return i + kFirst;
  return -EMFILE;
}

void stand_for(int number, Channel* channel, bool closes_on_exec) {
  table[number - kFirst] = channel;
  close_on_exec[number - kFirst] = closes_on_exec;
  ++channel->holders;
}

void forget(int number) {
  Channel* const channel = table[number - kFirst];
  table[number - kFirst] = nullptr;
  close_on_exec[number - kFirst] = false;
  release(channel->state);
  let_go(channel);
}

/// A read or write that blocks.
struct Transfer {
  Channel* channel;
  bool nonblocking;
  const void* from;  ///< of a write
  std::size_t bytes;
  const Thread* thread;
};

/// The error that a read or write returns whatever there is to read; 0 if none.
long error_of(const Channel* channel, bool writes, Manner manner) {
  if (channel == nullptr) return -EBADF;
  if (manner.sockets_only && !is_socket(*channel)) return -ENOTSOCK;
  return (channel->flags & O_ACCMODE) == (writes ? O_RDONLY : O_WRONLY) ? -EBADF : 0;
}

bool is_nonblocking(const Channel& channel) { return (channel.flags & O_NONBLOCK) != 0; }

Prospect can_read(const void* what) {
  const auto& transfer = *static_cast<const Transfer*>(what);
  const Channel& channel = *transfer.channel;
  Prospect found;
  const std::uint64_t now = transfer.thread->clock;
  found.ready = transfer.nonblocking || channel.kind->can_read(channel, transfer.bytes, now);
  if (const std::uint64_t expiry = expiry_of(channel); expiry > now) {
    found.until = expiry;
    found.by_timer = true;
    found.repeats = repeats(channel);
  }
  return found;
}

Prospect can_write(const void* what) {
  const auto& transfer = *static_cast<const Transfer*>(what);
  const Channel& channel = *transfer.channel;
  return {transfer.nonblocking || channel.kind->has_room(channel, transfer.from, transfer.bytes)};
}

/// Looks up the descriptor of a read or write. Negative if that fails, and then nothing is held.
long begin_transfer(bool writes, int file, Manner manner, Transfer& transfer, std::uint64_t site) {
  transfer.channel = look_up(writes ? DescriptorCall::Write : DescriptorCall::Read, file, site);
  if (const long error = error_of(transfer.channel, writes, manner); error != 0) {
    if (transfer.channel != nullptr) let_go(transfer.channel);
    return returned(error);
  }
  transfer.nonblocking = manner.nonblocking || is_nonblocking(*transfer.channel);
  return returned(transfer.nonblocking ? 1 : 0);
}

int duplicate(int file, int from, bool closes_on_exec, std::uint64_t site) {
  use_descriptors(DescriptorCall::Duplicate, file, site);
  Channel* const channel = channel_of(file);
  const int number = channel == nullptr ? -EBADF : from >= kFirst + kMost ? -EINVAL : free_number(from);
  if (number >= 0) stand_for(number, channel, closes_on_exec);
  return static_cast<int>(returned(number));
}

}  // namespace

bool is_channel(int file) { return file >= kFirst && file < kFirst + kMost && makes_channels(); }
Channel* channel_of(int file) { return is_channel(file) ? table[file - kFirst] : nullptr; }

bool any_channel_between(unsigned first, unsigned last) {
  for (unsigned i = 0; i < kMost; ++i)
    if (table[i] != nullptr && first <= i + kFirst && i + kFirst <= last) return true;
  return false;
}

int add_channel(const ChannelKind& kind, void* state, std::uint32_t side, int flags) {
  const int number = free_number(kFirst);
  if (number < 0) return number;
  auto* const channel = static_cast<Channel*>(new_state(sizeof(Channel), 0));
  *channel = {&kind, state, side, 0, flags & ~O_CLOEXEC};
  stand_for(number, channel, (flags & O_CLOEXEC) != 0);
  return number;
}

void* new_state(std::size_t bytes, std::uint64_t site) {
  void* const state = allocate(bytes);
  if (state == nullptr) unsupported("a pipe or its like for which there is no memory", site);
  zero_bytes(state, bytes);
  return state;
}

void begin_making(std::uint64_t site) {
  refuse_without_state("a pipe, socket, event counter or the like", site);
  use_descriptors(DescriptorCall::Create, Operation::kNoDescriptor, site);
}

void use_descriptors(DescriptorCall call, int file, std::uint64_t site) {
  refuse_sections(site);
  perform(call_on(DescriptorUse, call, file), site);
}

long returned(long result) {
  observe(static_cast<std::uint64_t>(result));
  return result;
}

unsigned wait_for_descriptors(Prospect (*prospect)(const void*), const void* what, DescriptorCall call, int file,
                              std::uint64_t site) {
  refuse_sections(site);
  Thread& thread = self();
  thread.time_granted = !scheduling.exploring;  // a single thread has nobody to wait for
  do {
    thread.prospect = prospect;
    thread.prospect_of = what;
    perform(call_on(DescriptorWait, call, file), site);
  } while (thread.alternative == kTimePasses && !is_own_turn(thread, site));
  thread.time_granted = false;
  return thread.alternative == 0 ? 0 : thread.alternative == kTimeMissed ? 2 : 1;
}

void begin_call(DescriptorCall call, int file, std::uint64_t site) {
  refuse_sections(site);
  perform(call_on(DescriptorLookup, call, file), site);
}

Channel* hold(int file) {
  Channel* const channel = channel_of(file);
  if (channel != nullptr) ++channel->holders;
  return channel;
}

Channel* look_up(DescriptorCall call, int file, std::uint64_t site) {
  begin_call(call, file, site);
  return hold(file);
}

void let_go(Channel* channel) {
  if (--channel->holders > 0) return;
  leave_pollers(*channel);
  channel->kind->close(*channel);
}

long read_channel(int file, void* to, std::size_t bytes, Manner manner, std::uint64_t site) {
  Transfer transfer{nullptr, false, nullptr, bytes, &self()};
  if (const long error = begin_transfer(false, file, manner, transfer, site); error < 0) return error;
  Channel* const channel = transfer.channel;
  // Unlike recv(), read() of nothing from a socket does not look at it.
  transfer.nonblocking |= bytes == 0 && !manner.sockets_only && is_socket(*channel);
  const unsigned passed = wait_for_descriptors(can_read, &transfer, DescriptorCall::Read, file, site);
  for (unsigned i = 0; i < passed; ++i) expire(*channel);
  Output buffer(to, bytes, site);
  const bool looks = bytes > 0 || manner.sockets_only || !is_socket(*channel);
  const long result = returned(looks ? channel->kind->read(*channel, buffer.address(), bytes) : 0);
  let_go(channel);
  if (result < 0) return result;
  acquire(channel->state);
  buffer.wrote(static_cast<std::size_t>(result));
  return result;
}

long write_channel(int file, const void* buffer, std::size_t bytes, Manner manner, bool& broken, std::uint64_t site) {
  const Input input(buffer, bytes, site);
  const void* const from = input.address();
  broken = false;
  Transfer transfer{nullptr, false, from, bytes, &self()};
  if (const long error = begin_transfer(true, file, manner, transfer, site); error < 0) return error;
  Channel* const channel = transfer.channel;
  for (std::size_t done = 0;;) {
    transfer.from = static_cast<const std::uint8_t*>(from) + done;
    transfer.bytes = bytes - done;
    wait_for_descriptors(can_write, &transfer, DescriptorCall::Write, file, site);
    release(channel->state);
    const long result = returned(channel->kind->write(*channel, transfer.from, transfer.bytes));
    broken = result == -EPIPE && (done == 0 || !is_socket(*channel));
    if (result > 0) done += static_cast<std::size_t>(result);
    // As in Linux, a pipe reads the flag again after each part that it accepts; a socket does not.
    if (!is_socket(*channel)) transfer.nonblocking = is_nonblocking(*channel);
    if (result < 0 || done == bytes || transfer.nonblocking) {
      let_go(channel);
      return done > 0 ? static_cast<long>(done) : result;
    }
  }
}

long close_channel(int file, std::uint64_t site) {
  use_descriptors(DescriptorCall::Close, file, site);
  if (channel_of(file) == nullptr) return returned(-EBADF);
  forget(file);
  return returned(0);
}

long duplicate_channel(int file, std::uint64_t site) { return duplicate(file, kFirst, false, site); }

long replace_channel(int file, int to, int flags, bool may_be_same, std::uint64_t site) {
  use_descriptors(DescriptorCall::Duplicate, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return returned(-EBADF);
  if ((flags & ~O_CLOEXEC) != 0 || (file == to && !may_be_same)) return returned(-EINVAL);
  if (file == to) return returned(to);
  if (channel_of(to) != nullptr) forget(to);
  stand_for(to, channel, (flags & O_CLOEXEC) != 0);
  return returned(to);
}

long control_channel(int file, int command, long argument, std::uint64_t site) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    return duplicate(file, static_cast<int>(argument), command == F_DUPFD_CLOEXEC, site);
  use_descriptors(command == F_SETFL ? DescriptorCall::SetFlags : DescriptorCall::Control, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return returned(-EBADF);
  switch (command) {
    case F_GETFL: return returned(channel->flags);
    case F_SETFL:
      channel->flags = (channel->flags & ~O_NONBLOCK) | (static_cast<int>(argument) & O_NONBLOCK);
      return returned(0);
    case F_GETFD: return returned(close_on_exec[file - kFirst] ? FD_CLOEXEC : 0);
    case F_SETFD: close_on_exec[file - kFirst] = (argument & FD_CLOEXEC) != 0; return returned(0);
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ: return returned(control_pipe(*channel, command, argument));
    default: unsupported("fcntl() with this command on a pipe, socket or the like", site);
  }
}

long control_device(int file, unsigned long request, void* argument, std::uint64_t site) {
  use_descriptors(request == FIONBIO ? DescriptorCall::SetFlags : DescriptorCall::Control, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr) return returned(-EBADF);
  switch (request) {
    case FIONBIO:
      channel->flags = (channel->flags & ~O_NONBLOCK) | (*static_cast<const int*>(argument) != 0 ? O_NONBLOCK : 0);
      return returned(0);
    case FIOCLEX:
    case FIONCLEX: close_on_exec[file - kFirst] = request == FIOCLEX; return returned(0);
    case FIONREAD: {
      const long found = returned(bytes_in(*channel));
      if (found < 0) return found;
      *static_cast<int*>(argument) = static_cast<int>(found);
      return 0;
    }
    default: unsupported("ioctl() with this request on a pipe, socket or the like", site);
  }
}

}  // namespace mazurka::runtime
