/* One scenario per kind of object that descriptors of a program stand for, chosen by the first argument. What main
 * prints at its end, over all schedules, is what src/program/programs_test.cpp expects. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
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
#include <time.h>
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

/* More than a pipe holds: the writer goes on as the reader makes room. */
static void* put_much(void* unused) {
  static char much[10000];
  assert(write(ends[1], much, sizeof much) == sizeof much);
  return unused;
}
static void pipe_in_parts(void) {
  static char text[10000];
  int parts = 0;
  assert(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
  pthread_t t = start(put_much, NULL);
  for (ssize_t left = sizeof text; left > 0; ++parts) left -= read(ends[0], text, sizeof text);
  join(t);
  printf("%d", parts);
}
static void replaced(void) { /* dup2 closes what was there */
  char text[2] = "";
  assert(pipe(ends) == 0 && pipe(others) == 0 && dup2(ends[1], others[1]) == others[1]);
  printf("%zd", read(others[0], text, 1));
  assert(write(others[1], "1", 1) == 1 && read(ends[0], text, 1) == 1);
  printf("%s", text);
}
static void replaced_file(void) { /* to a number of the kernel's */
  assert(pipe(ends) == 0);
  dup2(ends[1], 1);
}
static void socket_reset(void) { /* what was not read is lost, which the sender learns once */
  char text;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(send(ends[0], "1", 1, 0) == 1 && close(ends[1]) == 0);
  const ssize_t first = recv(ends[0], &text, 1, 0);
  printf("%zd%d", first, first < 0 && errno == ECONNRESET);
  printf("%zd", recv(ends[0], &text, 1, 0));
}
static void* stop_sending(void* unused) {
  assert(shutdown(ends[1], SHUT_WR) == 0);
  return unused;
}
static void socket_shutdown(void) { /* one direction only */
  char text;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_t t = start(stop_sending, NULL);
  printf("%zd", recv(ends[0], &text, 1, 0));
  join(t);
  printf("%zd", send(ends[0], "1", 1, 0));
  printf("%zd", send(ends[1], "1", 1, MSG_NOSIGNAL));
}
static void no_socket(void) {
  assert(pipe(ends) == 0 && send(ends[1], "1", 1, 0) == -1);
  printf("%d", errno == ENOTSOCK);
}
static void other_flags(void) {
  char text;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  recv(ends[0], &text, 1, MSG_PEEK);
}
static void* take_count(void* unused) {
  uint64_t value;
  assert(read(counter, &value, sizeof value) == sizeof value);
  return unused;
}
static void counter_full(void) { /* who would count further than there are numbers waits */
  const uint64_t most = UINT64_MAX - 1;
  counter = eventfd(0, 0);
  assert(write(counter, &most, sizeof most) == sizeof most);
  pthread_t t = start(take_count, NULL);
  add((void*)1);
  join(t);
  uint64_t value;
  assert(read(counter, &value, sizeof value) == sizeof value);
  printf("%d", (int)value);
}
static void periodic(void) { /* who is late finds that it has expired twice */
  const struct itimerspec each = {{1, 0}, {1, 0}};
  uint64_t times = 0;
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  assert(timerfd_settime(timer, 0, &each, NULL) == 0);
  assert(read(timer, &times, sizeof times) == sizeof times);
  printf("%d", (int)times);
}
/* Minutes pass when the other thread has done what it can. */
static void minutes(void) {
  const struct itimerspec late = {{0, 0}, {300, 0}};
  uint64_t times;
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  pthread_t t = start(set_flag, NULL);
  for (int round = 0; round < 2; ++round) {
    assert(timerfd_settime(timer, 0, &late, NULL) == 0);
    assert(read(timer, &times, sizeof times) == sizeof times);
    printf("%d", flag);
  }
  join(t);
}
/* Two threads wait for minutes: who is first is not known. */
static atomic_int winner;
static void* wait_twice(void* number) {
  struct pollfd none = {-1, 0, 0};
  poll(&none, 1, 100000);
  poll(&none, 1, 100000);
  if (atomic_exchange(&winner, 1) == 0) printf("%d", (int)(uintptr_t)number);
  return NULL;
}
static void minutes_of_two(void) {
  pthread_t t = start(wait_twice, (void*)1);
  pthread_t u = start(wait_twice, (void*)2);
  join(t);
  join(u);
}
static void for_ever(void) { /* nobody writes */
  char text;
  assert(pipe(ends) == 0);
  read(ends[0], &text, 1);
}

static void epoll_order(void) { /* what was ready first is reported first, and then it is the turn of the other */
  struct epoll_event found[2];
  assert(pipe(ends) == 0 && pipe(others) == 0);
  poller = epoll_create1(0);
  watch(ends[0], EPOLLIN);
  watch(others[0], EPOLLIN);
  put_other("2");
  put("1");
  for (int i = 0; i < 3; ++i) {
    assert(epoll_wait(poller, found, 1, 0) == 1);
    printf("%d", found[0].data.fd == ends[0] ? 1 : 2);
  }
}
static void nested(void) { /* a poller that is watched by another one */
  struct epoll_event found;
  assert(pipe(ends) == 0);
  poller = epoll_create1(0);
  watch(ends[0], EPOLLIN);
  const int inner = poller;
  poller = epoll_create1(0);
  watch(inner, EPOLLIN);
  pthread_t t = start(put, "1");
  printf("%d", epoll_wait(poller, &found, 1, -1) == 1 && found.data.fd == inner);
  join(t);
}

static mqd_t queue;
static void open_queue(long most) {
  struct mq_attr wanted = {.mq_maxmsg = most, .mq_msgsize = 4};
  queue = mq_open("/queue", O_RDWR | O_CREAT | O_EXCL, 0600, &wanted);
  assert(queue >= 0);
}
static void* send_one(void* text) {
  assert(mq_send(queue, text, 1, (unsigned)(*(char*)text - '0')) == 0);
  return NULL;
}
static void queue_order(void) { /* the greatest priority first */
  char text[4];
  open_queue(2);
  pthread_t t = start(send_one, "1");
  pthread_t u = start(send_one, "2");
  for (int i = 0; i < 2; ++i) {
    unsigned priority;
    assert(mq_receive(queue, text, sizeof text, &priority) == 1 && (int)priority == text[0] - '0');
    printf("%c", text[0]);
  }
  join(t);
  join(u);
}
static void* send_and_tell(void* text) {
  send_one(text);
  flag = 1;
  return NULL;
}
static void queue_full(void) { /* the send waits for the receive */
  char text[4];
  open_queue(1);
  send_one("1");
  pthread_t t = start(send_and_tell, "2");
  printf("%d", flag);
  assert(mq_receive(queue, text, sizeof text, NULL) == 1);
  join(t);
  printf("%d", flag);
}
static void queue_full_for_ever(void) {
  open_queue(1);
  send_one("1");
  send_one("2");
}
static void queue_timed(void) {
  struct timespec date;
  char text[4];
  open_queue(1);
  clock_gettime(CLOCK_REALTIME, &date);
  ++date.tv_sec;
  pthread_t t = start(send_one, "1");
  const ssize_t got = mq_timedreceive(queue, text, sizeof text, NULL, &date);
  printf("%zd%d", got, got < 0 && errno == ETIMEDOUT);
  join(t);
}
static void queue_nonblocking(void) {
  char text[4];
  const struct mq_attr nonblocking = {.mq_flags = O_NONBLOCK};
  struct mq_attr found;
  open_queue(1);
  assert(mq_setattr(queue, &nonblocking, NULL) == 0 && mq_receive(queue, text, 4, NULL) == -1 && errno == EAGAIN);
  assert(mq_receive(queue, text, 3, NULL) == -1 && errno == EMSGSIZE);
  send_one("1");
  assert(mq_send(queue, text, 1, 0) == -1 && errno == EAGAIN && mq_getattr(queue, &found) == 0);
  printf("%d%d", (int)found.mq_curmsgs, (int)found.mq_maxmsg);
}
static void queue_names(void) {
  open_queue(1);
  assert(mq_open("/queue", O_RDWR | O_CREAT | O_EXCL, 0600, NULL) == -1 && errno == EEXIST);
  const mqd_t same = mq_open("/queue", O_RDONLY);
  assert(same >= 0 && mq_unlink("/queue") == 0 && mq_open("/queue", O_RDWR) == -1 && errno == ENOENT);
  send_one("1");
  char text[4];
  printf("%zd%d", mq_receive(same, text, sizeof text, NULL), mq_send(same, "1", 1, 0));
  assert(mq_close(same) == 0 && mq_close(queue) == 0 && mq_close(queue) == -1);
}
static void queue_notify(void) {
  open_queue(1);
  mq_notify(queue, NULL);
}

/* A call that waits goes on with the open file description, whatever becomes of the number and of O_NONBLOCK. */
static const char* word(ssize_t result) {
  return result >= 0           ? result == 0 ? "0" : "1"
         : errno == EAGAIN     ? "EAGAIN"
         : errno == EBADF      ? "EBADF"
         : errno == EPIPE      ? "EPIPE"
         : errno == EINVAL     ? "EINVAL"
         : errno == ECONNRESET ? "ECONNRESET"
                               : "?";
}
static const char* got;
static void* get(void* unused) {
  char text;
  got = word(read(ends[0], &text, 1));
  return unused;
}
static void flag_set_late(void) {
  assert(pipe(ends) == 0);
  pthread_t t = start(get, NULL);
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  join(t);
  fputs(got, stdout);
}
static void closed_inside(void) {
  assert(pipe(ends) == 0);
  pthread_t t = start(get, NULL);
  assert(close(ends[0]) == 0);
  join(t);
  fputs(got, stdout);
}
static void held_end(void) { /* who reads keeps its end open, so the write does not find it closed */
  signal(SIGPIPE, SIG_IGN);
  assert(pipe(ends) == 0);
  pthread_t t = start(get, NULL);
  assert(close(ends[0]) == 0);
  const char* put_result = word(write(ends[1], "1", 1));
  join(t);
  printf("%s %s", put_result, got);
}
static void* put_page(void* unused) {
  static char page[8192];
  got = word(write(ends[1], page, sizeof page));
  return unused;
}
static void held_writer(void) { /* no end of the file while somebody writes */
  static char pages[8192];
  assert(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
  pthread_t t = start(put_page, NULL);
  assert(close(ends[1]) == 0);
  size_t all = 0;
  for (ssize_t n; (n = read(ends[0], pages, sizeof pages)) > 0;) all += (size_t)n;
  join(t);
  printf("%zu %s", all, got);
}
static void* poll_reader(void* unused) {
  struct pollfd file = {ends[0], POLLIN, 0};
  assert(poll(&file, 1, -1) == 1);
  got = file.revents == POLLNVAL ? "POLLNVAL" : "POLLIN";
  return unused;
}
static void poll_closed(void) {
  assert(pipe(ends) == 0);
  pthread_t t = start(poll_reader, NULL);
  assert(close(ends[0]) == 0);
  join(t);
  fputs(got, stdout);
}
static void poll_replaced(void) { /* the new description is ready, but does not wake who waits for the old one */
  assert(pipe(ends) == 0 && pipe(others) == 0 && write(others[1], "1", 1) == 1);
  pthread_t t = start(poll_reader, NULL);
  assert(dup2(others[0], ends[0]) == ends[0]);
  join(t);
  fputs(got, stdout);
}
static void lengths(void) { /* of transfers: the answers of Linux 6.18 */
  char bytes[16] = {1};
  signal(SIGPIPE, SIG_IGN);
  counter = eventfd(0, 0);
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  poller = epoll_create1(0);
  assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, others) == 0);
  printf("%s ", word(write(counter, bytes, 9)));
  printf("%s ", word(write(counter, bytes, 16)));
  printf("%s ", word(read(counter, bytes, 4)));
  printf("%s ", word(read(timer, bytes, 4)));
  printf("%s ", word(read(poller, bytes, 8)));
  printf("%s ", word(read(ends[0], bytes, 0)));
  printf("%s ", word(read(others[0], bytes, 0)));
  printf("%s ", word(recv(others[0], bytes, 0, MSG_DONTWAIT)));
  assert(write(others[1], "1", 1) == 1);
  printf("%s ", word(recv(others[0], bytes, 0, 0)));
  assert(write(others[0], "1", 1) == 1 && read(others[0], bytes, 1) == 1 && close(others[1]) == 0);
  printf("%s ", word(recv(others[0], bytes, 0, 0)));
  printf("%s", word(recv(others[0], bytes, 0, 0)));
}
static void receive_nothing(void) {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, others) == 0);
  printf("%s", word(recv(others[0], NULL, 0, 0)));
}

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
    {"pipe_in_parts", pipe_in_parts},
    {"replaced", replaced},
    {"replaced_file", replaced_file},
    {"socket_reset", socket_reset},
    {"socket_shutdown", socket_shutdown},
    {"no_socket", no_socket},
    {"other_flags", other_flags},
    {"counter_full", counter_full},
    {"periodic", periodic},
    {"minutes", minutes},
    {"minutes_of_two", minutes_of_two},
    {"for_ever", for_ever},
    {"epoll_order", epoll_order},
    {"nested", nested},
    {"queue_order", queue_order},
    {"queue_full", queue_full},
    {"queue_full_for_ever", queue_full_for_ever},
    {"queue_timed", queue_timed},
    {"queue_nonblocking", queue_nonblocking},
    {"queue_names", queue_names},
    {"queue_notify", queue_notify},
    {"flag_set_late", flag_set_late},
    {"closed_inside", closed_inside},
    {"held_end", held_end},
    {"held_writer", held_writer},
    {"poll_closed", poll_closed},
    {"poll_replaced", poll_replaced},
    {"lengths", lengths},
    {"receive_nothing", receive_nothing},
};

int main(int argc, char** argv) {
  for (unsigned i = 0; i < sizeof kScenarios / sizeof kScenarios[0]; ++i)
    if (argc > 1 && strcmp(argv[1], kScenarios[i].name) == 0) {
      kScenarios[i].run();
      return 0;
    }
  return 2;
}
