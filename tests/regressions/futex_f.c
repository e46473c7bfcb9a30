#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "mazurka/mazurka.h"
static atomic_int x, y;
static long futex(atomic_int* word, int operation, int value) { return syscall(SYS_futex, word, operation, value, 0, 0, 0); }
static void* t0(void* u) { if (mazurka_choose(2)==1) futex(&x, FUTEX_WAIT_PRIVATE, 0); return 0; }
static void* t1(void* u) { futex(&x, FUTEX_WAKE_PRIVATE, 1); return 0; }
int main() { pthread_t t[3]; pthread_create(t,0,t0,0); pthread_create(t,0,t1,0); x=1; futex(&x, FUTEX_WAKE_PRIVATE, 1);}
