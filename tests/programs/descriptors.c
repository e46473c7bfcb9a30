/* One scenario per kind of object that descriptors of a program stand for, chosen by the first argument. What main
 * prints at its end, over all schedules, is what src/program/programs_test.cpp expects. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int ends[2], others[2], counter, timer, poller;
static atomic_int flag;

static pthread_t start(void* (*body)(void*), const void* argument) {
  pthread_t t;
  assert(pthread_create(&t, NULL, body, (void*)(uintptr_t)argument) == 0);
  return t;
}
static void join(pthread_t t) { assert(pthread_join(t, NULL) == 0); }

static void* put(void* text) {
  assert(write(ends[1], text, strlen(text)) == (ssize_t)strlen(text));
  return NULL;
}
static void* put_other(void* text) {
  assert(write(others[1], text, 1) == 1);
  return NULL;
}
static void* add(void* number) {
  const uint64_t value = (uintptr_t)number;
  assert(write(counter, &value, sizeof value) == sizeof value);
  return NULL;
}
static void* close_writer(void* unused) {
  assert(close(ends[1]) == 0);
  return unused;
}
static void* close_reader(void* unused) {
  assert(close(ends[0]) == 0);
  return unused;
}

static void pipe_order(void) {
  char text[3] = "";
  assert(pipe(ends) == 0);
  pthread_t t = start(put, "1");
  pthread_t u = start(put, "2");
  assert(read(ends[0], text, 1) == 1 && read(ends[0], text + 1, 1) == 1);
  join(t);
  join(u);
  printf("%s", text);
}

static void pipe_message(void) { /* a write up to PIPE_BUF is not torn */
  char text[5] = "";
  assert(pipe(ends) == 0);
  pthread_t t = start(put, "ab");
  pthread_t u = start(put, "cd");
  join(t);
  join(u);
  assert(read(ends[0], text, 4) == 4);
  printf("%s", text);
}

static void fill(void) {
  static char page[4096];
  assert(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
  assert(write(ends[1], page, sizeof page) == sizeof page);
}
static void* put_and_tell(void* text) {
  put(text);
  flag = 1;
  return NULL;
}
static void pipe_full(void) { /* the write waits for the read */
  static char text[4096];
  fill();
  pthread_t t = start(put_and_tell, "1");
  const int before = flag;
  assert(read(ends[0], text, sizeof text) == sizeof text);
  join(t);
  printf("%d%d", before, flag);
}
static void pipe_page(void) { /* a page is free when all of it was read */
  char text[64];
  fill();
  assert(read(ends[0], text, sizeof text) == sizeof text);
  assert(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
  printf("%zd", write(ends[1], "1", 1));
}
static void pipe_full_for_ever(void) {
  fill();
  join(start(put, "1"));
}

static void pipe_end(void) {
  char text[2];
  assert(pipe(ends) == 0);
  pthread_t t = start(close_writer, NULL);
  printf("%zd", read(ends[0], text, 1));
  join(t);
}
static void pipe_broken(void) {
  assert(pipe(ends) == 0);
  signal(SIGPIPE, SIG_IGN);
  pthread_t t = start(close_reader, NULL);
  const ssize_t written = write(ends[1], "1", 1);
  printf("%zd%s", written, written < 0 && errno == EPIPE ? "EPIPE" : "");
  join(t);
}
static void pipe_signal(void) {
  assert(pipe(ends) == 0 && close(ends[0]) == 0);
  put("1");
}
static void pipe_nonblocking(void) {
  char text[2];
  assert(pipe2(ends, O_NONBLOCK) == 0);
  pthread_t t = start(put, "1");
  const ssize_t got = read(ends[0], text, 1);
  printf("%zd%s", got, got < 0 && errno == EAGAIN ? "EAGAIN" : "");
  join(t);
}
static void duplicates(void) {
  char text[2] = "";
  assert(pipe(ends) == 0);
  const int copy = dup(ends[1]);
  assert(copy != ends[1] && close(ends[1]) == 0 && write(ends[1], "1", 1) == -1 && errno == EBADF);
  assert(write(copy, "2", 1) == 1 && read(ends[0], text, 1) == 1 && close(copy) == 0);
  printf("%s%zd", text, read(ends[0], text, 1));
}

static void* echo(void* unused) {
  char text[2] = "";
  assert(recv(ends[1], text, 1, 0) == 1);
  ++text[0];
  assert(send(ends[1], text, 1, MSG_NOSIGNAL) == 1);
  close(ends[1]);
  return unused;
}
static void sockets(void) {
  char text[2] = "";
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_t t = start(echo, NULL);
  assert(send(ends[0], "1", 1, 0) == 1 && recv(ends[0], text, 1, 0) == 1);
  char last;
  printf("%s%zd", text, recv(ends[0], &last, 1, 0));
  join(t);
}

static void counters(void) {
  uint64_t value;
  counter = eventfd(0, 0);
  pthread_t t = start(add, (void*)1);
  pthread_t u = start(add, (void*)2);
  assert(read(counter, &value, sizeof value) == sizeof value);
  printf("%d", (int)value);
  join(t);
  join(u);
}
static void counted_semaphore(void) {
  uint64_t value;
  counter = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  for (int i = 0; i < 3; ++i) printf("%d", (int)read(counter, &value, sizeof value));
}

static void arm(void) {
  const struct itimerspec soon = {{0, 0}, {1, 0}};
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  assert(timerfd_settime(timer, 0, &soon, NULL) == 0);
}
static void* arm_later(void* unused) {
  const struct itimerspec soon = {{0, 0}, {1, 0}};
  assert(timerfd_settime(timer, 0, &soon, NULL) == 0);
  return unused;
}
static void* set_flag(void* unused) {
  flag = 1;
  return unused;
}
static void timers(void) { /* the timer may expire before or after what another thread does */
  uint64_t times = 0;
  arm();
  pthread_t t = start(set_flag, NULL);
  assert(read(timer, &times, sizeof times) == sizeof times);
  printf("%d%d", (int)times, flag);
  join(t);
}

static void polled(void) {
  assert(pipe(ends) == 0 && pipe(others) == 0);
  pthread_t t = start(put, "1");
  pthread_t u = start(put_other, "2");
  struct pollfd both[] = {{ends[0], POLLIN, 0}, {others[0], POLLIN, 0}};
  assert(poll(both, 2, -1) > 0);
  printf("%d%d", both[0].revents, both[1].revents);
  join(t);
  join(u);
}
static void poll_timeout(void) {
  assert(pipe(ends) == 0);
  pthread_t t = start(put, "1");
  struct pollfd one = {ends[0], POLLIN, 0};
  printf("%d", poll(&one, 1, 100));
  join(t);
}
static void poll_hangup(void) {
  assert(pipe(ends) == 0 && close(ends[1]) == 0);
  struct pollfd all[] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}, {-1, POLLIN, 0}};
  const int count = poll(all, 3, -1);
  printf("%d%d%d", count, all[0].revents == POLLHUP, all[1].revents == POLLNVAL);
}
static void selected(void) {
  assert(pipe(ends) == 0 && pipe(others) == 0);
  pthread_t t = start(put, "1");
  pthread_t u = start(put_other, "2");
  fd_set in;
  FD_ZERO(&in);
  FD_SET(ends[0], &in);
  FD_SET(others[0], &in);
  assert(select(others[0] + 1, &in, NULL, NULL, NULL) > 0);
  printf("%d%d", FD_ISSET(ends[0], &in) ? 1 : 0, FD_ISSET(others[0], &in) ? 1 : 0);
  join(t);
  join(u);
}
static void outside(void) {
  struct pollfd one = {0, POLLIN, 0};
  poll(&one, 1, 0);
}

static void watch(int file, unsigned events) {
  struct epoll_event wanted = {events, {.fd = file}};
  assert(epoll_ctl(poller, EPOLL_CTL_ADD, file, &wanted) == 0);
}
/* Two bytes arrive, one is read, and another one arrives: how often is that reported? */
static void triggered(unsigned trigger) {
  char text;
  struct epoll_event found;
  assert(pipe(ends) == 0);
  poller = epoll_create1(0);
  watch(ends[0], EPOLLIN | trigger);
  put("12");
  printf("%d", epoll_wait(poller, &found, 1, 0));
  assert(read(ends[0], &text, 1) == 1);
  printf("%d", epoll_wait(poller, &found, 1, 0));
  put("3");
  printf("%d", epoll_wait(poller, &found, 1, 0));
  printf("%d", epoll_wait(poller, &found, 1, 0));
}
static void level(void) { triggered(0); }
static void edge(void) { triggered(EPOLLET); }
static void oneshot(void) { triggered(EPOLLONESHOT); }

/* An event loop: a counter that another thread adds to, and a timer. */
static void event_loop(void) {
  poller = epoll_create1(0);
  counter = eventfd(0, EFD_NONBLOCK);
  arm();
  watch(counter, EPOLLIN);
  watch(timer, EPOLLIN);
  pthread_t t = start(add, (void*)1);
  for (int left = 2; left > 0;) {
    struct epoll_event found[2];
    const int count = epoll_wait(poller, found, 2, -1);
    uint64_t value;
    for (int i = 0; i < count; ++i, --left) {
      printf("%c", found[i].data.fd == counter ? 'c' : 't');
      assert(read(found[i].data.fd, &value, sizeof value) == sizeof value && value == 1);
    }
  }
  join(t);
}
static void armed_later(void) { /* by another thread, before or while this one waits */
  struct epoll_event found;
  poller = epoll_create1(0);
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  watch(timer, EPOLLIN);
  pthread_t t = start(arm_later, NULL);
  printf("%d", epoll_wait(poller, &found, 1, -1));
  join(t);
}
static void closed_entry(void) { /* what is closed is not watched any more */
  struct epoll_event found;
  poller = epoll_create1(0);
  counter = eventfd(1, 0);
  watch(counter, EPOLLIN);
  printf("%d", epoll_wait(poller, &found, 1, 0));
  close(counter);
  printf("%d", epoll_wait(poller, &found, 1, 0));
}

static const struct {
  const char* name;
  void (*run)(void);
} kScenarios[] = {
    {"pipe_order", pipe_order},
    {"pipe_message", pipe_message},
    {"pipe_full", pipe_full},
    {"pipe_full_for_ever", pipe_full_for_ever},
    {"pipe_page", pipe_page},
    {"pipe_end", pipe_end},
    {"pipe_broken", pipe_broken},
    {"pipe_signal", pipe_signal},
    {"pipe_nonblocking", pipe_nonblocking},
    {"duplicates", duplicates},
    {"sockets", sockets},
    {"counters", counters},
    {"counted_semaphore", counted_semaphore},
    {"timers", timers},
    {"polled", polled},
    {"poll_timeout", poll_timeout},
    {"poll_hangup", poll_hangup},
    {"selected", selected},
    {"outside", outside},
    {"level", level},
    {"edge", edge},
    {"oneshot", oneshot},
    {"event_loop", event_loop},
    {"closed_entry", closed_entry},
    {"armed_later", armed_later},
};

int main(int argc, char** argv) {
  for (unsigned i = 0; i < sizeof kScenarios / sizeof kScenarios[0]; ++i)
    if (argc > 1 && strcmp(argv[1], kScenarios[i].name) == 0) {
      kScenarios[i].run();
      return 0;
    }
  return 2;
}
