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

long write_or_signal(int file, const void* from, std::size_t bytes, Manner manner, bool signals, std::uint64_t site) {
  bool broken;
  const long result = write_channel(file, from, bytes, manner, broken, site);
  if (broken && signals) mazurka_own_raise(SIGPIPE);
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
  return write_or_signal(file, from, bytes, {(flags & MSG_DONTWAIT) != 0, true}, (flags & MSG_NOSIGNAL) == 0,
                         MAZURKA_SITE);
}
MAZURKA_REPLACEABLE ssize_t recv(int file, void* to, std::size_t bytes, int flags) {
  if (!is_channel(file)) {
    if (!worker.standalone) unsupported("recv() from a socket that leads out of the program", MAZURKA_SITE);
    return reinterpret_cast<ssize_t (*)(int, void*, std::size_t, int)>(next_function("recv"))(file, to, bytes, flags);
  }
  if ((flags & ~MSG_DONTWAIT) != 0) unsupported("recv() with other flags than MSG_DONTWAIT", MAZURKA_SITE);
  return or_errno(read_channel(file, to, bytes, {(flags & MSG_DONTWAIT) != 0, true}, MAZURKA_SITE));
}
MAZURKA_REPLACEABLE int shutdown(int file, int how) noexcept {
  if (!is_channel(file)) {
    if (!worker.standalone) unsupported("shutdown() of a socket that leads out of the program", MAZURKA_SITE);
    return reinterpret_cast<int (*)(int, int)>(next_function("shutdown"))(file, how);
  }
  return static_cast<int>(or_errno(shut_down(file, how, MAZURKA_SITE)));
}
