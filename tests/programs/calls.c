/* Rarer calls: some are refused by name, others fail or drop contents as in Linux. The first argument names the
 * scenario; src/program/calls_test.cpp has what is to be found. */
#define _GNU_SOURCE
#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment"
#endif
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

static pthread_t start(void* (*body)(void*)) {
  pthread_t t;
  if (pthread_create(&t, NULL, body, NULL) != 0) abort();
  return t;
}
static void two(void* (*body)(void*), void* (*other)(void*)) {
  pthread_t t = start(body), u = start(other);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}

/* Other processes. */
static void queues_signal(void) { sigqueue(getpid(), SIGUSR1, (union sigval){0}); }
static void kills_group(void) { killpg(getpid(), 0); }
static void kills_stranger(void) { tgkill(getpid() + 1, getpid() + 1, 0); }
static void kills_nobody(void) { tgkill(getpid(), getpid() + 7, 0); }
static void becomes_daemon(void) { assert(daemon(1, 1) == 0); }
static void waits_for_child(void) { wait4(-1, NULL, WNOHANG, NULL); }
static void runs_command(void) {
  wordexp_t words;
  wordexp("$(true)", &words, 0);
}
static void expands(void) {
  wordexp_t words;
  assert(wordexp("a 'b c'", &words, 0) == 0 && words.we_wordc == 2 && strcmp(words.we_wordv[1], "b c") == 0);
  wordfree(&words);
}
static void changes_user(void) { assert(setuid(getuid()) == 0); }
static void reads_later(void) {
  struct aiocb block = {.aio_fildes = 0};
  aio_read(&block);
}
static void locks_all(void) { mlockall(MCL_CURRENT); }

/* Signals that a thread sends to itself, in three ways. */
static int handled;
static void count(int number) {
  (void)number;
  ++handled;
}
static void signals_itself(void) {
  signal(SIGUSR1, count);
  assert(tgkill(getpid(), gettid(), SIGUSR1) == 0 && gsignal(SIGUSR1) == 0 && raise(SIGUSR1) == 0);
  assert(tgkill(getpid(), gettid(), 0) == 0 && handled == 3);
}

/* Locks. */
static void prefers_writers(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlock_t lock;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
}
static void prefers_writers_statically(void) {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
  pthread_rwlock_tryrdlock(&lock);
}
static void fails_as_in_linux(void) {
  const struct timespec late = {1, 0}, invalid = {1, 2000000000};
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_timedlock(&mutex, &late) == EDEADLK && pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  assert(pthread_cond_timedwait(&condition, &mutex, &invalid) == EINVAL);
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  assert(pthread_rwlock_timedwrlock(&lock, &invalid) == EINVAL && pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_rwlock_timedwrlock(&lock, &late) == EDEADLK && pthread_rwlock_timedrdlock(&lock, &late) == EDEADLK);
  sem_t semaphore;
  assert(sem_init(&semaphore, 0, SEM_VALUE_MAX + 1U) == -1 && errno == EINVAL);
  assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
  assert(sem_timedwait(&semaphore, &invalid) == -1 && errno == EINVAL);
}
static void posts_beyond(void) {
  sem_t semaphore;
  sem_init(&semaphore, 0, SEM_VALUE_MAX);
  sem_post(&semaphore);
}

/* Memory. What drops contents is a write. */
enum { PAGE = 4096 };
static char* pages;
static atomic_int shared;
static int* mapped_before;
__attribute__((constructor)) static void before_main(void) {
  mapped_before = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}
static void* store_one(void* p) {
  atomic_store(&shared, 1);
  return p;
}
static void* store_two(void* p) {
  atomic_store(&shared, 2);
  return p;
}
static void* map_pages(void) {
  return mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
/* The same in every execution. */
static void starts_anew(void) {
  const int before = ++*mapped_before;
  two(store_one, store_two);
  printf("%d", before);
}
static void drops_contents(void) {
  pages = map_pages();
  memset(pages, 7, 2 * PAGE);
  two(store_one, store_two);
  assert(madvise(pages, PAGE, MADV_DONTNEED) == 0 && pages[0] == 0 && pages[PAGE] == 7);
  assert(mmap(pages + PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
         pages + PAGE);
  assert(pages[PAGE] == 0);
  pages[0] = 3;
  pages = mremap(pages, 2 * PAGE, 4 * PAGE, MREMAP_MAYMOVE);
  assert(pages[0] == 3 && pages[3 * PAGE] == 0);
  munmap(pages, 4 * PAGE);
}
static void* store_to_page(void* p) {
  pages[1] = 1;
  return p;
}
static void* drop_page(void* p) {
  madvise(pages, PAGE, MADV_DONTNEED);
  return p;
}
static void* map_over_page(void* p) {
  mmap(pages, PAGE, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p;
}
static void* move_pages(void* p) {
  mremap(pages, 2 * PAGE, 4 * PAGE, MREMAP_MAYMOVE);
  return p;
}
static void drops_what_another_writes(void) {
  pages = map_pages();
  two(store_to_page, drop_page);
}
static void maps_over_what_another_writes(void) {
  pages = map_pages();
  two(store_to_page, map_over_page);
}
static void moves_what_another_writes(void) {
  pages = map_pages();
  two(store_to_page, move_pages);
}
static void* protect_page(void* p) {
  mprotect(pages, PAGE, PROT_READ);
  return p;
}
static void protects(void) {
  pages = map_pages();
  two(protect_page, store_one);
}

/* Plain variables that atomic operations read and write. */
struct Large {
  char bytes[24];
};
static int expected;
static struct Large atomic_object, plain_object;
static int plain_last;
static void* exchange_in_vain(void* p) {
  __atomic_compare_exchange_n((int*)&shared, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return p;
}
static void* read_expected(void* p) {
  plain_last = *(volatile int*)&expected;
  return p;
}
static void* load_large(void* p) {
  __atomic_load(&atomic_object, &plain_object, __ATOMIC_SEQ_CST);
  return p;
}
static void* store_large(void* p) {
  __atomic_store(&atomic_object, &plain_object, __ATOMIC_SEQ_CST);
  return p;
}
static void* write_large(void* p) {
  *(volatile char*)&plain_object.bytes[23] = 1;
  return p;
}
static void fails_to_exchange(void) {
  atomic_store(&shared, 1);
  two(exchange_in_vain, read_expected);
}
static void loads_into_plain(void) { two(load_large, write_large); }
static void stores_from_plain(void) { two(store_large, write_large); }

int main(int argc, char** argv) {
  const char* scenario = argc > 1 ? argv[1] : "";
#define SCENARIO(NAME) \
  if (strcmp(scenario, #NAME) == 0) return NAME(), 0;
  SCENARIO(queues_signal)
  SCENARIO(kills_group)
  SCENARIO(kills_stranger)
  SCENARIO(kills_nobody)
  SCENARIO(becomes_daemon)
  SCENARIO(waits_for_child)
  SCENARIO(runs_command)
  SCENARIO(expands)
  SCENARIO(changes_user)
  SCENARIO(reads_later)
  SCENARIO(locks_all)
  SCENARIO(signals_itself)
  SCENARIO(prefers_writers)
  SCENARIO(prefers_writers_statically)
  SCENARIO(fails_as_in_linux)
  SCENARIO(posts_beyond)
  SCENARIO(starts_anew)
  SCENARIO(drops_contents)
  SCENARIO(drops_what_another_writes)
  SCENARIO(maps_over_what_another_writes)
  SCENARIO(moves_what_another_writes)
  SCENARIO(protects)
  SCENARIO(fails_to_exchange)
  SCENARIO(loads_into_plain)
  SCENARIO(stores_from_plain)
  return 2;
}
