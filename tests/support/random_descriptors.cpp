#include "support/random_descriptors.hpp"

#include <array>

#include <fmt/format.h>

#include "core/random.hpp"

namespace mazurka::testing {
namespace {

constexpr const char* kObjects = R"(#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int p[2], o[2], s[2], e, t, w, g;
static atomic_int a;
#define K(value) (r = r * 7 + (unsigned long)(value))
#define R(call) { const long result = (call); K(result < 0 ? 100 + errno : result); }
#define READ(file, bytes) { char c[8] = {0}; R(read(file, c, bytes)); K(c[0]); }
#define COUNT(file) { uint64_t n = 0; R(read(file, &n, 8)); K(n); }
#define ADD(file, value) { uint64_t n = value; R(write(file, &n, 8)); }
#define POLL(file, wanted, time) { struct pollfd f = {file, wanted, 0}; R(poll(&f, 1, time)); K(f.revents); }
#define BOTH(time) { struct pollfd f[] = {{p[0], POLLIN, 0}, {e, POLLIN, 0}}; R(poll(f, 2, time)); K(f[0].revents); K(f[1].revents); }
#define WATCH(file, wanted) { struct epoll_event v = {wanted, {.fd = file}}; R(epoll_ctl(w, EPOLL_CTL_ADD, file, &v)); }
#define AGAIN(file, wanted) { struct epoll_event v = {wanted, {.fd = file}}; R(epoll_ctl(w, EPOLL_CTL_MOD, file, &v)); }
#define WAIT(most, time) { struct epoll_event v[2] = {{0}}; R(epoll_wait(w, v, most, time)); K(v[0].events); K(v[0].data.fd); K(v[1].data.fd); }
#define ARM(seconds, every) { struct itimerspec v = {{every, 0}, {seconds, 0}}; R(timerfd_settime(t, 0, &v, 0)); }
#define RECEIVE { char c[8]; unsigned n = 0; R(mq_receive(g, c, 8, &n)); K(n); }
#define LATE(call) { const struct timespec late = {2000000000, 0}; call }
#define NONBLOCKING(file) R(fcntl(file, F_SETFL, O_NONBLOCK))
)";

/// What a thread may do, by flavour: a program is about one kind of object.
constexpr std::array<const char*, 12> kUses[] = {
    {"R(write(p[1], \"a\", 1));", "R(write(p[1], \"bc\", 2));", "READ(p[0], 1);", "READ(p[0], 2);", "R(close(p[0]));",
     "R(close(p[1]));", "NONBLOCKING(p[0]);", "POLL(p[0], POLLIN, -1);", "POLL(p[1], POLLOUT, 0);",
     "R(dup(p[1]) >= 0);", "R(dup2(o[0], p[0]) >= 0);", "R(write(o[1], \"d\", 1));"},
    // A pipe that is full: nothing is free before a whole page was read.
    {"R(write(o[1], \"a\", 1));", "R(write(o[1], big, 5000));", "R(read(o[0], big, 4096));", "READ(o[0], 4);",
     "R(close(o[0]));", "NONBLOCKING(o[1]);", "POLL(o[1], POLLOUT, 10);", "R(read(o[0], big, 8192));",
     "R(write(o[1], big, 4096));", "a = 1;", "K(a);", "R(fcntl(o[1], F_SETPIPE_SZ, 8192));"},
    {"R(send(s[0], \"a\", 1, 0));", "R(send(s[1], \"b\", 1, MSG_NOSIGNAL));", "READ(s[0], 2);", "READ(s[1], 2);",
     "R(close(s[0]));", "R(close(s[1]));", "R(shutdown(s[0], SHUT_WR));", "R(shutdown(s[1], SHUT_RD));",
     "POLL(s[0], POLLIN | POLLOUT, 10);", "POLL(s[1], POLLIN, -1);", "{ char c; R(recv(s[0], &c, 1, MSG_DONTWAIT)); }",
     "R(send(p[1], \"a\", 1, 0));"},
    {"ADD(e, 1);", "ADD(e, 2);", "COUNT(e);", "COUNT(e);", "NONBLOCKING(e);", "ADD(e, UINT64_MAX - 1);",
     "POLL(e, POLLIN, -1);", "POLL(e, POLLIN | POLLOUT, 5);", "BOTH(-1);", "BOTH(7);", "READ(p[0], 1);",
     "R(write(p[1], \"a\", 1));"},
    {"WATCH(p[0], EPOLLIN);", "WATCH(e, EPOLLIN | EPOLLET);", "WATCH(e, EPOLLIN | EPOLLONESHOT);", "WAIT(1, -1);",
     "WAIT(2, 0);", "WAIT(1, 10);", "R(write(p[1], \"a\", 1));", "ADD(e, 1);", "READ(p[0], 1);",
     "AGAIN(e, EPOLLIN | EPOLLET);", "R(close(e));", "NONBLOCKING(p[0]);"},
    {"ARM(1, 0);", "ARM(0, 0);", "ARM(1, 1);", "COUNT(t);", "NONBLOCKING(t);", "POLL(t, POLLIN, 3);",
     "POLL(t, POLLIN, -1);", "WATCH(t, EPOLLIN);", "WAIT(1, -1);", "a = 1;", "K(a);", "ARM(1, 0);"},
    // Minutes: time passes where nothing else can move.
    {"ARM(300, 0);", "ARM(300, 0); COUNT(t); ARM(300, 0); COUNT(t); K(a);", "POLL(p[0], POLLIN, 100000);",
     "POLL(p[0], POLLIN, 100000); K(a);", "COUNT(t);", "a = 1;", "R(write(p[1], \"a\", 1));", "READ(p[0], 1);",
     "a = 2;", "NONBLOCKING(t);", "K(a);", "POLL(t, POLLIN, 200000);"},
    {"R(mq_send(g, \"a\", 1, 1));", "R(mq_send(g, \"bc\", 2, 2));", "RECEIVE;", "RECEIVE;",
     "LATE(R(mq_timedsend(g, \"d\", 1, 0, &late)));",
     "LATE({ char c[8]; R(mq_timedreceive(g, c, 8, 0, &late)); K(c[0]); })", "POLL(g, POLLIN, -1);",
     "R(mq_unlink(\"/queue\"));", "{ const struct mq_attr v = {.mq_flags = O_NONBLOCK}; R(mq_setattr(g, &v, 0)); }",
     "{ struct mq_attr v; R(mq_getattr(g, &v)); K(v.mq_curmsgs); }", "R(mq_close(g));",
     "R(mq_open(\"/queue\", O_RDWR) >= 0);"},
};

}  // namespace

std::string random_use_of_descriptors(std::uint64_t seed) {
  SplitMix64 random(seed);
  const auto& flavour = kUses[random.below(std::size(kUses))];
  const auto threads = 2 + static_cast<unsigned>(random.below(2));
  std::string text;
  const auto statements = [&](std::uint64_t most) {
    for (std::uint64_t i = 0, count = 1 + random.below(most); i < count; ++i)
      text += fmt::format("  {}\n", flavour[random.below(flavour.size())]);
  };
  for (unsigned i = 0; i < threads; ++i) {
    text += fmt::format(
        "static void* thread_{}_{}(void* unused) {{\n  unsigned long r = 0;\n  static char big[8192];\n", seed, i);
    statements(threads == 2 ? 4 : 2);
    text += "  return (void*)r;\n}\n";
  }
  text += fmt::format("static int program_{}(void) {{\n  pthread_t t_[{}];\n  unsigned long r = 0;\n  open_all({});\n",
                      seed, threads, random.below(2));
  for (unsigned i = 0; i < threads; ++i)
    text += fmt::format("  pthread_create(&t_[{0}], 0, thread_{1}_{0}, 0);\n", i, seed);
  for (unsigned i = 0; i < threads; ++i)
    text += fmt::format("  {{ void* v; pthread_join(t_[{}], &v); printf(\"%lx \", (unsigned long)v); }}\n", i);
  return text + "  return (int)(r & 0);\n}\n";
}

std::string random_uses_of_descriptors(std::uint64_t first, std::uint64_t count) {
  std::string text = kObjects;
  text += R"(static void open_all(int filled) {
  static char page[4096];
  const struct mq_attr v = {.mq_maxmsg = 1, .mq_msgsize = 8};
  signal(SIGPIPE, SIG_IGN);
  if (pipe(p) != 0 || pipe(o) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) abort();
  fcntl(o[1], F_SETPIPE_SZ, 4096);
  if (filled && write(o[1], page, 4096) != 4096) abort();
  e = eventfd(0, filled ? EFD_SEMAPHORE : 0);
  t = timerfd_create(CLOCK_MONOTONIC, 0);
  w = epoll_create1(0);
  g = mq_open("/queue", O_RDWR | O_CREAT, 0600, &v);
}
)";
  for (std::uint64_t seed = first; seed < first + count; ++seed) text += random_use_of_descriptors(seed);
  text += "int main(int argc, char** argv) {\n  switch (argc > 1 ? atoi(argv[1]) : 0) {\n";
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    text += fmt::format("    case {0}: return program_{0}();\n", seed);
  return text + "  }\n  return 2;\n}\n";
}

}  // namespace mazurka::testing
