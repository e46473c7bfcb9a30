/* selective(n) of *Optimal DPOR with Observers* (Figure 2): n threads send a message each to main, which takes them one
   after the other in a fixed order. */
#include <assert.h>

#include "args.h"
#include "mailboxes.h"

static mazurka_mailbox* mailbox;

static void* sender(void* number) {
  const int own = (int)(intptr_t)number;
  send_to(mailbox, (unsigned)own, own);
  return 0;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 3);
  pthread_t threads[kMost];
  mailbox = mazurka_mailbox_create();
  for (int i = 0; i < n; ++i) threads[i] = spawn(sender, i);
  for (int i = 0; i < n; ++i) assert(receive_tag(mailbox, (unsigned)i) == i);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], 0);
  return 0;
}
