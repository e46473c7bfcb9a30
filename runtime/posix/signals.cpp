#include "runtime/posix/signals.hpp"

#include <errno.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/posix/signal_delivery.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/scheduling/donors.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// Cannot be blocked: the C library reserves two signals, the kernel two others.
constexpr std::uint64_t kNeverBlocked = signal_bit(SIGKILL) | signal_bit(SIGSTOP) | signal_bit(32) | signal_bit(33);

/// Returns an errno value.
int change_mask(int how, const std::uint64_t* set, std::uint64_t* old, std::uint64_t site) {
  adopt_signal_mask();
  std::uint64_t& mask = self().signal_mask;
  const std::uint64_t before = mask;
  if (set != nullptr) {
    const std::uint64_t change = *set & ~kNeverBlocked;
    switch (how) {
      case SIG_BLOCK: mask |= change; break;
      case SIG_UNBLOCK: mask &= ~change; break;
      case SIG_SETMASK: mask = change; break;
      default: return EINVAL;
    }
  }
  if (old != nullptr) *old = before;
  if ((before & ~self().signal_mask) != 0 && scheduling.exploring) deliver_signals(site);
  return 0;
}

bool mask_known;           // of the main thread
std::uint64_t first_mask;  // of the main thread, at the start of main

}  // namespace

int change_mask(int how, const void* set, void* old, const Caller& caller) {
  std::uint64_t wanted = 0;
  std::uint64_t before = 0;
  use_argument(false, set, sizeof wanted, caller);
  if (set != nullptr) copy_bytes(&wanted, set, sizeof wanted);
  const int error = change_mask(how, set == nullptr ? nullptr : &wanted, &before, caller.site());
  if (error != 0 || old == nullptr) return error;
  use_argument(true, old, sizeof before, caller);
  copy_bytes(old, &before, sizeof before);
  return 0;
}

std::uint64_t mask_of(const sigset_t& set) { return *reinterpret_cast<const std::uint64_t*>(&set) & ~kNeverBlocked; }

void set_real_handler(int number, const struct sigaction& action) {
  using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);
  static const auto real = reinterpret_cast<Sigaction>(next_function("sigaction"));
  real(number, &action, nullptr);
}

void adopt_signal_mask() {
  if (mask_known) return;
  std::uint64_t inherited = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&inherited), sizeof inherited);
  threads.all[0].signal_mask = inherited;
  mask_known = true;
}

void note_first_signal_mask() {
  adopt_signal_mask();
  first_mask = threads.all[0].signal_mask;
}

std::uint64_t first_signal_mask() { return first_mask; }

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  return change_mask(how, set, old, MAZURKA_CALLER);
}
MAZURKA_REPLACEABLE int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  const int error = change_mask(how, set, old, MAZURKA_CALLER);
  return error == 0 ? 0 : fail_with(error);
}
MAZURKA_REPLACEABLE int sighold(int number) {
  if (!is_signal(number)) return fail_with(EINVAL);
  const std::uint64_t set = signal_bit(number);
  return change_mask(SIG_BLOCK, &set, nullptr, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int sigrelse(int number) {
  if (!is_signal(number)) return fail_with(EINVAL);
  const std::uint64_t set = signal_bit(number);
  return change_mask(SIG_UNBLOCK, &set, nullptr, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int sigblock(int signals) {
  const std::uint64_t set = static_cast<std::uint32_t>(signals);
  std::uint64_t old = 0;
  change_mask(SIG_BLOCK, &set, &old, MAZURKA_SITE);
  return static_cast<int>(old);
}
MAZURKA_REPLACEABLE int sigsetmask(int signals) {
  const std::uint64_t set = static_cast<std::uint32_t>(signals);
  std::uint64_t old = 0;
  change_mask(SIG_SETMASK, &set, &old, MAZURKA_SITE);
  return static_cast<int>(old);
}
MAZURKA_REPLACEABLE int sigpending(sigset_t* set) {
  const std::uint64_t pending = pending_signals(MAZURKA_SITE);
  MAZURKA_WRITES(set, sizeof *set);
  *set = {};
  *reinterpret_cast<std::uint64_t*>(set) = pending;
  return 0;
}
// Handlers run on their thread's stack; the runtime's own handlers need the alternate one.
MAZURKA_REPLACEABLE int sigaltstack(const stack_t* stack, stack_t* old) {
  if (worker.standalone)
    return static_cast<int>(
        or_errno(raw_syscall(SYS_sigaltstack, reinterpret_cast<long>(stack), reinterpret_cast<long>(old))));
  if (old != nullptr) {
    MAZURKA_WRITES(old, sizeof *old);
    *old = {};
    old->ss_flags = SS_DISABLE;
  }
  return 0;
}

MAZURKA_REPLACEABLE int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  static const auto real =
      reinterpret_cast<int (*)(int, const struct sigaction*, struct sigaction*)>(next_function("sigaction"));
  if (worker.standalone) return real(number, action, old);
  const std::uint64_t site = MAZURKA_SITE;
  if (!is_signal(number) || (action != nullptr && (number == SIGKILL || number == SIGSTOP))) return fail_with(EINVAL);
  SignalAction wanted{};
  if (action != nullptr) {
    MAZURKA_READS(action, sizeof *action);
    wanted = {action->sa_handler, mask_of(action->sa_mask), static_cast<std::uint64_t>(action->sa_flags)};
  }
  const SignalAction before = signal_action(number, site);
  if (action != nullptr) set_signal_action(number, wanted, site);
  if (old != nullptr) {
    MAZURKA_WRITES(old, sizeof *old);
    *old = {};
    old->sa_handler = before.handler;
    old->sa_flags = static_cast<int>(before.flags);
    *reinterpret_cast<std::uint64_t*>(&old->sa_mask) = before.mask;
  }
  return 0;
}

namespace {

/// Standalone.
__sighandler_t set_handler_alone(int number, __sighandler_t handler, int flags) {
  struct sigaction action = {};
  struct sigaction old = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return mazurka_own_sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

// The ways to install a handler differ in their flags.
#define MAZURKA_SIGNAL(NAME, FLAGS)                                             \
  MAZURKA_REPLACEABLE __sighandler_t NAME(int number, __sighandler_t handler) { \
    const std::uint64_t site = MAZURKA_SITE;                                    \
    if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) {         \
      errno = EINVAL;                                                           \
      return SIG_ERR;                                                           \
    }                                                                           \
    if (worker.standalone) return set_handler_alone(number, handler, FLAGS);    \
    const __sighandler_t before = signal_action(number, site).handler;          \
    set_signal_action(number, {handler, 0, FLAGS}, site);                       \
    return before;                                                              \
  }
MAZURKA_SIGNAL(signal, SA_RESTART)
MAZURKA_SIGNAL(bsd_signal, SA_RESTART)
MAZURKA_SIGNAL(sysv_signal, SA_RESETHAND | SA_NODEFER)
MAZURKA_SIGNAL(__sysv_signal, SA_RESETHAND | SA_NODEFER)
MAZURKA_REPLACEABLE int sigignore(int number) { return mazurka_own_signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }

MAZURKA_REPLACEABLE int raise(int number) {
  if (worker.standalone)
    return static_cast<int>(
        or_errno(raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), number)));
  if (!is_signal(number)) return fail_with(EINVAL);
  send_signal(self().index, number, MAZURKA_SITE);
  return 0;
}
MAZURKA_REPLACEABLE int gsignal(int number) {
  if (worker.standalone) return mazurka_own_raise(number);
  if (!is_signal(number)) return fail_with(EINVAL);
  send_signal(self().index, number, MAZURKA_SITE);
  return 0;
}
// gettid() does not return the kernel's numbers, so the kernel would reach another process.
MAZURKA_REPLACEABLE int tgkill(pid_t process, pid_t thread, int number) {
  if (worker.standalone) return static_cast<int>(or_errno(raw_syscall(SYS_tgkill, process, thread, number)));
  if (process <= 0 || thread <= 0) return fail_with(EINVAL);
  if (process != mazurka_own_getpid()) unsupported("tgkill() of another process", MAZURKA_SITE);
  const auto target = static_cast<std::uint32_t>(thread - process);  // see gettid()
  if (thread < process || target >= scheduling.thread_end) unsupported("tgkill() of an unknown thread", MAZURKA_SITE);
  if (number == 0) return 0;
  if (!is_signal(number)) return fail_with(EINVAL);
  send_signal(target, number, MAZURKA_SITE);
  return 0;
}
MAZURKA_REPLACEABLE int pthread_kill(pthread_t handle, int number) {
  if (number == 0) return 0;
  if (!is_signal(number)) return EINVAL;
  const std::uint32_t target = index_of_pthread(handle);
  if (target == mazurka::kNoProcess) return ESRCH;
  send_signal(target, number, MAZURKA_SITE);
  return 0;
}
// Sent to the process: the kernel chooses the thread, depending on all their masks.
MAZURKA_REPLACEABLE int kill(pid_t process, int number) {
  const std::uint64_t site = MAZURKA_SITE;
  if (worker.standalone) return static_cast<int>(or_errno(raw_syscall(SYS_kill, process, number)));
  if (process != mazurka_own_getpid()) unsupported("kill() of another process", site);
  if (number == 0) return 0;
  if (!is_signal(number)) return fail_with(EINVAL);
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
    if (i != self().index && !threads.all[i].joined) unsupported("kill() of a process with several threads", site);
  send_signal(self().index, number, site);
  return 0;
}

namespace {

/// A signal that arrives just before a call that waits for one does not end the call.
void take_earlier_signals(std::uint64_t site) {
  if (scheduling.polls_signals) poll_signals(site);
}

}  // namespace

MAZURKA_REPLACEABLE int sigwait(const sigset_t* set, int* number) {
  MAZURKA_READS(set, sizeof(std::uint64_t));
  const int found = wait_for_signal(mask_of(*set), MAZURKA_SITE);
  MAZURKA_WRITES(number, sizeof *number);
  *number = found;
  return 0;
}
MAZURKA_REPLACEABLE int sigwaitinfo(const sigset_t* set, siginfo_t* information) {
  MAZURKA_READS(set, sizeof(std::uint64_t));
  const int number = wait_for_signal(mask_of(*set), MAZURKA_SITE);
  if (information != nullptr) {
    MAZURKA_WRITES(information, sizeof *information);
    *information = {};
    information->si_signo = number;
    information->si_code = SI_TKILL;
  }
  return number;
}
MAZURKA_REPLACEABLE int sigtimedwait(const sigset_t*, siginfo_t*, const timespec*) {
  unsupported("sigtimedwait()", MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int sigsuspend(const sigset_t* mask) {
  MAZURKA_READS(mask, sizeof(std::uint64_t));
  const std::uint64_t wanted = mask_of(*mask);
  take_earlier_signals(MAZURKA_SITE);
  const std::uint64_t before = self().signal_mask;
  self().signal_mask = wanted;
  wait_for_handler(MAZURKA_SITE);
  self().signal_mask = before;
  return fail_with(EINTR);
}
MAZURKA_REPLACEABLE int pause() {
  take_earlier_signals(MAZURKA_SITE);
  wait_for_handler(MAZURKA_SITE);
  return fail_with(EINTR);
}

MAZURKA_DEFINE_OWN_CALL(sigaction);
MAZURKA_DEFINE_OWN_CALL(signal);
MAZURKA_DEFINE_OWN_CALL(raise);
