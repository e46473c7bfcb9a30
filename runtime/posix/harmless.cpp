// Calls without effect here: cancellation, which never happens, and thread attributes.

#include <sys/types.h>

#include "runtime/export.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

using namespace mazurka::runtime;

// Threads are never cancelled: nothing to do.
MAZURKA_REPLACEABLE int pthread_setcancelstate(int, int* old) {
  if (old != nullptr) *old = 0;
  return 0;
}
MAZURKA_REPLACEABLE int pthread_setcanceltype(int, int* old) {
  if (old != nullptr) *old = 0;
  return 0;
}
MAZURKA_REPLACEABLE void pthread_testcancel() {}
MAZURKA_REPLACEABLE int pthread_setname_np(pthread_t, const char*) { return 0; }
MAZURKA_REPLACEABLE int pthread_setschedparam(pthread_t, int, const void*) { return 0; }
MAZURKA_REPLACEABLE int pthread_setschedprio(pthread_t, int) { return 0; }
MAZURKA_REPLACEABLE int pthread_setconcurrency(int) { return 0; }
MAZURKA_REPLACEABLE int pthread_atfork(void (*)(), void (*)(), void (*)()) { return 0; }
MAZURKA_REPLACEABLE int __register_atfork(void (*)(), void (*)(), void (*)(), void*) { return 0; }
MAZURKA_REPLACEABLE int __pthread_register_atfork(void (*)(), void (*)(), void (*)()) { return 0; }
