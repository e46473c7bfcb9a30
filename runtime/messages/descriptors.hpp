// Descriptors that lead nowhere but into the program itself: pipes, pairs of sockets, event counters, timers, message
// queues and pollers. They are objects of the runtime in the program's memory, so that the snapshot restores them and
// their calls can be steps that wait. Their numbers begin where the kernel's will not come.
//
// All of them count as one object (Family::Descriptor): which number is free, what a poller sees and what is left in a
// pipe depend on each other in too many ways. So threads that use different pipes are ordered too. Whatever a call
// looks at beside its arguments it must look at within its step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/operation.hpp"
#include "runtime/messages/ring.hpp"

namespace mazurka::runtime {

struct Channel;

/// What a kind of object does. Results below 0 are errors, as the kernel has them.
struct ChannelKind {
  /// EPOLLIN and its like, at this virtual time.
  std::uint32_t (*events)(const Channel& channel, std::uint64_t now);
  long (*read)(Channel& channel, void* to, std::size_t bytes);
  long (*write)(Channel& channel, const void* from, std::size_t bytes);
  /// Whether a write of these bytes need not wait.
  bool (*has_room)(const Channel& channel, const void* from, std::size_t bytes);
  /// The last descriptor was closed.
  void (*close)(Channel& channel);
};

/// An open file description.
struct Channel {
  const ChannelKind* kind;
  void* state;
  std::uint32_t side;         ///< which end of the object
  std::uint32_t descriptors;  ///< that stand for it
  int flags;                  ///< access mode and O_NONBLOCK
};

/// Whether a number is one of these, open or not.
bool is_channel(int file);
/// Null if it is closed.
Channel* channel_of(int file);
/// Whether one of the numbers from `first` to `last` is open.
bool any_channel_between(unsigned first, unsigned last);
/// A new description with a descriptor; -EMFILE if there is no number left. `flags`: O_CLOEXEC is kept with the number.
int add_channel(const ChannelKind& kind, void* state, std::uint32_t side, int flags);

/// The step of a call that returns at once, and what it returned, which is to be told before the next step.
void use_descriptors(DescriptorCall call, int file, std::uint64_t site);
long returned(long result);

/// What a call that waits is to expect.
struct Prospect {
  bool ready = false;            ///< it can go on
  std::uint64_t until = kNever;  ///< or will then, on the scale of Thread::clock
  bool by_timer = false;         ///< because a timer expires, which changes what it finds even if it is ready
  bool repeats = false;          ///< again and again: somebody who comes late finds that it expired twice
  static constexpr std::uint64_t kNever = UINT64_MAX;
};

/// The step of a call that goes on when it is ready or when time has passed. How often time passed: the clock of the
/// thread is where it was.
unsigned wait_for_descriptors(Prospect (*prospect)(const void*), const void* what, DescriptorCall call, int file,
                              std::uint64_t site);

// timer.cpp
bool is_timer(const Channel& channel);
/// When the timer expires next; Prospect::kNever if it is none, or not armed.
std::uint64_t expiry_of(const Channel& channel);
bool repeats(const Channel& channel);
/// Time passes until the timer expires.
void expire(Channel& channel);
/// What has expired by now has.
void settle(Channel& channel, std::uint64_t now);

// poller.cpp
bool is_poller(const Channel& channel);
/// Something happened that pollers must be told: bits of EPOLLIN and its like.
void notify_pollers(const Channel& channel, std::uint32_t events);
/// Forgets a description that is closed.
void leave_pollers(const Channel& channel);
/// The timer among what a poller watches that expires next.
std::uint64_t first_expiry_of(const Channel& poller, Channel** timer);

}  // namespace mazurka::runtime
