/* lastzero(n): writer j stores one more than its left neighbour's number; a reader looks for the last zero. */
#include <stdatomic.h>

#include "args.h"

static atomic_int a[kMost + 1];

static void* write_one(void* argument) {
  const int j = (int)(intptr_t)argument;
  const int left = a[j - 1];
  a[j] = left + 1;
  return 0;
}

static void* find_zero(void* argument) {
  int i = (int)(intptr_t)argument;
  while (a[i] != 0) --i;
  return (void*)(intptr_t)i;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 5);
  spawn(find_zero, n);
  for (int j = 1; j <= n; ++j) spawn(write_one, j);
  return 0;
}
