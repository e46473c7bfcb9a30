/* not_selective(n) of *Optimal DPOR with Observers*: n threads send a message each to main, which takes any of them. */
#include <assert.h>

#include "args.h"
#include "mailboxes.h"

static mazurka_mailbox* mailbox;

static void* sender(void* number) {
  send_to(mailbox, 0, (int)(intptr_t)number);
  return 0;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 3);
  pthread_t threads[kMost];
  mailbox = mazurka_mailbox_create();
  for (int i = 0; i < n; ++i) threads[i] = spawn(sender, i);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += receive_any(mailbox);
  assert(sum == n * (n - 1) / 2);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], 0);
  return 0;
}
