// Signals, loading of code, and attributes of threads: what is harmless is accepted, the rest is named in the result.
#include "runtime/unsupported.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>

#include "runtime/outcome.hpp"
#include "runtime/scheduler.hpp"

namespace mazurka::runtime {

void* next_function(const char* name) { return dlsym(RTLD_NEXT, name); }

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

// Threads are never cancelled, so these have nothing to do.
MAZURKA_EXPORT int pthread_setcancelstate(int, int* old) {
  if (old != nullptr) *old = 0;
  return 0;
}
MAZURKA_EXPORT int pthread_setcanceltype(int, int* old) {
  if (old != nullptr) *old = 0;
  return 0;
}
MAZURKA_EXPORT void pthread_testcancel() {}
MAZURKA_EXPORT int pthread_setname_np(pthread_t, const char*) { return 0; }
MAZURKA_EXPORT int pthread_setschedparam(pthread_t, int, const void*) { return 0; }
MAZURKA_EXPORT int pthread_setschedprio(pthread_t, int) { return 0; }
MAZURKA_EXPORT int pthread_setconcurrency(int) { return 0; }
MAZURKA_EXPORT int pthread_atfork(void (*)(), void (*)(), void (*)()) { return 0; }
MAZURKA_EXPORT int __register_atfork(void (*)(), void (*)(), void (*)(), void*) { return 0; }
MAZURKA_EXPORT int __pthread_register_atfork(void (*)(), void (*)(), void (*)()) { return 0; }

// Ignoring a signal, or its standard action, is harmless; a handler would run at a moment of nobody's choice.
MAZURKA_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  static const auto real =
      reinterpret_cast<int (*)(int, const struct sigaction*, struct sigaction*)>(next_function("sigaction"));
  if (!g.ready || action == nullptr) return real(number, action, old);
  const bool handler = action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL;
  if (handler) unsupported("sigaction() with a handler", MAZURKA_SITE);
  if (old != nullptr) *old = {};
  return 0;
}
MAZURKA_EXPORT __sighandler_t signal(int, __sighandler_t handler) {
  if (handler != SIG_IGN && handler != SIG_DFL) unsupported("signal() with a handler", MAZURKA_SITE);
  return SIG_DFL;
}
MAZURKA_EXPORT int raise(int number) {
  if (number == SIGABRT) abort_at(MAZURKA_SITE);
  unsupported("raise()", MAZURKA_SITE);
}
MAZURKA_EXPORT int kill(pid_t, int) { unsupported("kill()", MAZURKA_SITE); }
MAZURKA_EXPORT int pthread_kill(pthread_t, int) { unsupported("pthread_kill()", MAZURKA_SITE); }
MAZURKA_EXPORT int sigwait(const sigset_t*, int*) { unsupported("sigwait()", MAZURKA_SITE); }
MAZURKA_EXPORT int sigwaitinfo(const sigset_t*, siginfo_t*) { unsupported("sigwaitinfo()", MAZURKA_SITE); }
MAZURKA_EXPORT int sigtimedwait(const sigset_t*, siginfo_t*, const timespec*) {
  unsupported("sigtimedwait()", MAZURKA_SITE);
}
MAZURKA_EXPORT int sigsuspend(const sigset_t*) { unsupported("sigsuspend()", MAZURKA_SITE); }
MAZURKA_EXPORT void* dlopen(const char* file, int flags) {
  static const auto real = reinterpret_cast<void* (*)(const char*, int)>(next_function("dlopen"));
  if (g.exploring) unsupported("dlopen() after the start of main", MAZURKA_SITE);
  return real(file, flags);
}
