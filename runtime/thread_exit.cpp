// pthread_exit: the stack is unwound, so that destructors and cleanup handlers run, then the thread ends.
//
// pthread_cleanup_push of C code saves a place to jump to; its handlers run innermost first, before the unwinding.
#include <pthread.h>
#include <setjmp.h>

#include "runtime/scheduler.hpp"
#include "runtime/state.hpp"
#include "runtime/threads.hpp"
#include "runtime/unwind.h"

namespace mazurka::runtime {

/// Lies over the buffer on the stack of the program.
struct Cleanup {
  __pthread_unwind_buf_t buffer;

  Cleanup*& below() { return *reinterpret_cast<Cleanup**>(&buffer.__pad[0]); }
};

namespace {

void end(void*) { end_thread(self().result, self().site); }

[[noreturn]] void go_on() {
  Thread& thread = self();
  if (Cleanup* cleanup = thread.cleanups; cleanup != nullptr) {
    thread.cleanups = cleanup->below();
    siglongjmp(reinterpret_cast<sigjmp_buf&>(cleanup->buffer.__cancel_jmp_buf), 1);
  }
  mazurka_unwind_all(end, nullptr);
  end(nullptr);
  __builtin_unreachable();
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT void pthread_exit(void* result) {
  self().result = result;
  self().site = MAZURKA_SITE;
  go_on();
}

MAZURKA_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  auto* cleanup = reinterpret_cast<Cleanup*>(buffer);
  cleanup->below() = self().cleanups;
  self().cleanups = cleanup;
}
MAZURKA_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  self().cleanups = reinterpret_cast<Cleanup*>(buffer)->below();
}
MAZURKA_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t*) { go_on(); }
