// Signals that threads of the program send to each other and to themselves. None comes from outside.
//
// A thread looks for signals before each of its visible operations, by a step that loads its word of pending signals;
// sending one is a step that modifies this word. So every place between two operations where a signal may arrive is
// explored, as is the arrival while a thread is blocked: blocking has no effect, so it might as well have looked just
// before it. The exception are waits that have begun, on condition variables and futexes: sending a signal to a thread
// that is in one is refused.
//
// Steps for each operation are dear, and most programs send no signals to other threads. So threads begin to look when
// one is sent for the first time, by what is known of waiting loops (waiting/answers.hpp): the exploration begins anew.
#pragma once

#include <cstdint>

#include <signal.h>

namespace mazurka::runtime {

// The kernel looks at the first word of a set only.
constexpr std::uint64_t signal_bit(int number) { return 1ULL << (number - 1); }
inline constexpr int kLastSignal = 64;
inline constexpr int kFirstRealTime = 32;
inline bool is_signal(int number) { return number > 0 && number <= kLastSignal; }

/// What is done about a signal.
struct SignalAction {
  void (*handler)(int);  ///< or of three parameters, by the flags
  std::uint64_t mask;
  std::uint64_t flags;
};

/// The action as it is now, a step where another thread may change it.
SignalAction signal_action(int number, std::uint64_t site);
void set_signal_action(int number, const SignalAction& action, std::uint64_t site);

/// Sends a signal to a thread. To the running one it is delivered at once, unless it is blocked.
void send_signal(std::uint32_t thread, int number, std::uint64_t site);
/// Delivers to the running thread what is pending and not blocked. Returns whether a handler ran.
bool deliver_signals(std::uint64_t site);
/// The pending ones of the running thread.
std::uint64_t pending_signals(std::uint64_t site);
/// Waits for one of a set, and takes it.
int wait_for_signal(std::uint64_t set, std::uint64_t site);
/// Waits until a handler has run.
void wait_for_handler(std::uint64_t site);

/// The running thread has begun to wait on a condition variable or a futex: what comes then is refused, and what came
/// before it could look is, too.
void refuse_signal_in_wait(std::uint64_t site);

/// Before a visible operation of the running thread, where scheduling.polls_signals.
void poll_signals(std::uint64_t site);
/// Whether a thread has a signal that it would be interrupted by, if it looked.
bool has_signal(std::uint32_t thread);
/// Whether threads are known to send signals to others.
bool knows_signals();

}  // namespace mazurka::runtime
