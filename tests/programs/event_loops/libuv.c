/* libuv's work queue: a thread of its pool works, and the loop is told when it is done. */
#include <assert.h>
#include <stdlib.h>
#include <uv.h>

static int result;
static int told;
static void work(uv_work_t* request) {
  (void)request;
  result = 1;
}
static void done(uv_work_t* request, int status) {
  (void)request;
  assert(status == 0 && result == 1);
  told = 1;
}

int main(void) {
  uv_loop_t loop;
  uv_work_t request;
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  assert(uv_loop_init(&loop) == 0);
  assert(uv_queue_work(&loop, &request, work, done) == 0);
  assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
  assert(uv_loop_close(&loop) == 0);
  uv_library_shutdown(); /* ends the threads of the pool */
  assert(told);
  return 0;
}
