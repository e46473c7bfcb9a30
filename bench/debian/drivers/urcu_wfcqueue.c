/* userspace-rcu's wait-free concurrent queue: two threads enqueue, main dequeues. Nothing is lost, each thread's nodes
   come in its order. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/wfcqueue.h>

struct item {
  int value;
  struct cds_wfcq_node node;
};
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[3] = {{.value = 1}, {.value = 2}, {.value = 10}};

static void put(struct item* item) {
  cds_wfcq_node_init(&item->node);
  cds_wfcq_enqueue(&head, &tail, &item->node);
}
static void* two(void* unused) {
  put(&items[0]);
  put(&items[1]);
  return unused;
}
static void* one(void* unused) {
  put(&items[2]);
  return unused;
}

static int sum, last;
static int take(void) {
  struct cds_wfcq_node* node = __cds_wfcq_dequeue_nonblocking(&head, &tail);
  if (node == NULL || node == CDS_WFCQ_WOULDBLOCK) return 0; /* the second: while somebody enqueues */
  int value = ((struct item*)((char*)node - offsetof(struct item, node)))->value;
  if (value < 10) {
    assert(value == last + 1);
    last = value;
  }
  sum += value;
  return 1;
}

int main(void) {
  pthread_t threads[2];
  cds_wfcq_init(&head, &tail);
  pthread_create(&threads[0], NULL, two, NULL);
  pthread_create(&threads[1], NULL, one, NULL);
  take();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  while (take()) {
  }
  assert(sum == 13);
}
