/* Threads that block, ignore, handle and send signals: what they asked for is what they see. The first
 * argument names the scenario; src/program/signals_test.cpp has what each prints. */
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

static pthread_key_t key;
static sigset_t all, old;
static char first_page[8192], second_page[8192], third_page[8192], fourth_page[8192];
static atomic_int a;

static int blocked(int number) {
  sigset_t now;
  assert(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0);
  return sigismember(&now, number);
}

/* The first writes to pages that were not written before, by a thread that blocks everything. */
static void* write_blocked(void* p) {
  sigset_t before;
  assert(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
  pthread_setspecific(key, &key);
  first_page[4096] = 1;
  atomic_fetch_add(&a, 1);
  second_page[4096] = 1;
  assert(blocked(SIGSEGV) && blocked(SIGUSR1) && !blocked(SIGKILL));
  assert(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
  assert(!blocked(SIGSEGV));
  return p;
}
static void two(void* (*body)(void*)) {
  pthread_t t, u;
  assert(pthread_create(&t, NULL, body, NULL) == 0 && pthread_create(&u, NULL, body, NULL) == 0);
  assert(pthread_join(t, NULL) == 0 && pthread_join(u, NULL) == 0);
}
static void all_blocked(void) {
  two(write_blocked);
  printf("%d", atomic_load(&a));
}

/* Each thread has a mask of its own, also while others run; it starts with its creator's. */
static void* inherits(void* p) {
  assert(blocked(SIGUSR1) && !blocked(SIGUSR2));
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  assert(sigprocmask(SIG_BLOCK, &set, &old) == 0);
  assert(sigismember(&old, SIGUSR1) && !sigismember(&old, SIGUSR2));
  atomic_fetch_add(&a, 1);
  assert(blocked(SIGUSR1) && blocked(SIGUSR2));
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
  atomic_fetch_add(&a, 1);
  assert(!blocked(SIGUSR1) && blocked(SIGUSR2));
  return p;
}
static int inherits_c11(void* p) {
  (void)p;
  return blocked(SIGUSR1) && !blocked(SIGUSR2);
}
static void per_thread(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
  pthread_t t;
  assert(pthread_create(&t, NULL, inherits, NULL) == 0);
  assert(blocked(SIGUSR1) && !blocked(SIGUSR2));
  atomic_fetch_add(&a, 1);
  assert(pthread_join(t, NULL) == 0);
  assert(blocked(SIGUSR1) && !blocked(SIGUSR2));
  thrd_t u;
  int result = 0;
  assert(thrd_create(&u, inherits_c11, NULL) == thrd_success && thrd_join(u, &result) == thrd_success && result == 1);
  printf("%d", atomic_load(&a));
}

static void* only_usr2(void* p) {
  third_page[4096] = 1;
  assert(!blocked(SIGUSR1) && blocked(SIGUSR2) && blocked(SIGSEGV));
  return p;
}
static void by_attribute(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGSEGV);
  pthread_attr_t attributes;
  assert(pthread_attr_init(&attributes) == 0 && pthread_attr_setsigmask_np(&attributes, &set) == 0);
  pthread_t t;
  assert(pthread_create(&t, &attributes, only_usr2, NULL) == 0 && pthread_join(t, NULL) == 0);
  pthread_attr_destroy(&attributes);
  printf("ok");
}

static void by_number(void) {
  uint64_t mask = ~0ULL, before = 1;
  assert(syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &before, 8) == 0 && before == 0);
  first_page[4096] = 1;
  assert(blocked(SIGSEGV) && blocked(SIGBUS));
  assert(syscall(SYS_rt_sigprocmask, 77, &mask, NULL, 8) == -1 && errno == EINVAL);
  assert(sigprocmask(77, &all, NULL) == -1 && errno == EINVAL && pthread_sigmask(77, &all, NULL) == EINVAL);
  assert(sigrelse(SIGSEGV) == 0 && !blocked(SIGSEGV) && sighold(SIGSEGV) == 0 && blocked(SIGSEGV));
  fourth_page[4096] = 1;
  sigset_t pending;
  memset(&pending, 255, sizeof pending);
  assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));
  printf("ok");
}

/* What is ignored, and an action that is asked for: the runtime's own handlers are nobody's business. */
static void dispositions(void) {
  struct sigaction action, before;
  assert(sigaction(SIGSEGV, NULL, &before) == 0 && before.sa_handler == SIG_DFL);
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  assert(sigaction(SIGSEGV, &action, &before) == 0 && before.sa_handler == SIG_DFL);
  first_page[4096] = 1;
  assert(sigaction(SIGSEGV, &before, &action) == 0 && action.sa_handler == SIG_IGN);
  assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL && signal(SIGPIPE, SIG_DFL) == SIG_IGN);
  assert(signal(1000, SIG_IGN) == SIG_ERR && errno == EINVAL);
  char stack[16384];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack}, now;
  assert(sigaltstack(&other, NULL) == 0 && sigaltstack(NULL, &now) == 0);
  second_page[4096] = 1;
  printf("ok");
}

/* A crash is reported, not suffered, by a thread that blocks all signals. */
static void* crash(void* p) {
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  *(volatile int*)p = 1;
  return p;
}
static void crashes(void) {
  pthread_t t;
  assert(pthread_create(&t, NULL, crash, NULL) == 0 && pthread_join(t, NULL) == 0);
}

/* Signals that a thread sends to itself. */
static volatile sig_atomic_t handled, told;
static void handler(int number) {
  (void)number;
  ++handled;
}
static void informed(int number, siginfo_t* information, void* context) {
  told = information->si_signo + (context != NULL && blocked(number) && blocked(SIGUSR2));
}
static void install(int number, void (*function)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = function;
  action.sa_flags = flags;
  sigaddset(&action.sa_mask, SIGUSR2);
  assert(sigaction(number, &action, NULL) == 0);
}
static void handles(void) {
  install(SIGUSR1, handler, 0);
  install(SIGINT, (void (*)(int))informed, SA_SIGINFO);
  assert(raise(SIGUSR1) == 0 && handled == 1);
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && handled == 2);
  assert(kill(getpid(), SIGUSR1) == 0 && handled == 3);
  assert(raise(SIGINT) == 0 && told == SIGINT + 1 && !blocked(SIGINT));
  assert(raise(SIGCHLD) == 0 && raise(0) == -1 && pthread_kill(pthread_self(), 0) == 0);
  printf("%d", handled);
}
static void holds(void) {
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  install(SIGUSR1, handler, 0);
  sigprocmask(SIG_BLOCK, &set, &old);
  raise(SIGUSR1);
  raise(SIGUSR1);
  assert(handled == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
  sigprocmask(SIG_SETMASK, &old, NULL);
  assert(handled == 1 && sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));
  int number = 0;
  sigprocmask(SIG_BLOCK, &set, &old);
  raise(SIGUSR1);
  assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  raise(SIGUSR1);
  assert(sigsuspend(&old) == -1 && errno == EINTR && handled == 2 && blocked(SIGUSR1));
  printf("ok");
}
static void handles_once(void) {
  install(SIGUSR1, handler, SA_RESETHAND);
  raise(SIGUSR1);
  raise(SIGUSR1);
}

/* Signals to other threads. */
static atomic_int flag, first, second;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void set_flag(int number) {
  (void)number;
  atomic_store(&flag, 1);
}
static void post(int number) {
  (void)number;
  sem_post(&semaphore);
}
static void* look_twice(void* p) {
  atomic_store(&first, atomic_load(&flag));
  atomic_store(&second, atomic_load(&flag));
  return p;
}
static void send_to(void* (*body)(void*)) {
  pthread_t t;
  assert(pthread_create(&t, NULL, body, NULL) == 0);
  assert(pthread_kill(t, SIGUSR1) == 0 && pthread_join(t, NULL) == 0);
}
/* It may come between any two operations, */
static void arrives_between(void) {
  install(SIGUSR1, set_flag, 0);
  send_to(look_twice);
  assert(!(first == 0 && second == 1));
}
static void arrives_late(void) {
  install(SIGUSR1, set_flag, 0);
  send_to(look_twice);
  assert(!(first == 0 && second == 0));
}
static void arrives_early(void) {
  install(SIGUSR1, set_flag, 0);
  send_to(look_twice);
  assert(first == 0);
}
static void arrives_in_order(void) {
  install(SIGUSR1, set_flag, 0);
  send_to(look_twice);
  assert(!(first == 1 && second == 0));
}
/* also while the thread is blocked, */
static void* wait_for_post(void* p) {
  sem_wait(&semaphore);
  return p;
}
static void interrupts(void) {
  sem_init(&semaphore, 0, 0);
  install(SIGUSR1, post, 0);
  send_to(wait_for_post);
}
/* and may be waited for. */
static void* take_signal(void* p) {
  int number = 0;
  assert(sigwait(&all, &number) == 0 && number == SIGUSR1);
  return p;
}
static void waits(void) {
  sigprocmask(SIG_BLOCK, &all, NULL);
  send_to(take_signal);
}
static void* pause_once(void* p) {
  assert(pause() == -1);
  return p;
}
static void pauses(void) {
  install(SIGUSR1, handler, 0);
  send_to(pause_once);
  assert(handled == 1);
}
/* A signal that comes before pause() does not end it; one that is blocked until then does. */
static void* suspend_once(void* p) {
  sigset_t none;
  sigemptyset(&none);
  assert(sigsuspend(&none) == -1);
  return p;
}
static void suspends(void) {
  install(SIGUSR1, handler, 0);
  sigprocmask(SIG_BLOCK, &all, NULL);
  send_to(suspend_once);
  assert(handled == 1);
}
static void* wait_for_condition(void* p) {
  pthread_mutex_lock(&mutex);
  while (!flag) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return p;
}
static void during_a_wait(void) {
  pthread_t t;
  install(SIGUSR1, handler, 0);
  assert(pthread_create(&t, NULL, wait_for_condition, NULL) == 0 && pthread_kill(t, SIGUSR1) == 0);
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  assert(pthread_join(t, NULL) == 0);
}
static void robust(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
}

__attribute__((constructor)) static void before_main(void) {
  sigfillset(&all);
  sigset_t hold;
  sigemptyset(&hold);
  sigaddset(&hold, SIGWINCH);
  sigprocmask(SIG_BLOCK, &hold, NULL);
}
static void kept_from_before(void) { printf("%d%d", blocked(SIGWINCH), blocked(SIGUSR1)); }

int main(int argc, char** argv) {
  const char* scenario = argc > 1 ? argv[1] : "all_blocked";
  pthread_key_create(&key, NULL);
  if (strcmp(scenario, "kept_from_before") == 0) return kept_from_before(), 0;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
#define SCENARIO(NAME) \
  if (strcmp(scenario, #NAME) == 0) return NAME(), 0;
  SCENARIO(all_blocked)
  SCENARIO(per_thread)
  SCENARIO(by_attribute)
  SCENARIO(by_number)
  SCENARIO(dispositions)
  SCENARIO(crashes)
  SCENARIO(handles)
  SCENARIO(holds)
  SCENARIO(handles_once)
  SCENARIO(arrives_between)
  SCENARIO(arrives_late)
  SCENARIO(arrives_early)
  SCENARIO(arrives_in_order)
  SCENARIO(interrupts)
  SCENARIO(waits)
  SCENARIO(pauses)
  SCENARIO(suspends)
  SCENARIO(during_a_wait)
  SCENARIO(robust)
  return 2;
}
