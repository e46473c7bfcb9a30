#include "runtime/messages/sending.hpp"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>

#include "runtime/export.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {

long send_bytes(int file, const void* from, std::size_t bytes, int flags, std::uint64_t site) {
  const long result = transfer_bytes(true, file, const_cast<void*>(from), bytes, (flags & MSG_DONTWAIT) != 0, site);
  if (result == -EPIPE && (flags & MSG_NOSIGNAL) == 0) mazurka_own_raise(SIGPIPE);
  return or_errno(result);
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE ssize_t send(int file, const void* from, std::size_t bytes, int flags) {
  if (!is_channel(file)) {
    if (!worker.standalone) unsupported("send() to a socket that leads out of the program", MAZURKA_SITE);
    return reinterpret_cast<ssize_t (*)(int, const void*, std::size_t, int)>(next_function("send"))(file, from, bytes,
                                                                                                    flags);
  }
  if ((flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL)) != 0)
    unsupported("send() with other flags than MSG_DONTWAIT and MSG_NOSIGNAL", MAZURKA_SITE);
  return send_bytes(file, from, bytes, flags, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE ssize_t recv(int file, void* to, std::size_t bytes, int flags) {
  if (!is_channel(file)) {
    if (!worker.standalone) unsupported("recv() from a socket that leads out of the program", MAZURKA_SITE);
    return reinterpret_cast<ssize_t (*)(int, void*, std::size_t, int)>(next_function("recv"))(file, to, bytes, flags);
  }
  if ((flags & ~MSG_DONTWAIT) != 0) unsupported("recv() with other flags than MSG_DONTWAIT", MAZURKA_SITE);
  return or_errno(transfer_bytes(false, file, to, bytes, (flags & MSG_DONTWAIT) != 0, MAZURKA_SITE));
}
