#include "program/zygote.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

Zygote::Zygote(std::string_view words) {
  const char* const end = words.data() + words.size();
  const auto [colon, bad_socket] = std::from_chars(words.data(), end, socket_);
  if (bad_socket != std::errc{} || colon == end || *colon != ':' ||
      std::from_chars(colon + 1, end, process_).ptr != end || socket_ < 3 || process_ <= 0)
    throw InputError("--zygote is for tests that check a closure: it names a descriptor and a process");
  fcntl(socket_, F_SETFD, FD_CLOEXEC);
}

Zygote::~Zygote() {
  close(socket_);
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Zygote::Child Zygote::fork(std::uint32_t channel, int segment, int backup) {
  protocol::ForkRequest request{channel};
  const int files[2] = {segment, backup};
  iovec part{&request, sizeof request};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof files);
  std::memcpy(CMSG_DATA(header), files, sizeof files);
  protocol::ForkAnswer answer{};
  ssize_t done;
  do done = sendmsg(socket_, &message, MSG_NOSIGNAL);
  while (done < 0 && errno == EINTR);
  if (done == sizeof request) do
      done = read(socket_, &answer, sizeof answer);
    while (done < 0 && errno == EINTR);
  if (done != sizeof answer) throw InputError("the test that asked for this exploration has ended");
  if (answer.process <= 0) throw InputError(fmt::format("cannot start a worker: {}", std::strerror(-answer.process)));
  return {answer.process, answer.backup_file};
}

}  // namespace mazurka::program
