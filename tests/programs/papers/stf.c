/* STF of *Unfolding-based POR*: two threads change two numbers under one mutex. With an argument other than 0 it is
   STF*, whose assertion does not hold. */
#include <assert.h>

#include "args.h"

static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER;
static int data1 = 10;
static int data2 = 10;

static void* up(void* unused) {
  LOCALS(1); /* aux = 0 */
  pthread_mutex_lock(&ma);
  data1 += 1;
  pthread_mutex_unlock(&ma);
  pthread_mutex_lock(&ma);
  data2 += 1;
  pthread_mutex_unlock(&ma);
  return unused;
}

static void* down(void* unused) {
  LOCALS(1);
  pthread_mutex_lock(&ma);
  data1 += 5;
  pthread_mutex_unlock(&ma);
  pthread_mutex_lock(&ma);
  data2 -= 6;
  pthread_mutex_unlock(&ma);
  return unused;
}

int main(int argc, char** argv) {
  const int faulty = number(argc, argv, 1, 0);
  LOCALS(6); /* two threads, two mutexes, two numbers are given a value */
  const pthread_t t1 = spawn(up, 0);
  const pthread_t t2 = spawn(down, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  LOCALS(1); /* aux = data1 stands before the test */
  if (faulty) {
    if (data1 == 16 && data2 == 5) assert(!"both are as they should be");
  } else {
    if (data1 != 16 && data2 != 5) assert(!"both are wrong");
  }
  return 0;
}
