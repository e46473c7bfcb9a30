/* indexer(n): n threads enter four messages each into a hash table of 128 slots; threads meet where slots collide. */
#include <stdatomic.h>

#include "args.h"

enum { kSlots = 128, kMessages = 4 };

static atomic_int table[kSlots];

static void* enter(void* argument) {
  const int me = (int)(intptr_t)argument;
  for (int message = 1; message <= kMessages; ++message) {
    const int word = message * 11 + me;
    int slot = word * 7 % kSlots;
    for (int empty = 0; !atomic_compare_exchange_strong(&table[slot], &empty, word); empty = 0)
      slot = (slot + 1) % kSlots;
  }
  return 0;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 12);
  for (int i = 0; i < n; ++i) spawn(enter, i);
  return 0;
}
