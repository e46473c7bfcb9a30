// Descriptors that do not lead out of the program: pipes, socket pairs, event counters, timers, message queues and
// pollers. They are objects of the runtime in the program's memory, so that the snapshot restores them and their calls
// can be scheduling points that block. Their numbers start above those that the kernel will use.
//
// All of them are a single object (Family::Descriptor): which number is free, what a poller reports and what is left in
// a pipe are related in too many ways. So threads that use different pipes are ordered too. Invariant: whatever a call
// reads besides its arguments, it reads within its step.
//
// A call that may block has two steps, as in Linux. The first one looks the number up and reads O_NONBLOCK. From then
// on the call holds the open file description, whatever becomes of the number and of the flag. The second one blocks. A
// lookup depends only on calls that change what numbers stand for, or flags, so it costs programs without such races no
// executions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/operation.hpp"
#include "runtime/messages/ring.hpp"

namespace mazurka::runtime {

struct Channel;

/// The operations of a kind of object. Negative results are -errno, as from the kernel.
struct ChannelKind {
  /// EPOLLIN and its kin, at this virtual time.
  std::uint32_t (*events)(const Channel& channel, std::uint64_t now);
  long (*read)(Channel& channel, void* to, std::size_t bytes);
  long (*write)(Channel& channel, const void* from, std::size_t bytes);
  /// Whether a read of these bytes would not block at this virtual time.
  bool (*can_read)(const Channel& channel, std::size_t bytes, std::uint64_t now);
  /// Whether a write of these bytes would not block.
  bool (*has_room)(const Channel& channel, const void* from, std::size_t bytes);
  /// The last descriptor was closed, and no call holds the description.
  void (*close)(Channel& channel);
};

/// An open file description.
struct Channel {
  const ChannelKind* kind;
  void* state;
  std::uint32_t side;     ///< which end of the object
  std::uint32_t holders;  ///< number of descriptors that refer to it and of calls inside it
  int flags;              ///< access mode and O_NONBLOCK
};

/// Whether a number is in the range of these descriptors, open or not.
bool is_channel(int file);
/// Null if it is closed.
Channel* channel_of(int file);
/// Whether a number in [first, last] is open.
bool any_channel_between(unsigned first, unsigned last);
/// Adds a description with a descriptor; -EMFILE if there is no number left. Of `flags`, O_CLOEXEC belongs to the
/// number.
int add_channel(const ChannelKind& kind, void* state, std::uint32_t side, int flags);

/// The scheduling point of a non-blocking call; and returned() records its result, before the next step.
void use_descriptors(DescriptorCall call, int file, std::uint64_t site);
long returned(long result);

/// The first step of a call that may block; hold() for each of its descriptors belongs to it. look_up() is both.
void begin_call(DescriptorCall call, int file, std::uint64_t site);
/// The description that a number stands for, which stays open until let_go(); null if it is closed.
Channel* hold(int file);
Channel* look_up(DescriptorCall call, int file, std::uint64_t site);
/// Closes the description if nobody else holds it.
void let_go(Channel* channel);

/// When a blocking call can continue.
struct Prospect {
  bool ready = false;            ///< now
  std::uint64_t until = kNever;  ///< or at this virtual time, on the scale of Thread::clock
  bool by_timer = false;         ///< because a timer expires, which changes the result even if it is ready
  bool repeats = false;          ///< a periodic timer: a late reader sees several expirations
  static constexpr std::uint64_t kNever = UINT64_MAX;
};

/// The scheduling point of a blocking call, which continues when it is ready or when time has passed. Returns how often
/// time passed. It does not advance the thread's clock.
unsigned wait_for_descriptors(Prospect (*prospect)(const void*), const void* what, DescriptorCall call, int file,
                              std::uint64_t site);

// timer.cpp
bool is_timer(const Channel& channel);
/// The next expiry of the timer; Prospect::kNever if it is not a timer or not armed.
std::uint64_t expiry_of(const Channel& channel);
bool repeats(const Channel& channel);
/// Time passes until the timer expires.
void expire(Channel& channel);
/// Counts the expirations up to `now`.
void settle(Channel& channel, std::uint64_t now);

// poller.cpp
bool is_poller(const Channel& channel);
/// Notifies pollers of an event: bits of EPOLLIN and its kin.
void notify_pollers(const Channel& channel, std::uint32_t events);
/// Removes a description that is closed.
void leave_pollers(const Channel& channel);
/// The earliest expiry among the timers that a poller watches.
std::uint64_t first_expiry_of(const Channel& poller, Channel** timer);

}  // namespace mazurka::runtime
