// Calls that the kernel would make on a descriptor it does not know: they are refused where it is one of ours, and
// passed on with all that may lie in registers where it is not.
#include "runtime/export.hpp"
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
MAZURKA_REFUSE_CHANNEL(ioctl)
MAZURKA_REFUSE_CHANNEL(isatty)
MAZURKA_REFUSE_CHANNEL(shutdown)
MAZURKA_REFUSE_CHANNEL(getsockopt)
MAZURKA_REFUSE_CHANNEL(setsockopt)
MAZURKA_REFUSE_CHANNEL(getsockname)
MAZURKA_REFUSE_CHANNEL(getpeername)
MAZURKA_REFUSE_CHANNEL(sendto)
MAZURKA_REFUSE_CHANNEL(sendmsg)
MAZURKA_REFUSE_CHANNEL(splice)
MAZURKA_REFUSE_CHANNEL(tee)
MAZURKA_REFUSE_CHANNEL(vmsplice)
