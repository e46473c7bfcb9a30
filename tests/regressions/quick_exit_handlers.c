/* Handlers of quick_exit() run there only, and those of on_exit() get the status. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int order;
static void first(void) { order = order * 10 + 1; }
static void second(void) { order = order * 10 + 2; }
static void tell(void) { printf("%d", order); }
static void at_exit(int status, void* text) { printf("%s%d", (char*)text, status); }

static void* register_first(void* unused) {
  at_quick_exit(first);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t t;
  on_exit(at_exit, "status ");
  at_quick_exit(tell);
  pthread_create(&t, 0, register_first, 0);
  at_quick_exit(second);
  pthread_join(t, 0);
  if (argc == 1) quick_exit(0);
  exit(0);
}
