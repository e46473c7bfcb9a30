// System calls that the program makes through syscall().
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/files/file_calls.hpp"
#include "runtime/files/file_use.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/memory_map.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/futex.hpp"
#include "runtime/posix/processors.hpp"
#include "runtime/posix/random.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/output.hpp"

using namespace mazurka::runtime;

namespace {

void* at(long address) { return reinterpret_cast<void*>(address); }

}  // namespace

MAZURKA_REPLACEABLE long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const std::uint64_t site = MAZURKA_SITE;
  const Caller caller = MAZURKA_CALLER;
  switch (number) {
    case SYS_futex: return futex(arguments, site);
    case SYS_gettid: return mazurka_own_gettid();
    case SYS_getpid: return mazurka_own_getpid();
    case SYS_sched_yield: return mazurka_own_sched_yield();
    case SYS_rt_sigprocmask:
      if (arguments[3] != sizeof(std::uint64_t)) return fail_with(EINVAL);
      return or_errno(-change_mask(static_cast<int>(arguments[0]), at(arguments[1]), at(arguments[2]), caller));
    case SYS_clock_gettime: {
      const timespec time = read_clock(static_cast<clockid_t>(arguments[0]));
      use_argument(true, at(arguments[1]), sizeof time, caller);
      copy_bytes(at(arguments[1]), &time, sizeof time);
      return 0;
    }
    case SYS_getrandom:
      use_argument(true, at(arguments[0]), static_cast<std::size_t>(arguments[1]), caller);
      fill_at_random(at(arguments[0]), static_cast<std::size_t>(arguments[1]));
      return arguments[1];
    case SYS_sched_getaffinity: {
      std::uint8_t mask[128];
      const auto bytes = static_cast<std::size_t>(arguments[1]);
      const long result = get_affinity(bytes < sizeof mask ? bytes : sizeof mask, mask);
      if (result < 0) return or_errno(result);
      use_argument(true, at(arguments[2]), static_cast<std::size_t>(result), caller);
      copy_bytes(at(arguments[2]), mask, static_cast<std::size_t>(result));
      return result;
    }
    case SYS_madvise:
      return advise(at(arguments[0]), static_cast<std::size_t>(arguments[1]), static_cast<int>(arguments[2]), caller);
    case SYS_write:
      return write_bytes(static_cast<int>(arguments[0]), at(arguments[1]), static_cast<std::size_t>(arguments[2]),
                         caller);
    // These neither block nor return anything that varies from run to run.
    case SYS_getcpu:
    case SYS_membarrier:
      return or_errno(
          raw_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]));
    default: {
      // libuv closes its descriptors this way.
      if (number == SYS_close && is_channel(static_cast<int>(arguments[0])))
        return or_errno(close_channel(static_cast<int>(arguments[0]), site));
      if (number != SYS_ioctl && name_of_file_call(number) != nullptr) {
        const FileUse use(true, site);
        return or_errno(file_call(number, arguments, site));
      }
      char text[64];
      Text(text, sizeof text) << "syscall(" << number << ")";
      unsupported(text, site);
    }
  }
}
MAZURKA_DEFINE_OWN_CALL(syscall);
