// When calls on descriptors go on because time passes: they give up, or a timer that they watch expires.
//
// Within a minute that may happen at any time, whatever the others do. But no thread that can move stands still for a
// minute: waits of a minute and more end where nothing else in the program can move. That is an operation of its own,
// TimePasses, which comes after everything and before everything (dependence.hpp). Otherwise event loops would never
// end: they arm a timer for minutes again and again, if only to look whether there is something to do (Asio: five
// minutes, always), and there would be an execution for every number of these rounds.
//
// If several threads wait for time then, which of them is next is a choice: threads have clocks of their own, which do
// not say who began to wait first. The first of the threads makes it, and tells the others by a step on descriptors.
#pragma once

#include <cstdint>

#include "runtime/messages/descriptors.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

// Alternatives of a DescriptorWait beside 0, which is that it is ready.
inline constexpr std::uint32_t kTimeIsUp = 1;
inline constexpr std::uint32_t kTimeMissed = 2;  ///< a timer that repeats has expired twice
inline constexpr std::uint32_t kTimePasses = 3;  ///< where nothing else can move

/// Whether time may pass for a thread that stands before a DescriptorWait, whatever the others do.
bool time_may_pass(const Thread& thread, const Prospect& prospect);
/// Whether a thread stands before such a call, and time would let it go on.
bool waits_for_time(const Thread& thread);

/// Nothing can move: from now on, until the next step, the first thread that waits for time can. False if there is
/// none.
bool let_time_pass();
/// Whether that is this thread.
bool time_passes_for(const Thread& thread);

/// Time passes, and the running thread is the first of those who wait: whether it is its turn. If not, the one whose
/// turn it is has been told.
bool is_own_turn(Thread& thread, std::uint64_t site);

}  // namespace mazurka::runtime
