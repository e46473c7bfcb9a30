/* RWLOCK of *Unfolding-based POR*: two writers and two readers that wait with the lock held. With an argument other
   than 0 it is RWLOCK2*, without the mutex, where a reader may see another value the second time. */
#include "shared.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int w;
static atomic_int r;
static atomic_int x;
static atomic_int y;
static int faulty;

UNSEEN static int is_faulty(void) { return faulty; }
static void enter(void) {
  if (!is_faulty()) pthread_mutex_lock(&lock);
}
static void leave(void) {
  if (!is_faulty()) pthread_mutex_unlock(&lock);
}

static void* writer(void* unused) {
  enter();
  while (!(GET(w) == 0 && GET(r) == 0)) {
  }
  SET(w, 1);
  leave();
  SET(x, 3);
  SET(w, 0);
  return unused;
}

static void* reader(void* unused) {
  enter();
  while (GET(w) != 0) {
  }
  const int t = GET(r);
  SET(r, t + 1);
  leave();
  const int seen = GET(x);
  SET(y, seen);
  if (is_faulty())
    assert(GET(y) == GET(x));
  else
    assert(GET(y) == seen);
  const int l = GET(r) - 1;
  SET(r, l);
  return unused;
}

UNSEEN int main(int argc, char** argv) {
  faulty = number(argc, argv, 1, 0);
  pthread_t all[4];
  for (int i = 0; i < 4; ++i) all[i] = spawn(i % 2 == 0 ? writer : reader, 0);
  for (int i = 0; i < 4; ++i) pthread_join(all[i], 0);
  return 0;
}
