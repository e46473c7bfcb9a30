/* filesystem(n): thread i takes the lock of inode i and looks for a free block from 2i on, under the block's lock. */
#include "args.h"

enum { kInodes = 32, kBlocks = 26 };

static pthread_mutex_t inode_lock[kMost];
static pthread_mutex_t block_lock[kMost];
static int inode[kInodes];
static int busy[kBlocks];

static void* allocate(void* argument) {
  const int i = (int)(intptr_t)argument % kInodes;
  pthread_mutex_lock(&inode_lock[i]);
  if (inode[i] == 0) {
    for (int block = i * 2 % kBlocks; inode[i] == 0; block = (block + 1) % kBlocks) {
      pthread_mutex_lock(&block_lock[block]);
      if (!busy[block]) {
        busy[block] = 1;
        inode[i] = block + 1;
      }
      pthread_mutex_unlock(&block_lock[block]);
    }
  }
  pthread_mutex_unlock(&inode_lock[i]);
  return 0;
}

int main(int argc, char** argv) {
  const int n = number(argc, argv, 1, 14);
  init_all(inode_lock, kMost);
  init_all(block_lock, kMost);
  for (int i = 0; i < n; ++i) spawn(allocate, i);
  return 0;
}
