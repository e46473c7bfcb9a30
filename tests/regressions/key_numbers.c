/* Who creates a key first gets the smaller number, and no destructor runs once a key is deleted. */
#include <pthread.h>
#include <stdio.h>

static pthread_key_t kept, created;
static int destroyed;
static void destroy(void* value) { destroyed = *(int*)value; }

static void* create(void* value) {
  pthread_setspecific(kept, value);
  pthread_key_create(&created, 0);
  return 0;
}

int main(void) {
  static int one = 1;
  pthread_t t;
  pthread_key_t other;
  pthread_key_create(&kept, destroy);
  pthread_create(&t, 0, create, &one);
  pthread_key_create(&other, 0);
  pthread_key_delete(kept);
  pthread_join(t, 0);
  printf("%d %d", created < other, destroyed);
}
