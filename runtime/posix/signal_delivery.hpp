// Signals that threads of the program send to each other and to themselves. None comes from outside.
//
// A thread checks for signals before each of its visible operations, by a step that loads its word of pending signals;
// sending one is a step that modifies this word. So every point between two operations at which a signal may arrive is
// explored. Arrival while a thread is blocked is covered too: blocking has no effect, so the thread might as well have
// checked just before. The exception are waits that have begun, on condition variables and futexes: sending a signal to
// a thread in such a wait is refused.
//
// A step before each operation is expensive, and most programs send no signals to other threads. So threads only start
// to check when the first such signal is sent, which is learnt like a waiting site (waiting/answers.hpp): the
// exploration restarts.
#pragma once

#include <cstdint>

#include <signal.h>

namespace mazurka::runtime {

// The kernel only uses the first word of a sigset_t.
constexpr std::uint64_t signal_bit(int number) { return 1ULL << (number - 1); }
inline constexpr int kLastSignal = 64;
inline constexpr int kFirstRealTime = 32;
inline bool is_signal(int number) { return number > 0 && number <= kLastSignal; }

/// The action for a signal.
struct SignalAction {
  void (*handler)(int);  ///< with three parameters if SA_SIGINFO
  std::uint64_t mask;
  std::uint64_t flags;
};

/// The current action; a scheduling point if other threads may change it.
SignalAction signal_action(int number, std::uint64_t site);
void set_signal_action(int number, const SignalAction& action, std::uint64_t site);

/// Sends a signal to a thread. The running thread handles its own at once, unless it is blocked.
void send_signal(std::uint32_t thread, int number, std::uint64_t site);
/// Delivers the pending signals of the running thread that are not blocked. Returns whether a handler ran.
bool deliver_signals(std::uint64_t site);
/// The pending signals of the running thread.
std::uint64_t pending_signals(std::uint64_t site);
/// Waits for a signal of the set, and consumes it.
int wait_for_signal(std::uint64_t set, std::uint64_t site);
/// Waits until a handler has run.
void wait_for_handler(std::uint64_t site);

/// The running thread has begun to wait on a condition variable or a futex. Signals that arrive during the wait, or
/// that arrived since its last check, are refused.
void refuse_signal_in_wait(std::uint64_t site);

/// Call before every visible operation of the running thread if scheduling.polls_signals.
void poll_signals(std::uint64_t site);
/// Whether a thread has a pending signal that it would handle at its next check.
bool has_signal(std::uint32_t thread);
/// Whether threads are known to signal other threads.
bool knows_signals();

}  // namespace mazurka::runtime
