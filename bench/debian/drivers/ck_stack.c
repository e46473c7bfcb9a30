/* Concurrency Kit's stack: each entry is pushed once and comes out exactly once. */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

struct item {
  int value;
  ck_stack_entry_t next;
};
static ck_stack_t stack;
static struct item items[2] = {{.value = 1}, {.value = 2}};

static int pop(void) {
  ck_stack_entry_t* entry = ck_stack_pop_upmc(&stack);
  return entry == NULL ? 0 : ((struct item*)((char*)entry - offsetof(struct item, next)))->value;
}

static void* work(void* argument) {
  struct item* mine = argument;
  ck_stack_push_upmc(&stack, &mine->next);
  return (void*)(size_t)pop();
}

int main(void) {
  pthread_t threads[2];
  void* popped[2];
  ck_stack_init(&stack);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &items[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], &popped[i]);
  assert((size_t)popped[0] + (size_t)popped[1] == 3);
  assert(pop() == 0);
}
