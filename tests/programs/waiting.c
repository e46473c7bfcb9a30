/* Loops of plain accesses: some wait for what another thread writes, some only take long. The first argument names the
 * scenario; src/program/waiting_test.cpp has what becomes of each. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int alive, ping, pong;
static volatile int data[3][1024];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static pthread_t start(void* (*body)(void*), intptr_t argument) {
  pthread_t t;
  assert(pthread_create(&t, NULL, body, (void*)argument) == 0);
  return t;
}
static void two(void* (*body)(void*), void* (*other)(void*)) {
  pthread_t t = start(body, 1), u = start(other, 2);
  assert(pthread_join(t, NULL) == 0 && pthread_join(u, NULL) == 0);
}

static void* set_alive(void* p) {
  alive = 1;
  return p;
}
static void flag(void) {
  pthread_t t = start(set_alive, 0);
  while (!alive) {
  }
  pthread_join(t, NULL);
}

/* Whoever comes first waits for the other. */
static void* serve(void* p) {
  while (ping == 0) {
  }
  pong = 1;
  return p;
}
static void* play(void* p) {
  ping = 1;
  while (pong == 0) {
  }
  return p;
}
static void table_tennis(void) { two(serve, play); }

/* Two wait for the third. */
static void* wait_for_alive(void* p) {
  while (!alive) {
  }
  return p;
}
static void crowd(void) {
  pthread_t t = start(wait_for_alive, 0), u = start(wait_for_alive, 0), v = start(set_alive, 0);
  pthread_join(t, NULL), pthread_join(u, NULL), pthread_join(v, NULL);
}

static void nobody(void) {
  pthread_t t = start(wait_for_alive, 0);
  pthread_join(t, NULL);
}

static void compute(int me) {
  for (int i = 0; i < 1100 * 1024; ++i) data[me][i % 1024] = data[me][(i + 1) % 1024] + 1;
}
static void* compute_and_append(void* p) {
  const int me = (int)(intptr_t)p;
  compute(me);
  pthread_mutex_lock(&m);
  x = x * 10 + me;
  pthread_mutex_unlock(&m);
  compute(me);
  return p;
}
static void computation(void) {
  two(compute_and_append, compute_and_append);
  printf("%d", x);
}

/* Large accesses by single calls. */
static void* append(void* p) {
  pthread_mutex_lock(&m);
  x = x * 10 + (int)(intptr_t)p;
  pthread_mutex_unlock(&m);
  return p;
}
static void large(void) {
  const size_t bytes = (size_t)64 << 20;
  char* block = malloc(bytes);
  assert(block != NULL);
  memset(block, 1, bytes);
  two(append, append);
  assert(block[12345] == 1);
  free(block);
  printf("%d", x);
}

int main(int argc, char** argv) {
  const char* scenario = argc > 1 ? argv[1] : "flag";
#define SCENARIO(NAME) \
  if (strcmp(scenario, #NAME) == 0) return NAME(), 0;
  SCENARIO(flag)
  SCENARIO(table_tennis)
  SCENARIO(crowd)
  SCENARIO(nobody)
  SCENARIO(computation)
  SCENARIO(large)
  return 2;
}
