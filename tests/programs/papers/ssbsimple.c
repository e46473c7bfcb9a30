/* The smallest lock program on which 1-partial alternatives lead to a blocked execution: what b locks depends on
   whether a was first, and c stands between the two. */
#include "args.h"

static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t my = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mz = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* a(void* unused) {
  pthread_mutex_lock(&mx);
  x = 1;
  pthread_mutex_unlock(&mx);
  touch(&mz);
  return unused;
}

static void* b(void* unused) {
  pthread_mutex_lock(&mx);
  if (x) touch(&my);
  pthread_mutex_unlock(&mx);
  return unused;
}

static void* c(void* unused) {
  pthread_mutex_lock(&my);
  touch(&mz);
  pthread_mutex_unlock(&my);
  return unused;
}

int main(void) {
  spawn(c, 0);
  spawn(b, 0);
  spawn(a, 0);
  pthread_exit(0);
}
