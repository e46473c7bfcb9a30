// Time-outs and timers of calls on descriptors.
//
// A wait of less than a minute may time out at any time, whatever other threads do. But no enabled thread is idle for a
// minute: longer waits only end if nothing else in the program is enabled. That is an operation of its own, TimePasses,
// which depends on everything (dependence.hpp). Otherwise event loops would never end: they arm a timer for minutes
// again and again, just to check for work (Asio: five minutes, always), and there would be an execution for every
// number of these rounds.
//
// If several threads wait for time then, it is a choice which of them continues: the threads' clocks are independent
// and do not tell who started to wait first. The first of the threads makes the choice and passes the turn by a step on
// descriptors.
#pragma once

#include <cstdint>

#include "runtime/messages/descriptors.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

// Alternatives of a DescriptorWait; 0 means that it is ready.
inline constexpr std::uint32_t kTimeIsUp = 1;
inline constexpr std::uint32_t kTimeMissed = 2;  ///< a periodic timer has expired twice
inline constexpr std::uint32_t kTimePasses = 3;  ///< nothing else is enabled

/// Whether the DescriptorWait of a thread may time out whatever other threads do.
bool time_may_pass(const Thread& thread, const Prospect& prospect);
/// Whether a thread is about to perform a DescriptorWait that can time out.
bool waits_for_time(const Thread& thread);

/// Nothing is enabled: until the next step, enables the first thread that waits for time. False if there is none.
bool let_time_pass();
/// Whether let_time_pass() has enabled this thread.
bool time_passes_for(const Thread& thread);

/// Call in the first waiting thread when time passes: chooses whose turn it is. False if it is another thread's, which
/// has then been enabled.
bool is_own_turn(Thread& thread, std::uint64_t site);

}  // namespace mazurka::runtime
