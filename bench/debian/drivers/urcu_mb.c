/* userspace-rcu with full barriers: a reader that holds a pointer inside its critical section never sees it freed by a
   writer that waits for the readers. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu.h>

static int* shared;

static void* read_it(void* unused) {
  rcu_register_thread();
  rcu_read_lock();
  int* found = rcu_dereference(shared);
  assert(*found == 1 || *found == 2);
  rcu_read_unlock();
  rcu_unregister_thread();
  return unused;
}

int main(void) {
  pthread_t reader;
  int* old = malloc(sizeof *old);
  int* newer = malloc(sizeof *newer);
  *old = 1;
  *newer = 2;
  shared = old;
  pthread_create(&reader, NULL, read_it, NULL);
  rcu_assign_pointer(shared, newer);
  synchronize_rcu();
  *old = 3; /* what a reader that still holds it would see */
  free(old);
  pthread_join(reader, NULL);
  free(newer);
}
