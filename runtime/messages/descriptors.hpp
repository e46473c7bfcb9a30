// Descriptors that lead nowhere but into the program itself: pipes, pairs of sockets, event counters, timers and
// pollers. They are objects of the runtime in the program's memory, so that the snapshot restores them and their calls
// can be steps that wait. Their numbers begin where the kernel's will not come.
//
// All of them count as one object (Family::Descriptor): which number is free, what a poller sees and what is left in a
// pipe depend on each other in too many ways. So threads that use different pipes are ordered too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/operation.hpp"

namespace mazurka::runtime {

struct Channel;

/// What a kind of object does. Results below 0 are errors, as the kernel has them.
struct ChannelKind {
  /// EPOLLIN and its like, at this virtual time.
  std::uint32_t (*events)(const Channel& channel, std::uint64_t now);
  long (*read)(Channel& channel, void* to, std::size_t bytes);
  long (*write)(Channel& channel, const void* from, std::size_t bytes);
  /// Whether a write of so many bytes need not wait.
  bool (*has_room)(const Channel& channel, std::size_t bytes);
  /// The last descriptor was closed.
  void (*close)(Channel& channel);
};

/// An open file description.
struct Channel {
  const ChannelKind* kind;
  void* state;
  std::uint32_t side;         ///< which end of the object
  std::uint32_t descriptors;  ///< that stand for it
  std::uint32_t pulse;        ///< changes when something happens that edge-triggered pollers must be told
  int flags;                  ///< access mode and O_NONBLOCK
};

/// Whether a number is one of these, open or not.
bool is_channel(int file);
/// Null if it is closed.
Channel* channel_of(int file);
/// A new description with a descriptor; -EMFILE if there is no number left.
int add_channel(const ChannelKind& kind, void* state, std::uint32_t side, int flags);
/// Memory for the state of an object, zeroed.
void* new_state(std::size_t bytes, std::uint64_t site);

/// The step of a call that returns at once.
void use_descriptors(DescriptorCall call, int file, std::uint64_t site);
// What a call that waits finds, as bits.
inline constexpr unsigned kReady = 1;           ///< it can go on
inline constexpr unsigned kTimerMayExpire = 2;  ///< a timer that it watches may expire, whatever else is there
inline constexpr unsigned kGivesUp = 4;         ///< it has a time-out
/// The step of a call that goes on when `ready(what)` says so. If time may pass, the answer is whether it did.
bool wait_for_descriptors(unsigned (*ready)(const void*), const void* what, bool time_may_pass, DescriptorCall call,
                          int file, std::uint64_t site);

// timer.cpp
inline constexpr std::uint64_t kNeverExpires = UINT64_MAX;
bool is_timer(const Channel& channel);
/// When the timer expires next, on the scale of Thread::clock; kNeverExpires if it is none, or not armed.
std::uint64_t expiry_of(const Channel& channel);
void expire(Channel& channel);

// poller.cpp
/// Forgets a description that is closed.
void leave_pollers(const Channel& channel);
/// The timers among what a poller watches.
std::uint64_t first_expiry_of(const Channel& poller, Channel** timer);

}  // namespace mazurka::runtime
