// Calls that would escape control: other processes, timers, waiting for the outside world. Each is reported by name as
// unsupported. Standalone, the C library's function is called.
#include <wordexp.h>

#include "runtime/export.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/states.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

using namespace mazurka::runtime;

// The parameters do not matter, since the call never returns; declaring them otherwise would conflict with the C
// library's headers. Standalone, all arguments that may be in registers are passed on.
#define MAZURKA_REFUSE(NAME)                                                                          \
  MAZURKA_REPLACEABLE long mazurka_refuse_##NAME(long, long, long, long, long, long) __asm__(#NAME);  \
  MAZURKA_REPLACEABLE long mazurka_refuse_##NAME(long a, long b, long c, long d, long e, long f) {    \
    using Function = long (*)(long, long, long, long, long, long);                                    \
    if (worker.standalone) return reinterpret_cast<Function>(next_function(#NAME))(a, b, c, d, e, f); \
    unsupported(#NAME "()", MAZURKA_SITE);                                                            \
  }
// Functions whose arguments may be on the stack, or that must not return through another frame.
#define MAZURKA_REFUSE_ALWAYS(NAME)                                \
  MAZURKA_REPLACEABLE long mazurka_refuse_##NAME() __asm__(#NAME); \
  MAZURKA_REPLACEABLE long mazurka_refuse_##NAME() { unsupported(#NAME "()", MAZURKA_SITE); }

MAZURKA_REFUSE(fork)
MAZURKA_REFUSE_ALWAYS(vfork)
MAZURKA_REFUSE_ALWAYS(_Fork)
MAZURKA_REFUSE_ALWAYS(clone)
MAZURKA_REFUSE(posix_spawn)
MAZURKA_REFUSE(posix_spawnp)
MAZURKA_REFUSE(system)
MAZURKA_REFUSE(popen)
MAZURKA_REFUSE(execve)
MAZURKA_REFUSE(execv)
MAZURKA_REFUSE(execvp)
MAZURKA_REFUSE_ALWAYS(execl)
MAZURKA_REFUSE_ALWAYS(execlp)
MAZURKA_REFUSE_ALWAYS(execle)
MAZURKA_REFUSE(execvpe)
MAZURKA_REFUSE(execveat)
MAZURKA_REFUSE(fexecve)
MAZURKA_REFUSE(daemon)
MAZURKA_REFUSE(forkpty)
MAZURKA_REFUSE(wait)
MAZURKA_REFUSE(waitpid)
MAZURKA_REFUSE(wait3)
MAZURKA_REFUSE(wait4)
MAZURKA_REFUSE(waitid)
MAZURKA_REFUSE(sigset)
MAZURKA_REFUSE(sigpause)
MAZURKA_REFUSE(__xpg_sigpause)
MAZURKA_REFUSE(alarm)
MAZURKA_REFUSE(ualarm)
MAZURKA_REFUSE(setitimer)
MAZURKA_REFUSE(timer_create)
MAZURKA_REFUSE(accept)
MAZURKA_REFUSE(accept4)
MAZURKA_REFUSE(connect)
MAZURKA_REFUSE(recvfrom)
MAZURKA_REFUSE(recvmsg)
MAZURKA_REFUSE_ALWAYS(dlmopen)
MAZURKA_REFUSE_ALWAYS(pthread_cancel)
MAZURKA_REFUSE_ALWAYS(pthread_sigqueue)

// They name a process by its number. getpid() does not return the kernel's, so they would reach whoever has it.
MAZURKA_REFUSE(sigqueue)
MAZURKA_REFUSE(killpg)
MAZURKA_REFUSE(pidfd_open)
MAZURKA_REFUSE(pidfd_send_signal)
MAZURKA_REFUSE(process_vm_readv)
MAZURKA_REFUSE(process_vm_writev)
MAZURKA_REFUSE(ptrace)

// The C library starts threads of its own for these.
MAZURKA_REFUSE(aio_read)
MAZURKA_REFUSE(aio_read64)
MAZURKA_REFUSE(aio_write)
MAZURKA_REFUSE(aio_write64)
MAZURKA_REFUSE(aio_fsync)
MAZURKA_REFUSE(aio_fsync64)
MAZURKA_REFUSE(lio_listio)
MAZURKA_REFUSE(lio_listio64)
MAZURKA_REFUSE(getaddrinfo_a)

// The C library sends all threads of the process a signal that the runtime's own do not handle.
MAZURKA_REFUSE(setuid)
MAZURKA_REFUSE(setgid)
MAZURKA_REFUSE(seteuid)
MAZURKA_REFUSE(setegid)
MAZURKA_REFUSE(setreuid)
MAZURKA_REFUSE(setregid)
MAZURKA_REFUSE(setresuid)
MAZURKA_REFUSE(setresgid)
MAZURKA_REFUSE(setgroups)

// It would lock the shadow memory, which is far larger than the machine's.
MAZURKA_REFUSE(mlockall)

// Command substitution starts a shell. Arithmetic, $((…)), looks the same here and is refused too.
MAZURKA_REPLACEABLE int wordexp(const char* words, wordexp_t* result, int flags) {
  static const auto real = reinterpret_cast<int (*)(const char*, wordexp_t*, int)>(next_function("wordexp"));
  if (!worker.standalone && (flags & WRDE_NOCMD) == 0 && (contains(words, "$(") || contains(words, "`")))
    unsupported("wordexp() of a command", MAZURKA_SITE);
  return real(words, result, flags);
}

// The kernel's state of a process is not part of states: these calls are passed on unless keeps_states.
#define MAZURKA_REFUSE_WITH_STATES(NAME)                                                             \
  MAZURKA_REPLACEABLE long mazurka_refuse_##NAME(long, long, long, long, long, long) __asm__(#NAME); \
  MAZURKA_REPLACEABLE long mazurka_refuse_##NAME(long a, long b, long c, long d, long e, long f) {   \
    using Function = long (*)(long, long, long, long, long, long);                                   \
    if (!worker.standalone) refuse_without_state(#NAME "()", MAZURKA_SITE);                          \
    return reinterpret_cast<Function>(next_function(#NAME))(a, b, c, d, e, f);                       \
  }

MAZURKA_REFUSE_WITH_STATES(prctl)
MAZURKA_REFUSE_WITH_STATES(setrlimit)
MAZURKA_REFUSE_WITH_STATES(setrlimit64)
MAZURKA_REFUSE_WITH_STATES(prlimit)
MAZURKA_REFUSE_WITH_STATES(prlimit64)
MAZURKA_REFUSE_WITH_STATES(setpriority)
MAZURKA_REFUSE_WITH_STATES(nice)
MAZURKA_REFUSE_WITH_STATES(personality)
