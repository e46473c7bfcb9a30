// No bug, and enough schedules to be killed in the middle of them: two for each cell.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST = 20 };
static atomic_int cells[MOST];
static int count;

static void *reader(void *unused) {
  for (int i = 0; i < count; ++i) (void)atomic_load(&cells[i]);
  return unused;
}
static void *writer(void *cell) {
  atomic_store((atomic_int *)cell, 1);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[MOST + 1];
  count = argc > 1 ? atoi(argv[1]) : 12;
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], 0, writer, &cells[i]);
  pthread_create(&threads[count], 0, reader, 0);
  for (int i = 0; i <= count; ++i) pthread_join(threads[i], 0);
  return 0;
}
