/* POL(N, K) of *Quasi-Optimal POR*: N writers set their cell; in each of K rounds one thread moves an index and another
   takes what the index points at. */
#include <assert.h>

#include "args.h"

static pthread_mutex_t cell_mutex[kMost];
static pthread_mutex_t index_mutex = PTHREAD_MUTEX_INITIALIZER;
static int cell[kMost];
static int index_value;
static int taken;
static int cells;

static void* write_cell(void* argument) {
  const intptr_t x = (intptr_t)argument;
  pthread_mutex_lock(&cell_mutex[x]);
  cell[x] = 1;
  pthread_mutex_unlock(&cell_mutex[x]);
  return 0;
}

static void* choose(void* unused) {
  for (int x = 1; x < cells; ++x) {
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

int main(int argc, char** argv) {
  pthread_t writers[kMost];
  cells = number(argc, argv, 1, 7);
  const int rounds = number(argc, argv, 2, 3);
  init_all(cell_mutex, cells);
  for (int i = 0; i < cells; ++i) writers[i] = spawn(write_cell, i);
  for (int round = 0; round < rounds; ++round) {
    const pthread_t chooser = spawn(choose, 0);
    const pthread_t taker = spawn(take, 0);
    pthread_join(chooser, 0);
    pthread_join(taker, 0);
  }
  for (int i = 0; i < cells; ++i) pthread_join(writers[i], 0);
  int left = 0;
  for (int i = 0; i < cells; ++i) left += cell[i];
  assert(taken + left == cells);
  return 0;
}
