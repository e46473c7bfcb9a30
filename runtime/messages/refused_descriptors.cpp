// Calls that would reach the kernel with a descriptor it does not know. They are refused if it is one of ours;
// otherwise they are passed on with all arguments that may be in registers.
#include <sys/ioctl.h>

#include "runtime/export.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

using namespace mazurka::runtime;

#define MAZURKA_REFUSE_CHANNEL(NAME)                                                                     \
  MAZURKA_REPLACEABLE long mazurka_descriptor_##NAME(long, long, long, long, long, long) __asm__(#NAME); \
  MAZURKA_REPLACEABLE long mazurka_descriptor_##NAME(long a, long b, long c, long d, long e, long f) {   \
    using Function = long (*)(long, long, long, long, long, long);                                       \
    if (is_channel(static_cast<int>(a)))                                                                 \
      unsupported(#NAME "() of a pipe, socket, event counter or timer", MAZURKA_SITE);                   \
    return reinterpret_cast<Function>(next_function(#NAME))(a, b, c, d, e, f);                           \
  }

MAZURKA_REFUSE_CHANNEL(fdopen)
MAZURKA_REFUSE_CHANNEL(fsync)
MAZURKA_REFUSE_CHANNEL(fdatasync)
MAZURKA_REFUSE_CHANNEL(getsockopt)
MAZURKA_REFUSE_CHANNEL(setsockopt)
MAZURKA_REFUSE_CHANNEL(getsockname)
MAZURKA_REFUSE_CHANNEL(getpeername)
MAZURKA_REFUSE_CHANNEL(sendto)
MAZURKA_REFUSE_CHANNEL(sendmsg)
MAZURKA_REFUSE_CHANNEL(sendmmsg)
MAZURKA_REFUSE_CHANNEL(splice)
MAZURKA_REFUSE_CHANNEL(tee)
MAZURKA_REFUSE_CHANNEL(vmsplice)

// None of them is a terminal.
MAZURKA_REPLACEABLE int isatty(int file) noexcept {
  if (!is_channel(file)) return reinterpret_cast<int (*)(int)>(next_function("isatty"))(file);
  errno = ENOTTY;
  return 0;
}

MAZURKA_REPLACEABLE long mazurka_descriptor_ioctl(int file, unsigned long request, void* argument) __asm__("ioctl");
MAZURKA_REPLACEABLE long mazurka_descriptor_ioctl(int file, unsigned long request, void* argument) {
  if (!is_channel(file))
    return reinterpret_cast<int (*)(int, unsigned long, void*)>(next_function("ioctl"))(file, request, argument);
  return or_errno(control_device(file, request, argument, MAZURKA_SITE));
}
