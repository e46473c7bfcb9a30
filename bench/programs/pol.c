/* N writers set their cell; in each of K rounds one thread moves an index and another takes what the index points at.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#ifndef N
#define N 7
#endif
#ifndef K
#define K 3
#endif

static pthread_mutex_t cell_mutex[N];
static pthread_mutex_t index_mutex = PTHREAD_MUTEX_INITIALIZER;
static int cell[N];
static int index_value;
static int taken;

static void* writer(void* p) {
  const intptr_t x = (intptr_t)p;
  pthread_mutex_lock(&cell_mutex[x]);
  cell[x] = 1;
  pthread_mutex_unlock(&cell_mutex[x]);
  return 0;
}

static void* choice(void* unused) {
  for (int x = 1; x < N; ++x) {
    pthread_mutex_lock(&index_mutex);
    index_value = x;
    pthread_mutex_unlock(&index_mutex);
  }
  return unused;
}

static void* take(void* unused) {
  pthread_mutex_lock(&index_mutex);
  const int x = index_value;
  pthread_mutex_unlock(&index_mutex);
  pthread_mutex_lock(&cell_mutex[x]);
  if (cell[x] == 1) {
    ++taken;
    cell[x] = 0;
  }
  pthread_mutex_unlock(&cell_mutex[x]);
  return unused;
}

int main(void) {
  pthread_t writers[N];
  for (int i = 0; i < N; ++i) pthread_mutex_init(&cell_mutex[i], 0);
  for (intptr_t i = 0; i < N; ++i) pthread_create(&writers[i], 0, writer, (void*)i);
  for (int round = 0; round < K; ++round) {
    pthread_t chooser, taker;
    pthread_create(&chooser, 0, choice, 0);
    pthread_create(&taker, 0, take, 0);
    pthread_join(chooser, 0);
    pthread_join(taker, 0);
  }
  for (int i = 0; i < N; ++i) pthread_join(writers[i], 0);
  int left = 0;
  for (int i = 0; i < N; ++i) left += cell[i];
  assert(taken + left == N);
}
