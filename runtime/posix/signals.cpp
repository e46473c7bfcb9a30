#include "runtime/posix/signals.hpp"

#include <errno.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

// The kernel looks at the first word of a set only.
constexpr std::uint64_t bit(int number) { return 1ULL << (number - 1); }
constexpr int kLast = 64;
/// Not to be blocked: the C library keeps two signals for itself, the kernel two others.
constexpr std::uint64_t kNeverBlocked = bit(SIGKILL) | bit(SIGSTOP) | bit(32) | bit(33);

bool is_signal(int number) { return number > 0 && number <= kLast; }

/// Part of the program's memory: restored with it.
std::uint64_t ignored;

/// Returns an error number.
int change_mask(int how, const std::uint64_t* set, std::uint64_t* old) {
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
  return 0;
}

int change_mask(int how, const sigset_t* set, sigset_t* old) {
  return change_mask(how, reinterpret_cast<const std::uint64_t*>(set), reinterpret_cast<std::uint64_t*>(old));
}

/// What is done with a signal that is neither blocked nor handled.
__sighandler_t disposition(int number) { return (ignored & bit(number)) != 0 ? SIG_IGN : SIG_DFL; }

void set_disposition(int number, __sighandler_t handler) {
  ignored = handler == SIG_IGN ? ignored | bit(number) : ignored & ~bit(number);
}

bool is_handler(__sighandler_t handler) { return handler != SIG_IGN && handler != SIG_DFL; }

bool mask_known;           // of the main thread
std::uint64_t first_mask;  // of the main thread, when main begins

}  // namespace

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
  return change_mask(how, set, old);
}
MAZURKA_REPLACEABLE int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  const int error = change_mask(how, set, old);
  return error == 0 ? 0 : fail_with(error);
}
MAZURKA_REPLACEABLE int sighold(int number) {
  if (!is_signal(number)) return fail_with(EINVAL);
  const std::uint64_t set = bit(number);
  return change_mask(SIG_BLOCK, &set, nullptr);
}
MAZURKA_REPLACEABLE int sigrelse(int number) {
  if (!is_signal(number)) return fail_with(EINVAL);
  const std::uint64_t set = bit(number);
  return change_mask(SIG_UNBLOCK, &set, nullptr);
}
MAZURKA_REPLACEABLE int sigblock(int signals) {
  const std::uint64_t set = static_cast<std::uint32_t>(signals);
  std::uint64_t old = 0;
  change_mask(SIG_BLOCK, &set, &old);
  return static_cast<int>(old);
}
MAZURKA_REPLACEABLE int sigsetmask(int signals) {
  const std::uint64_t set = static_cast<std::uint32_t>(signals);
  std::uint64_t old = 0;
  change_mask(SIG_SETMASK, &set, &old);
  return static_cast<int>(old);
}
// Nobody sends any.
MAZURKA_REPLACEABLE int sigpending(sigset_t* set) {
  *set = {};
  return 0;
}
// Handlers are refused, so nothing would ever run there; the runtime's own need theirs.
MAZURKA_REPLACEABLE int sigaltstack(const stack_t* stack, stack_t* old) {
  if (worker.standalone)
    return static_cast<int>(
        or_errno(raw_syscall(SYS_sigaltstack, reinterpret_cast<long>(stack), reinterpret_cast<long>(old))));
  if (old != nullptr) {
    *old = {};
    old->ss_flags = SS_DISABLE;
  }
  return 0;
}

// Ignoring a signal, or its standard action, is harmless; a handler would run at a moment of nobody's choice.
MAZURKA_REPLACEABLE int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  static const auto real =
      reinterpret_cast<int (*)(int, const struct sigaction*, struct sigaction*)>(next_function("sigaction"));
  // Before main, and where nobody explores; the runtime takes over what it needs afterwards.
  if (!worker.ready || worker.standalone) return real(number, action, old);
  if (!is_signal(number) || (action != nullptr && (number == SIGKILL || number == SIGSTOP))) return fail_with(EINVAL);
  if (action != nullptr && is_handler(action->sa_handler)) unsupported("sigaction() with a handler", MAZURKA_SITE);
  const __sighandler_t before = disposition(number);
  if (action != nullptr) set_disposition(number, action->sa_handler);
  if (old != nullptr) {
    *old = {};
    old->sa_handler = before;
  }
  return 0;
}

namespace {

/// Where nobody explores.
__sighandler_t set_handler_alone(int number, __sighandler_t handler) {
  struct sigaction action = {};
  struct sigaction old = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return mazurka_own_sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

#define MAZURKA_SIGNAL(NAME)                                                       \
  MAZURKA_REPLACEABLE __sighandler_t NAME(int number, __sighandler_t handler) {    \
    if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) {            \
      errno = EINVAL;                                                              \
      return SIG_ERR;                                                              \
    }                                                                              \
    if (worker.standalone) return set_handler_alone(number, handler);              \
    if (is_handler(handler)) unsupported("signal() with a handler", MAZURKA_SITE); \
    const __sighandler_t before = disposition(number);                             \
    set_disposition(number, handler);                                              \
    return before;                                                                 \
  }
MAZURKA_SIGNAL(signal)
MAZURKA_SIGNAL(bsd_signal)
MAZURKA_SIGNAL(sysv_signal)
MAZURKA_SIGNAL(__sysv_signal)
MAZURKA_REPLACEABLE int sigignore(int number) { return mazurka_own_signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }

MAZURKA_REPLACEABLE int raise(int number) {
  if (number == SIGABRT && !worker.standalone) abort_at(MAZURKA_SITE);
  if (worker.standalone)
    return static_cast<int>(
        or_errno(raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), number)));
  unsupported("raise()", MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int kill(pid_t process, int number) {
  if (worker.standalone) return static_cast<int>(or_errno(raw_syscall(SYS_kill, process, number)));
  unsupported("kill()", MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int pthread_kill(pthread_t, int) { unsupported("pthread_kill()", MAZURKA_SITE); }
MAZURKA_REPLACEABLE int sigwait(const sigset_t*, int*) { unsupported("sigwait()", MAZURKA_SITE); }
MAZURKA_REPLACEABLE int sigwaitinfo(const sigset_t*, siginfo_t*) { unsupported("sigwaitinfo()", MAZURKA_SITE); }
MAZURKA_REPLACEABLE int sigtimedwait(const sigset_t*, siginfo_t*, const timespec*) {
  unsupported("sigtimedwait()", MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int sigsuspend(const sigset_t*) { unsupported("sigsuspend()", MAZURKA_SITE); }
MAZURKA_DEFINE_OWN_CALL(sigaction);
MAZURKA_DEFINE_OWN_CALL(signal);
MAZURKA_DEFINE_OWN_CALL(sigprocmask);
