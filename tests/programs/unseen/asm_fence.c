/* Message passing by relaxed atomics with fences in assembly: MB is one of several instructions, as a string. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef INTRINSIC
#include <immintrin.h>
#define WMB() _mm_mfence()
#define RMB() _mm_mfence()
#elif defined(WEAK)
#define WMB() __asm__ __volatile__("sfence" ::: "memory")
#define RMB() __asm__ __volatile__("lfence" ::: "memory")
#else
#ifndef MB
#define MB "mfence"
#endif
#define WMB() __asm__ __volatile__(MB ::: "memory", "cc")
#define RMB() __asm__ __volatile__(MB ::: "memory", "cc")
#endif

static int d;
static atomic_int f;

static void* run(void* a) {
  d = 1;
  WMB();
  atomic_store_explicit(&f, 1, memory_order_relaxed);
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (atomic_load_explicit(&f, memory_order_relaxed)) {
    RMB();
    assert(d == 1);
  }
  pthread_join(t, 0);
}
