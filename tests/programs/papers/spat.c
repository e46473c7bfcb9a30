/* SPAT(T, K): each of T threads locks up to three of K mutexes in steps of growing width, beginning at its own number,
   and unlocks them in reverse. */
#include "args.h"

static pthread_mutex_t mutex[kMost];
static int mutexes;

static void* climb(void* argument) {
  int held[3];
  int count = 0;
  int i = (int)(intptr_t)argument;
  for (int width = 1; i < mutexes && width < 4; ++width) {
    pthread_mutex_lock(&mutex[i]);
    held[count++] = i;
    i += width;
  }
  while (count > 0) pthread_mutex_unlock(&mutex[held[--count]]);
  return 0;
}

int main(int argc, char** argv) {
  pthread_t all[kMost];
  const int threads = number(argc, argv, 1, 3);
  mutexes = number(argc, argv, 2, 3);
  init_all(mutex, mutexes);
  for (int i = 0; i < threads; ++i) all[i] = spawn(climb, i);
  for (int i = 0; i < threads; ++i) pthread_join(all[i], 0);
  return 0;
}
