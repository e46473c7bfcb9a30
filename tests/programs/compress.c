/* Two threads use a library that was not built by us. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static atomic_ulong total;

static void* compress_and_back(void* text) {
  unsigned char packed[256], unpacked[256];
  uLongf length = sizeof packed, back = sizeof unpacked;
  assert(compress(packed, &length, text, strlen(text) + 1) == Z_OK);
  atomic_fetch_add(&total, length);
  assert(uncompress(unpacked, &back, packed, length) == Z_OK);
  assert(strcmp((char*)unpacked, text) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  const char* texts[2] = {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "abababababababababababababababab"};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, compress_and_back, (void*)texts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%lu", total);
}
