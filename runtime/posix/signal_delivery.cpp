#include "runtime/posix/signal_delivery.hpp"

#include <limits.h>
#include <linux/futex.h>
#include <ucontext.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/export.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/posix/futex.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/states.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

// In the program's memory, so that the snapshot restores them. Reports show these names.
extern "C" {
__attribute__((visibility("hidden"))) std::uint32_t mazurka_pending_signals_of[mazurka::protocol::kMaxProcesses];
__attribute__((visibility("hidden")))
mazurka::runtime::SignalAction mazurka_signal_actions[mazurka::runtime::kLastSignal + 1];
}

namespace mazurka::runtime {
namespace {

using enum OperationKind;

/// A step on a word of the runtime, like an atomic operation.
void step_on(OperationKind kind, const void* word, std::uint8_t bytes, std::uint64_t site) {
  Operation result = operation(kind, word);
  result.size = bytes;
  result.memory_order = __ATOMIC_SEQ_CST;
  perform(result, site);
}

/// Whether other threads send signals, so that pending signals are shared.
bool is_shared() { return scheduling.exploring && scheduling.polls_signals; }

std::uint32_t& my_word() { return mazurka_pending_signals_of[self().index]; }

std::uint32_t look(std::uint64_t site) {
  if (is_shared()) {
    step_on(Load, &my_word(), 4, site);
    observe(my_word());
  }
  return my_word();
}

// Where there is no step, there is nothing to observe: the record is that of the step before.

void take(int number, std::uint64_t site) {
  const bool is_step = is_shared();
  if (is_step) step_on(ReadModifyWrite, &my_word(), 4, site);
  acquire(&my_word());
  const std::uint32_t before = my_word();
  my_word() &= ~static_cast<std::uint32_t>(signal_bit(number));
  if (is_step) observe(before, my_word());
}

enum class Standard { Ignore, Stop, End };
Standard standard_action(int number) {
  switch (number) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT: return Standard::Ignore;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: return Standard::Stop;
    default: return Standard::End;
  }
}

/// The default action of a signal.
void act_as_standard(int number, std::uint64_t site) {
  switch (standard_action(number)) {
    case Standard::Ignore: return;
    case Standard::Stop: unsupported("a signal that stops the process", site);
    case Standard::End: break;
  }
  if (number == SIGABRT) abort_at(site);
  worker.channel->exit_status = 128 + number;
  worker.channel->raised = {number, 0};
  worker.channel->crash.depth = 0;
  worker.channel->crash_library[0] = 0;
  fail(FailureKind::Signal, "", site);
}

/// Runs the handler, if there is one, on the thread's own stack, as a call of the program. Returns whether there is
/// one.
bool handle(int number, std::uint64_t site) {
  SignalAction action = signal_action(number, site);
  if (action.handler == SIG_IGN) return false;
  if (action.handler == SIG_DFL) {
    act_as_standard(number, site);
    return false;
  }
  if ((action.flags & SA_RESETHAND) != 0) set_signal_action(number, {SIG_DFL, 0, 0}, site);
  Thread& thread = self();
  const std::uint64_t mask = thread.signal_mask;
  const std::uint32_t polling = thread.polling_signals;
  thread.signal_mask |= action.mask | ((action.flags & SA_NODEFER) != 0 ? 0 : signal_bit(number));
  thread.polling_signals = 0;  // another signal may interrupt the handler
  if ((action.flags & SA_SIGINFO) != 0) {
    siginfo_t information;
    ucontext_t context;
    zero_bytes(&information, sizeof information);
    zero_bytes(&context, sizeof context);
    information.si_signo = number;
    information.si_code = SI_TKILL;
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(reinterpret_cast<void*>(action.handler))(number, &information,
                                                                                                &context);
  } else {
    action.handler(number);
  }
  self().signal_mask = mask;
  self().polling_signals = polling;
  return true;
}

int lowest(std::uint64_t set) { return __builtin_ctzll(set) + 1; }

/// Returns when the word has changed, or spuriously.
void wait_for_change(std::uint32_t seen, std::uint64_t site) {
  const std::uint32_t polling = self().polling_signals;
  self().polling_signals = 1;
  const long arguments[6] = {reinterpret_cast<long>(&my_word()), FUTEX_WAIT, seen, 0, 0, 0};
  futex(arguments, site);
  self().polling_signals = polling;
}

}  // namespace

bool knows_signals() { return kind_of(protocol::kSignalSite) != protocol::WaitKind::None; }

SignalAction signal_action(int number, std::uint64_t site) {
  if (lives_may_race()) {
    step_on(Load, &mazurka_signal_actions[number], 8, site);
    observe(reinterpret_cast<std::uint64_t>(mazurka_signal_actions[number].handler));
  }
  return mazurka_signal_actions[number];
}

void set_signal_action(int number, const SignalAction& action, std::uint64_t site) {
  if (lives_may_race()) {
    step_on(Store, &mazurka_signal_actions[number], 8, site);
    observe(reinterpret_cast<std::uint64_t>(mazurka_signal_actions[number].handler),
            reinterpret_cast<std::uint64_t>(action.handler));
  }
  mazurka_signal_actions[number] = action;
}

bool has_signal(std::uint32_t thread) {
  return (mazurka_pending_signals_of[thread] & ~threads.all[thread].signal_mask) != 0;
}

void send_signal(std::uint32_t target, int number, std::uint64_t site) {
  if (number >= kFirstRealTime) unsupported("sending a real-time signal", site);
  if (number == SIGKILL || number == SIGSTOP) act_as_standard(number, site);
  const bool to_another = target != self().index;
  if (to_another && !is_shared()) {
    if (!scheduling.learns_waits) unsupported("sending a signal to another thread", site);
    refuse_without_state("sending signals to other threads", site);
    learn(protocol::kSignalSite, protocol::WaitKind::Several);
    unsupported("sending a signal to another thread", site);  // the table of waits is full
  }
  std::uint32_t& word = mazurka_pending_signals_of[target];
  const bool is_step = is_shared();
  if (is_step) step_on(ReadModifyWrite, &word, 4, site);
  const std::uint32_t before = word;
  word |= static_cast<std::uint32_t>(signal_bit(number));
  if (is_step) observe(before, word);
  release(&word);
  if (!to_another) {
    deliver_signals(site);
    return;
  }
  const Thread& thread = threads.all[target];
  const bool waits_for_signals = thread.pending.object == reinterpret_cast<std::uint64_t>(&word);
  if (thread.queue != Queue::None && !thread.woken && !waits_for_signals && has_signal(target) &&
      thread.life == Life::Live)
    unsupported("a signal to a thread that waits for a condition variable or a futex", site);
  const long wake[6] = {reinterpret_cast<long>(&word), FUTEX_WAKE, INT_MAX, 0, 0, 0};
  futex(wake, site);
}

bool deliver_signals(std::uint64_t site) {
  bool handled = false;
  Thread& thread = self();
  const std::uint32_t polling = thread.polling_signals;
  thread.polling_signals = 1;  // the steps of a check are not preceded by checks themselves
  for (std::uint64_t waiting; (waiting = look(site) & ~self().signal_mask) != 0;) {
    take(lowest(waiting), site);
    handled = handle(lowest(waiting), site) || handled;
  }
  thread.polling_signals = polling;
  return handled;
}

std::uint64_t pending_signals(std::uint64_t site) { return look(site); }

int wait_for_signal(std::uint64_t set, std::uint64_t site) {
  for (;;) {
    const std::uint32_t seen = look(site);
    if ((seen & set) != 0) {
      take(lowest(seen & set), site);
      return lowest(seen & set);
    }
    wait_for_change(seen, site);
  }
}

void wait_for_handler(std::uint64_t site) {
  while (!deliver_signals(site)) wait_for_change(my_word(), site);
}

void refuse_signal_in_wait(std::uint64_t site) {
  if (is_shared() && has_signal(self().index))
    unsupported("a signal to a thread that waits for a condition variable or a futex", site);
}

void poll_signals(std::uint64_t site) {
  const Thread& thread = self();
  constexpr std::uint64_t kSendable = (1ULL << 31) - 1 - signal_bit(SIGKILL) - signal_bit(SIGSTOP);
  if ((kSendable & ~thread.signal_mask) == 0) return;  // everything is blocked: the thread itself must ask
  if (thread.polling_signals != 0 || thread.queue != Queue::None || thread.atomic_depth > 0 || !scheduling.exploring)
    return;
  deliver_signals(site);
}

}  // namespace mazurka::runtime
