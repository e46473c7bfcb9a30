// What functions of the C library read and write through the pointers that a program passes. Each scenario races with
// an access of another thread, and its twin, which has a mutex, does not. The first argument names the scenario; a
// comment with its name stands on the line of a race.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <threads.h>
#include <unistd.h>

std::mutex m;
int x = 1;
int ends[2];
char text[64] = "abc";
char* line;
std::size_t room;
void* result;
time_t seconds;
timespec now;
timeval instant;
tms used;
sem_t semaphore;
pthread_t handle;
thrd_t c11_handle;
pthread_key_t key;
pollfd watched;
fd_set set;
sigset_t mask;
struct sigaction action;
cpu_set_t processors;
struct stat status;
utsname names;
itimerspec setting;
mq_attr attributes;
epoll_event event;
iovec part = {text, 3};

namespace {

__attribute__((noinline)) void use(long value) { __asm__ volatile("" : : "r"(value)); }

template <class F, class G>
void both(F f, G g) {
  std::thread t(f);
  g();
  t.join();
}

void* nothing(void*) { return nullptr; }
int nothing_else(void*) { return 3; }
void* read_handle(void*) {
  use(static_cast<long>(handle));
  return nullptr;
}

pthread_t start(void* (*body)(void*)) {
  pthread_t t;
  pthread_create(&t, nullptr, body, nullptr);
  return t;
}
thrd_t start() {
  thrd_t t;
  thrd_create(&t, nothing_else, nullptr);
  return t;
}

/// A pipe that holds some bytes.
int filled() {
  int made[2];
  if (pipe(made) != 0 || write(made[1], "wxyz", 4) != 4) abort();
  return made[0];
}
int pipe_to() {
  int made[2];
  if (pipe(made) != 0) abort();
  return made[1];
}
int watching() {
  watched = {filled(), POLLIN, 0};
  return watched.fd;
}
int selecting() {
  const int file = filled();
  FD_ZERO(&set);
  FD_SET(file, &set);
  return file;
}
int timer() { return timerfd_create(CLOCK_MONOTONIC, 0); }
mqd_t queue() { return mq_open("/arguments", O_RDWR | O_CREAT | O_NONBLOCK, 0600, nullptr); }
FILE* lines() {
  FILE* const file = tmpfile();
  fputs("first\nsecond\n", file);
  rewind(file);
  return file;
}
int bytes() { return fileno(lines()); }

// SETUP is done first, by main; then one thread calls CALL and the other makes the access USE.
#define WITH(NAME, SETUP, CALL, USE)           \
  void NAME() {                                \
    [[maybe_unused]] const auto given = SETUP; \
    both([=] { (void)!(CALL); }, [] { USE; }); \
  }                                            \
  void NAME##_locked() {                       \
    [[maybe_unused]] const auto given = SETUP; \
    both(                                      \
        [=] {                                  \
          std::lock_guard lock(m);             \
          (void)!(CALL);                       \
        },                                     \
        [] {                                   \
          std::lock_guard lock(m);             \
          USE;                                 \
        });                                    \
  }
#define CALL(NAME, CALL, USE) WITH(NAME, 0, CALL, USE)

// clang-format off
CALL(clock_read, clock_gettime(CLOCK_MONOTONIC, &now), use(now.tv_nsec)) /* clock_read */
CALL(clock_by_number, syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now), use(now.tv_nsec)) /* clock_by_number */
CALL(c11_clock, timespec_get(&now, TIME_UTC), use(now.tv_nsec)) /* c11_clock */
CALL(day, gettimeofday(&instant, nullptr), use(instant.tv_usec)) /* day */
CALL(second, time(&seconds), use(seconds)) /* second */
CALL(time_used, times(&used), use(used.tms_utime)) /* time_used */
CALL(nap, nanosleep(&now, nullptr), now.tv_sec = 1) /* nap */
CALL(clock_nap, clock_nanosleep(CLOCK_MONOTONIC, 0, &now, nullptr), now.tv_sec = 1) /* clock_nap */
CALL(c11_nap, thrd_sleep(&now, nullptr), now.tv_sec = 1) /* c11_nap */
CALL(semaphore_value, sem_getvalue(&semaphore, &x), use(x)) /* semaphore_value */
CALL(thread_id, (pthread_create(&handle, nullptr, nothing, nullptr), pthread_join(handle, nullptr)), use(static_cast<long>(handle))) /* thread_id */
CALL(c11_thread_id, (thrd_create(&c11_handle, nothing_else, nullptr), thrd_join(c11_handle, nullptr)), use(static_cast<long>(c11_handle))) /* c11_thread_id */
WITH(join_result, start(nothing), pthread_join(given, &result), use(result != nullptr)) /* join_result */
WITH(c11_join_result, start(), thrd_join(given, &x), use(x)) /* c11_join_result */
CALL(key_number, pthread_key_create(&key, nullptr), use(key)) /* key_number */
CALL(c11_key_number, tss_create(&key, nullptr), use(key)) /* c11_key_number */
CALL(pipe_ends, pipe(ends), use(ends[1])) /* pipe_ends */
CALL(pipe2_ends, pipe2(ends, O_NONBLOCK), use(ends[1])) /* pipe2_ends */
CALL(socket_ends, socketpair(AF_UNIX, SOCK_STREAM, 0, ends), use(ends[1])) /* socket_ends */
WITH(polled, watching(), poll(&watched, 1, 0), use(watched.revents)) /* polled */
WITH(polling, watching(), poll(&watched, 1, 0), watched.events = POLLOUT) /* polling */
WITH(selected, selecting(), select(given + 1, &set, nullptr, nullptr, nullptr), use(set.fds_bits[0])) /* selected */
WITH(select_time, 0, select(0, nullptr, nullptr, nullptr, &instant), instant.tv_usec = 1) /* select_time */
WITH(received, filled(), read(given, text, 2), use(text[1])) /* received */
WITH(sent, pipe_to(), write(given, text, 2), text[1] = 'z') /* sent */
WITH(registered, filled(), epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, given, &event), event.data.fd = 1) /* registered */
WITH(timer_setting, timer(), timerfd_gettime(given, &setting), use(setting.it_value.tv_sec)) /* timer_setting */
WITH(timer_armed, timer(), timerfd_settime(given, 0, &setting, nullptr), setting.it_value.tv_sec = 1) /* timer_armed */
WITH(timer_before, timer(), timerfd_settime(given, 0, &setting, &setting), use(setting.it_value.tv_sec)) /* timer_before */
WITH(queue_state, queue(), mq_getattr(given, &attributes), use(attributes.mq_curmsgs)) /* queue_state */
WITH(queue_flags, queue(), mq_setattr(given, &attributes, nullptr), attributes.mq_flags = 0) /* queue_flags */
CALL(random_bytes, getrandom(text, 8, 0), use(text[7])) /* random_bytes */
CALL(random_by_number, syscall(SYS_getrandom, text, 8, 0), use(text[7])) /* random_by_number */
CALL(entropy, getentropy(text, 8), use(text[7])) /* entropy */
CALL(mask_before, pthread_sigmask(SIG_BLOCK, nullptr, &mask), use(*reinterpret_cast<int*>(&mask))) /* mask_before */
CALL(mask_wanted, sigprocmask(SIG_BLOCK, &mask, nullptr), *reinterpret_cast<int*>(&mask) = 0) /* mask_wanted */
CALL(signals_pending, sigpending(&mask), *reinterpret_cast<int*>(&mask) = 0) /* signals_pending */
CALL(action_before, sigaction(SIGUSR1, nullptr, &action), use(action.sa_flags)) /* action_before */
CALL(action_wanted, sigaction(SIGUSR1, &action, nullptr), action.sa_flags = SA_RESTART) /* action_wanted */
CALL(affinity, sched_getaffinity(0, sizeof processors, &processors), use(processors.__bits[0])) /* affinity */
CALL(thread_affinity, pthread_getaffinity_np(pthread_self(), sizeof processors, &processors), use(processors.__bits[0])) /* thread_affinity */
CALL(file_status, stat("/", &status), use(status.st_mode)) /* file_status */
CALL(folder, getcwd(text, sizeof text) != nullptr, use(text[0])) /* folder */
CALL(link_target, readlink("/proc/self/cwd", text, sizeof text), use(text[0])) /* link_target */
CALL(system_name, uname(&names), use(names.sysname[0])) /* system_name */
CALL(aligned, posix_memalign(&result, 64, 64), use(result != nullptr)) /* aligned */
WITH(line_read, lines(), fgets(text, sizeof text, given) != nullptr, use(text[0])) /* line_read */
WITH(line_allocated, lines(), getline(&line, &room, given), use(line != nullptr)) /* line_allocated */
WITH(elements_read, lines(), fread(text, 2, 3, given), use(text[5])) /* elements_read */
WITH(file_read, bytes(), pread(given, text, 3, 0), use(text[2])) /* file_read */
WITH(parts_read, bytes(), readv(given, &part, 1), use(text[2])) /* parts_read */
WITH(file_written, bytes(), pwrite(given, text, 3, 0), text[2] = 'z') /* file_written */
WITH(line_written, lines(), fputs(text, given), text[2] = 'z') /* line_written */
WITH(elements_written, lines(), fwrite(text, 1, 3, given), text[2] = 'z') /* elements_written */
CALL(printed, puts(text), text[2] = 'z') /* printed */
CALL(printed_bytes, write(1, text, 3), text[2] = 'z') /* printed_bytes */
CALL(printed_parts, writev(1, &part, 1), text[2] = 'z') /* printed_parts */
// clang-format on

// As in the C library, the number of a thread is there before it starts.
void own_id() {
  pthread_create(&handle, nullptr, read_handle, nullptr);
  pthread_join(handle, nullptr);
}
// What is beside the result is not touched.
void beside_events() {
  watching();
  both([] { poll(&watched, 1, 0); }, [] { use(watched.fd + watched.events); });
}
void beside_text() {
  const int file = filled();
  both([=] { use(read(file, text, 2)); }, [] { use(text[2] = 'z'); });
}
void two_read() {
  both([] { puts(text); }, [] { use(text[2]); });
}

struct Scenario {
  const char* name;
  void (*run)();
};
#define SCENARIO(NAME) \
  { #NAME, NAME }
const Scenario scenarios[] = {
    SCENARIO(clock_read),
    SCENARIO(clock_read_locked),
    SCENARIO(clock_by_number),
    SCENARIO(clock_by_number_locked),
    SCENARIO(c11_clock),
    SCENARIO(c11_clock_locked),
    SCENARIO(day),
    SCENARIO(day_locked),
    SCENARIO(second),
    SCENARIO(second_locked),
    SCENARIO(time_used),
    SCENARIO(time_used_locked),
    SCENARIO(nap),
    SCENARIO(nap_locked),
    SCENARIO(clock_nap),
    SCENARIO(clock_nap_locked),
    SCENARIO(c11_nap),
    SCENARIO(c11_nap_locked),
    SCENARIO(semaphore_value),
    SCENARIO(semaphore_value_locked),
    SCENARIO(thread_id),
    SCENARIO(thread_id_locked),
    SCENARIO(c11_thread_id),
    SCENARIO(c11_thread_id_locked),
    SCENARIO(join_result),
    SCENARIO(join_result_locked),
    SCENARIO(c11_join_result),
    SCENARIO(c11_join_result_locked),
    SCENARIO(key_number),
    SCENARIO(key_number_locked),
    SCENARIO(c11_key_number),
    SCENARIO(c11_key_number_locked),
    SCENARIO(pipe_ends),
    SCENARIO(pipe_ends_locked),
    SCENARIO(pipe2_ends),
    SCENARIO(pipe2_ends_locked),
    SCENARIO(socket_ends),
    SCENARIO(socket_ends_locked),
    SCENARIO(polled),
    SCENARIO(polled_locked),
    SCENARIO(polling),
    SCENARIO(polling_locked),
    SCENARIO(selected),
    SCENARIO(selected_locked),
    SCENARIO(select_time),
    SCENARIO(select_time_locked),
    SCENARIO(received),
    SCENARIO(received_locked),
    SCENARIO(sent),
    SCENARIO(sent_locked),
    SCENARIO(registered),
    SCENARIO(registered_locked),
    SCENARIO(timer_setting),
    SCENARIO(timer_setting_locked),
    SCENARIO(timer_armed),
    SCENARIO(timer_armed_locked),
    SCENARIO(timer_before),
    SCENARIO(timer_before_locked),
    SCENARIO(queue_state),
    SCENARIO(queue_state_locked),
    SCENARIO(queue_flags),
    SCENARIO(queue_flags_locked),
    SCENARIO(random_bytes),
    SCENARIO(random_bytes_locked),
    SCENARIO(random_by_number),
    SCENARIO(random_by_number_locked),
    SCENARIO(entropy),
    SCENARIO(entropy_locked),
    SCENARIO(mask_before),
    SCENARIO(mask_before_locked),
    SCENARIO(mask_wanted),
    SCENARIO(mask_wanted_locked),
    SCENARIO(signals_pending),
    SCENARIO(signals_pending_locked),
    SCENARIO(action_before),
    SCENARIO(action_before_locked),
    SCENARIO(action_wanted),
    SCENARIO(action_wanted_locked),
    SCENARIO(affinity),
    SCENARIO(affinity_locked),
    SCENARIO(thread_affinity),
    SCENARIO(thread_affinity_locked),
    SCENARIO(file_status),
    SCENARIO(file_status_locked),
    SCENARIO(folder),
    SCENARIO(folder_locked),
    SCENARIO(link_target),
    SCENARIO(link_target_locked),
    SCENARIO(system_name),
    SCENARIO(system_name_locked),
    SCENARIO(aligned),
    SCENARIO(aligned_locked),
    SCENARIO(line_read),
    SCENARIO(line_read_locked),
    SCENARIO(line_allocated),
    SCENARIO(line_allocated_locked),
    SCENARIO(elements_read),
    SCENARIO(elements_read_locked),
    SCENARIO(file_read),
    SCENARIO(file_read_locked),
    SCENARIO(parts_read),
    SCENARIO(parts_read_locked),
    SCENARIO(file_written),
    SCENARIO(file_written_locked),
    SCENARIO(line_written),
    SCENARIO(line_written_locked),
    SCENARIO(elements_written),
    SCENARIO(elements_written_locked),
    SCENARIO(printed),
    SCENARIO(printed_locked),
    SCENARIO(printed_bytes),
    SCENARIO(printed_bytes_locked),
    SCENARIO(printed_parts),
    SCENARIO(printed_parts_locked),
    SCENARIO(own_id),
    SCENARIO(beside_events),
    SCENARIO(beside_text),
    SCENARIO(two_read),
};

}  // namespace

int main(int argc, char** argv) {
  sem_init(&semaphore, 0, 2);
  for (const Scenario& scenario : scenarios)
    if (argc > 1 && std::strcmp(argv[1], scenario.name) == 0) {
      scenario.run();
      return 0;
    }
  return 2;
}
