/* lock(n) of *Optimal DPOR with Observers* (Figure 3): n workers acquire and release a lock that is a thread with a
   mailbox. There the lock waits for ever in the end; here it ends after n rounds. */
#include <assert.h>

#include "args.h"
#include "mailboxes.h"

enum { kAcquire, kAcquired, kRelease };

static mazurka_mailbox* lock;
static mazurka_mailbox* workers[kMost];
static int inside;

static void* serve(void* rounds) {
  for (int i = (int)(intptr_t)rounds; i > 0; --i) {
    const int worker = receive_tag(lock, kAcquire);
    send_to(workers[worker], kAcquired, 0);
    receive_tag(lock, kRelease);
  }
  return 0;
}

static void* work(void* number) {
  const int own = (int)(intptr_t)number;
  send_to(lock, kAcquire, own);
  receive_tag(workers[own], kAcquired);
  assert(inside++ == 0);
  --inside;
  send_to(lock, kRelease, own);
  return 0;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 3);
  lock = mazurka_mailbox_create();
  for (int i = 0; i < n; ++i) workers[i] = mazurka_mailbox_create();
  pthread_t threads[kMost + 1];
  threads[n] = spawn(serve, n);
  for (int i = 0; i < n; ++i) threads[i] = spawn(work, i);
  for (int i = 0; i <= n; ++i) pthread_join(threads[i], 0);
  return 0;
}
