/* One scenario per kind of POSIX object, chosen by the first argument. What main prints at its end, over all schedules,
 * is what src/program/programs_test.cpp expects. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mazurka/mazurka.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y;
static atomic_int a, b;

static pthread_t start(void* (*body)(void*), intptr_t argument) {
  pthread_t t;
  assert(pthread_create(&t, NULL, body, (void*)argument) == 0);
  return t;
}
static void* join(pthread_t t) {
  void* result;
  assert(pthread_join(t, &result) == 0);
  return result;
}
static void both(void* (*body1)(void*), void* (*body2)(void*)) {
  pthread_t t = start(body1, 1);
  pthread_t u = start(body2, 2);
  join(t);
  join(u);
}

static void* append(void* p) {
  pthread_mutex_lock(&m);
  x = x * 10 + (int)(intptr_t)p;
  pthread_mutex_unlock(&m);
  return p;
}
static void mutex(void) {
  both(append, append);
  printf("%d", x);
}

static void* try_append(void* p) {
  if (pthread_mutex_trylock(&m) == 0) {
    x = x * 10 + (int)(intptr_t)p;
    pthread_mutex_unlock(&m);
  } else {
    atomic_fetch_add(&a, 1);
  }
  return NULL;
}
static void trylock(void) {
  both(try_append, try_append);
  printf("%d,%d", x, a);
}

static void* timed_append(void* p) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 5;
  if (pthread_mutex_timedlock(&m, &deadline) == 0) {
    x = x * 10 + (int)(intptr_t)p;
    pthread_mutex_unlock(&m);
  } else {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec >= deadline.tv_sec);
    atomic_fetch_add(&a, 1);
  }
  return NULL;
}
static void timedlock(void) {
  both(timed_append, timed_append);
  printf("%d,%d", x, a);
}

static void kinds(void) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t recursive, checking;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_unlock(&checking) == EPERM);
  assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_destroy(&recursive) == 0 && pthread_mutex_destroy(&checking) == 0);
  printf("ok");
}

static void* lock_12(void* p) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m2);
  pthread_mutex_unlock(&m2);
  pthread_mutex_unlock(&m);
  return p;
}
static void* lock_21(void* p) {
  pthread_mutex_lock(&m2);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m2);
  return p;
}
static void deadlock(void) {
  both(lock_12, lock_21);
  printf("ok");
}

static void double_lock(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
}
static void* lock_only(void* p) {
  pthread_mutex_lock(&m);
  return p;
}
static void foreign_unlock(void) {
  join(start(lock_only, 0));
  pthread_mutex_unlock(&m);
}
static void destroy_in_use(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_destroy(&m);
}

static void* wait_for_x(void* p) {
  pthread_mutex_lock(&m);
  while (x == 0) pthread_cond_wait(&c, &m);
  y += x;
  pthread_mutex_unlock(&m);
  return p;
}
static void* set_x(void* p) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}
static void condition(void) {
  both(wait_for_x, set_x);
  printf("%d", y);
}

static void* wait_once(void* p) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return p;
}
static void* signal_only(void* p) {
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}
static void lost_wakeup(void) {
  both(wait_once, signal_only);
  printf("ok");
}

static void* queue_up(void* p) {
  pthread_mutex_lock(&m);
  ++y;
  pthread_cond_wait(&c, &m);
  x = x * 10 + (int)(intptr_t)p;
  pthread_mutex_unlock(&m);
  return p;
}
static void* wake_both(void* p) {
  for (int woken = 0; woken < 2;) {
    pthread_mutex_lock(&m);
    if (y == 2) {
      pthread_cond_signal(&c);
      pthread_cond_signal(&c);
      woken = 2;
    }
    pthread_mutex_unlock(&m);
    if (woken == 0) mazurka_assume(0);
  }
  return p;
}
static void several_waiters(void) {
  pthread_t t = start(queue_up, 1), u = start(queue_up, 2), v = start(wake_both, 3);
  join(t), join(u), join(v);
  printf("%d", x);
}
static void* broadcast(void* p) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return p;
}
static void broadcast_two(void) {
  pthread_t t = start(wait_for_x, 1), u = start(wait_for_x, 2), v = start(broadcast, 3);
  join(t), join(u), join(v);
  printf("%d", y);
}

static void* timed_wait(void* p) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  pthread_mutex_lock(&m);
  y = x;
  if (x == 0) y = pthread_cond_timedwait(&c, &m, &deadline) == ETIMEDOUT ? 7 : 3;
  pthread_mutex_unlock(&m);
  return p;
}
static void timed_condition(void) {
  both(timed_wait, set_x);
  printf("%d,%d", x, y);
}

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static void* reader(void* p) {
  pthread_rwlock_rdlock(&rw);
  int first = x;
  atomic_fetch_add(&a, first);
  assert(first == x);
  pthread_rwlock_unlock(&rw);
  return p;
}
static void* writer(void* p) {
  pthread_rwlock_wrlock(&rw);
  x = 1;
  pthread_rwlock_unlock(&rw);
  return p;
}
static void rwlock(void) {
  pthread_t t = start(reader, 1), u = start(reader, 2), v = start(writer, 3);
  join(t), join(u), join(v);
  printf("%d", a);
}
static void* try_reader(void* p) {
  int ok = pthread_rwlock_tryrdlock(&rw) == 0;
  if (ok) pthread_rwlock_unlock(&rw);
  atomic_store(&a, ok);
  return p;
}
static void* try_writer(void* p) {
  int ok = pthread_rwlock_trywrlock(&rw) == 0;
  if (ok) pthread_rwlock_unlock(&rw);
  atomic_store(&b, ok);
  return p;
}
static void try_rwlock(void) {
  both(try_reader, try_writer);
  printf("%d,%d", a, b);
}

static pthread_barrier_t barrier_object;
static void* meet(void* p) {
  atomic_fetch_add(&a, 1);
  int serial = pthread_barrier_wait(&barrier_object) == PTHREAD_BARRIER_SERIAL_THREAD;
  assert(atomic_load(&a) == 2);
  if (serial) x = (int)(intptr_t)p;
  return p;
}
static void barrier(void) {
  pthread_barrier_init(&barrier_object, NULL, 2);
  both(meet, meet);
  pthread_barrier_destroy(&barrier_object);
  printf("%d", x);
}

static pthread_spinlock_t spin_object;
static void* spin_append(void* p) {
  pthread_spin_lock(&spin_object);
  x = x * 10 + (int)(intptr_t)p;
  pthread_spin_unlock(&spin_object);
  return p;
}
static void spin(void) {
  pthread_spin_init(&spin_object, PTHREAD_PROCESS_PRIVATE);
  both(spin_append, spin_append);
  pthread_spin_destroy(&spin_object);
  printf("%d", x);
}

static sem_t sem;
static sem_t* sem_used = &sem;
static void* consume(void* p) {
  sem_wait(sem_used);
  atomic_fetch_add(&a, 1);
  return p;
}
static void* produce(void* p) {
  int seen = atomic_load(&a);
  sem_post(sem_used);
  x = seen;
  return p;
}
static void semaphore(void) {
  sem_init(&sem, 0, 0);
  both(consume, produce);
  sem_destroy(&sem);
  printf("%d,%d", a, x);
}
static void named_semaphore(void) {
  sem_used = sem_open("/mazurka-test", O_CREAT | O_EXCL, 0600, 0);
  assert(sem_used != SEM_FAILED && sem_open("/mazurka-test", 0) == sem_used);
  both(consume, produce);
  assert(sem_close(sem_used) == 0 && sem_unlink("/mazurka-test") == 0);
  assert(sem_open("/mazurka-test", 0) == SEM_FAILED);
  printf("%d,%d", a, x);
}
static void* try_consume(void* p) {
  if (sem_trywait(sem_used) == 0) x = 1;
  return p;
}
static void try_semaphore(void) {
  sem_init(&sem, 0, 0);
  both(try_consume, produce);
  printf("%d", x == 1);
}

static pthread_once_t once_object = PTHREAD_ONCE_INIT;
static void initialise(void) { atomic_fetch_add(&a, 1); }
static void* enter_once(void* p) {
  pthread_once(&once_object, initialise);
  assert(atomic_load(&a) == 1);
  return p;
}
static void once(void) {
  both(enter_once, enter_once);
  printf("%d", a);
}

static pthread_key_t key;
static void at_end(void* value) { atomic_fetch_add(&a, (int)(intptr_t)value); }
static void* use_key(void* p) {
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, p);
  assert(pthread_getspecific(key) == p);
  return p;
}
static void keys(void) {
  pthread_key_create(&key, at_end);
  both(use_key, use_key);
  printf("%d", a);
}

static void clean_up(void* p) { x += (int)(intptr_t)p; }
static void* exits(void* p) {
  pthread_cleanup_push(clean_up, (void*)5);
  if (p != NULL) pthread_exit((void*)42);
  pthread_cleanup_pop(0);
  return NULL;
}
static void thread_exit(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_setguardsize(&attributes, 4096);
  pthread_t t;
  assert(pthread_create(&t, &attributes, exits, (void*)1) == 0);
  assert((intptr_t)join(t) == 42);
  printf("%d", x);
}
static pthread_t joined;
static void* join_other(void* p) {
  join(joined);
  return p;
}
static void joins_twice(void) {
  joined = start(exits, 0);
  join(joined);
  pthread_join(joined, NULL);
}
static void both_join(void) {
  joined = start(exits, 0);
  pthread_t t = start(join_other, 0);
  join(joined);
  join(t);
}
static void joins_detached(void) {
  joined = start(exits, 0);
  pthread_detach(joined);
  assert(pthread_join(joined, NULL) == EINVAL);
}

static void* store_1(void* p) {
  atomic_store(&a, 1);
  return p;
}
static void detached(void) {
  pthread_t t = start(store_1, 0);
  pthread_detach(t);
  assert(pthread_join(t, NULL) == EINVAL);
  printf("%d", atomic_load(&a));
}
static void main_exits(void) {
  start(store_1, 0);
  printf("main");
  pthread_exit(NULL);
}
static void main_returns(void) { start(store_1, 0); }

static _Thread_local int local = 3;
static void* use_local(void* p) {
  local += (int)(intptr_t)p;
  errno = 100 + (int)(intptr_t)p;
  atomic_fetch_add(&a, 1);
  assert(errno == 100 + (int)(intptr_t)p);
  return (void*)(intptr_t)local;
}
static void thread_local_data(void) {
  pthread_t t = start(use_local, 1), u = start(use_local, 2);
  errno = 5;
  int sum = (int)(intptr_t)join(t) + (int)(intptr_t)join(u);
  assert(errno == 5);
  printf("%d,%d", sum, local);
}

static void choices(void) {
  mazurka_nondet_range(-1, 1);
  int n = __VERIFIER_nondet_int();
  unsigned k = mazurka_choose(3);
  mazurka_assume(k != 1);
  printf("%d,%u", n, k);
}

static void* increment_atomically(void* p) {
  mazurka_atomic_begin();
  int old = atomic_load(&a);
  atomic_store(&a, old + 1);
  mazurka_atomic_end();
  return p;
}
static void* increment(void* p) {
  int old = atomic_load(&a);
  atomic_store(&a, old + 1);
  return p;
}
static void atomic_section(void) {
  both(increment_atomically, increment_atomically);
  printf("%d", a);
}
static void lost_update(void) {
  both(increment, increment);
  printf("%d", a);
}
static void* plain_increment(void* p) {
  x = x + 1;
  return p;
}
static void plain(void) {
  both(plain_increment, plain_increment);
  printf("%d", x);
}

static void* follow_null(void* p) {
  if (atomic_load(&a) == 1) *(volatile int*)p = 1;
  return NULL;
}
static void* exit_3(void* p) {
  if (atomic_load(&a) == 1) exit(3);
  return p;
}
static void* loop(void* p) {
  if (atomic_load(&a) == 1)
    for (volatile int i = 0;; i = 1 - i) {
    }
  return p;
}
static void* abort_now(void* p) {
  if (atomic_load(&a) == 1) abort();
  return p;
}
static int deep(volatile char* p) {
  volatile char frame[1024];
  frame[0] = *p;
  return deep(frame) + frame[0];
}
static void* overflow(void* p) {
  char c0 = 0;
  if (atomic_load(&a) == 1) return (void*)(intptr_t)deep(&c0);
  return p;
}
static void one_schedule_of_many(void* (*body)(void*)) {
  pthread_t t = start(store_1, 0), u = start(body, 0);
  join(t), join(u);
  printf("ok");
}

static void nondeterminism(void) {
  unsigned char bytes[4] = {0};
  int file = open("/dev/urandom", O_RDONLY);
  assert(file >= 0 && read(file, bytes, sizeof bytes) == sizeof bytes);
  close(file);
  void* heap = malloc(10);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  atomic_store(&a, (int)(bytes[0] ^ rand() ^ (int)time(NULL) ^ (int)now.tv_nsec ^ (int)(intptr_t)heap ^ getpid()));
  printf("%d %p %p", (int)time(NULL), heap, (void*)&local);
}
/* What the kernel gives each process for its own use is not the same in another worker. */
static void uncontrolled(void) {
  int number;
  memcpy(&number, (const void*)getauxval(AT_RANDOM), sizeof number);
  atomic_store(&a, number);
  atomic_load(&a);
}
static void forks(void) { fork(); }
static void handler(int number) { (void)number; }
static void handles_signal(void) { signal(SIGUSR1, handler); }
static void handles_sigaction(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
}
static void ignores_signal(void) { printf("%d", signal(SIGPIPE, SIG_IGN) == SIG_DFL); }
static void raises(void) { raise(SIGTERM); }
static void kills(void) { kill(getpid(), SIGTERM); }
static void kills_thread(void) { pthread_kill(pthread_self(), SIGTERM); }
static void calls_by_number(void) { syscall(SYS_timerfd_create, 0, 0); }
static void spawns(void) { assert(system("true") == 0); }
static void polls(void) { poll(NULL, 0, 1000); }

/* System calls that write to memory which the snapshot protects. */
static char static_buffer[3 * 8192];
static struct stat static_stat;
static struct timespec static_time;
static struct utsname static_name;
static void static_buffers(void) {
  int file = open("/proc/self/exe", O_RDONLY);
  assert(file >= 0 && read(file, static_buffer + 4096, 8192) == 8192);
  assert(pread(file, static_buffer + 16384, 4, 0) == 4 && memcmp(static_buffer + 16384, "\177ELF", 4) == 0);
  assert(fstat(file, &static_stat) == 0 && stat("/proc/self/exe", &static_stat) == 0 && static_stat.st_size > 0);
  close(file);
  assert(clock_gettime(CLOCK_MONOTONIC, &static_time) == 0 && uname(&static_name) == 0);
  assert(getcwd(static_buffer, 4096) != NULL);
  FILE* stream = fopen("/proc/self/exe", "r");
  assert(stream != NULL && fread(static_buffer, 1, sizeof static_buffer, stream) == sizeof static_buffer);
  fclose(stream);
  printf("ok");
}

static void* slow(void* p) {
  atomic_store(&a, 1);
  return p;
}
static void timed_join(void) {
  pthread_t t = start(slow, 7);
  void* result = NULL;
  struct timespec deadline = {.tv_sec = 2000000000};
  const int error = pthread_timedjoin_np(t, &result, &deadline);
  printf("%d,%d,%d", error == 0 ? (int)(intptr_t)result : -1, error == ETIMEDOUT, error == 0 ? 1 : atomic_load(&a));
  if (error != 0) join(t);
}
static void try_join(void) {
  pthread_t t = start(slow, 7);
  const int error = pthread_tryjoin_np(t, NULL);
  printf("%d", error == EBUSY);
  if (error != 0) join(t);
}
static void blocks(void) {
  char byte;
  int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
  assert(terminal >= 0);
  assert(read(terminal, &byte, 1) == 1);
}
static void at_the_end(void) { printf(" bye"); }
static void handlers(void) {
  atexit(at_the_end);
  printf("main");
}

/* Handlers run in the reverse order of their registration. */
static void first_handler(void) { printf("1"); }
static void second_handler(void) { printf("2"); }
static void* register_first(void* unused) {
  atexit(first_handler);
  return unused;
}
static void* register_second(void* unused) {
  atexit(second_handler);
  return unused;
}
static void handlers_of_two(void) {
  pthread_t t = start(register_first, 0), u = start(register_second, 0);
  join(t), join(u);
}
/* Who creates a key first gets the smaller number. */
static void* create_key_of(void* key) {
  pthread_key_create(key, NULL);
  return NULL;
}
static void key_numbers(void) {
  pthread_key_t keys[2];
  pthread_t t = start(create_key_of, (intptr_t)&keys[0]), u = start(create_key_of, (intptr_t)&keys[1]);
  join(t), join(u);
  printf("%d", keys[0] < keys[1]);
}
/* No destructor runs once the key is deleted. */
static pthread_key_t deleted;
static int destroyed;
static void note_destruction(void* value) { destroyed = *(int*)value; }
static void* hold_value(void* value) {
  pthread_setspecific(deleted, value);
  return NULL;
}
static void deleted_key(void) {
  int value = 1;
  pthread_key_create(&deleted, note_destruction);
  pthread_t t;
  pthread_create(&t, NULL, hold_value, &value);
  atomic_load(&a);
  pthread_key_delete(deleted);
  join(t);
  printf("%d", destroyed);
}

int main(int argc, char** argv) {
  const char* scenario = argc > 1 ? argv[1] : "mutex";
#define SCENARIO(NAME) \
  if (strcmp(scenario, #NAME) == 0) return NAME(), 0;
  SCENARIO(mutex)
  SCENARIO(trylock)
  SCENARIO(timedlock)
  SCENARIO(kinds)
  SCENARIO(deadlock)
  SCENARIO(double_lock) SCENARIO(foreign_unlock) SCENARIO(destroy_in_use) SCENARIO(condition) SCENARIO(lost_wakeup)
      SCENARIO(several_waiters) SCENARIO(broadcast_two) SCENARIO(timed_condition) SCENARIO(rwlock) SCENARIO(try_rwlock)
          SCENARIO(barrier) SCENARIO(spin) SCENARIO(semaphore) SCENARIO(named_semaphore) SCENARIO(try_semaphore)
              SCENARIO(once) SCENARIO(keys) SCENARIO(thread_exit) SCENARIO(detached) SCENARIO(joins_twice)
                  SCENARIO(both_join) SCENARIO(joins_detached) SCENARIO(main_exits) SCENARIO(main_returns) SCENARIO(thread_local_data)
                      SCENARIO(choices) SCENARIO(atomic_section) SCENARIO(lost_update) SCENARIO(plain)
                          SCENARIO(nondeterminism) SCENARIO(uncontrolled) SCENARIO(forks) SCENARIO(blocks)
                              SCENARIO(handlers) SCENARIO(handles_signal) SCENARIO(handles_sigaction)
                                  SCENARIO(ignores_signal) SCENARIO(raises) SCENARIO(kills) SCENARIO(kills_thread)
                                      SCENARIO(calls_by_number) SCENARIO(spawns) SCENARIO(polls)
                                          SCENARIO(static_buffers) SCENARIO(timed_join) SCENARIO(try_join)
                                              SCENARIO(handlers_of_two) SCENARIO(key_numbers) SCENARIO(deleted_key)
#define ONE_OF_MANY(NAME, BODY) \
  if (strcmp(scenario, #NAME) == 0) return one_schedule_of_many(BODY), 0;
                                              ONE_OF_MANY(null, follow_null) ONE_OF_MANY(exit_3, exit_3)
                                                  ONE_OF_MANY(loop, loop) ONE_OF_MANY(abort, abort_now)
                                                      ONE_OF_MANY(overflow, overflow)
                                                          fprintf(stderr, "no such scenario: %s\n", scenario);
  return 2;
}
