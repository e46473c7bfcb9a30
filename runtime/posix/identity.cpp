// The identity of the process, thread and machine: constant here, though it varies from run to run elsewhere.
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduling.hpp"

using namespace mazurka::runtime;

namespace {

constexpr pid_t kProcess = 1000;

}  // namespace

MAZURKA_REPLACEABLE pid_t getpid() { return kProcess; }
MAZURKA_REPLACEABLE pid_t getppid() { return 1; }
MAZURKA_REPLACEABLE pid_t gettid() { return kProcess + static_cast<pid_t>(self().index); }
MAZURKA_REPLACEABLE int sched_getcpu() { return 0; }
MAZURKA_REPLACEABLE int uname(utsname* result) {
  static const auto real = reinterpret_cast<int (*)(utsname*)>(next_function("uname"));
  MAZURKA_WRITES(result, sizeof *result);
  if (result != nullptr) touch(result, sizeof *result);
  return real(result);
}
MAZURKA_DEFINE_OWN_CALL(getpid);
MAZURKA_DEFINE_OWN_CALL(gettid);
