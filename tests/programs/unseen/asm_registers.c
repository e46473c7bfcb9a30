/* A fence in assembly changes no register, no flag and nothing below the stack pointer, whatever other threads do
 * meanwhile. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

/* A sum over all registers that the compiler may not know to change, and the flags, after the fence. */
static uint64_t sum(uint64_t seed) {
  uint64_t result = 0;
  __asm__ __volatile__(
      "movq %1, %%rax; leaq 1(%%rax), %%rcx; leaq 2(%%rax), %%rdx; leaq 3(%%rax), %%rsi; leaq 4(%%rax), %%rdi\n\t"
      "leaq 5(%%rax), %%r8; leaq 6(%%rax), %%r9; leaq 7(%%rax), %%r10; leaq 8(%%rax), %%r11; leaq 9(%%rax), %%r12\n\t"
      "leaq 10(%%rax), %%r13; movq %%rax, %%xmm0; movq %%rcx, %%xmm7; movq %%rdx, %%xmm15; stc\n\t"
      "mfence\n\t"
      "adcq %%rcx, %%rax; addq %%rdx, %%rax; addq %%rsi, %%rax; addq %%rdi, %%rax; addq %%r8, %%rax\n\t"
      "addq %%r9, %%rax; addq %%r10, %%rax; addq %%r11, %%rax; addq %%r12, %%rax; addq %%r13, %%rax\n\t"
      "movq %%xmm0, %%rcx; addq %%rcx, %%rax; movq %%xmm7, %%rcx; addq %%rcx, %%rax; movq %%xmm15, %%rcx\n\t"
      "addq %%rcx, %%rax; movq %%rax, %0"
      : "=r"(result)
      : "r"(seed)
      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "xmm0", "xmm7", "xmm15", "memory",
        "cc");
  return result;
}

/* Without instrumentation and calls: its variables are below the stack pointer. */
__attribute__((noinline, no_sanitize("thread"))) static int below(int n) {
  volatile int values[8];
  for (int i = 0; i < 8; ++i) values[i] = n + i;
  __asm__ __volatile__("lock; orl $0, -200(%%rsp)" ::: "memory", "cc");
  int result = 0;
  for (int i = 0; i < 8; ++i) result += values[i];
  return result;
}

static void* run(void* a) {
  const uint64_t seed = (uint64_t)(uintptr_t)a;
  atomic_fetch_add(&x, 1);
  assert(sum(seed) == 14 * seed + 55 + 3 + 1);
  atomic_fetch_add(&x, 1);
  assert(below((int)seed) == 8 * (int)seed + 28);
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void*)(uintptr_t)1000);
  run((void*)(uintptr_t)70000);
  pthread_join(t, 0);
  assert(x == 4);
}
