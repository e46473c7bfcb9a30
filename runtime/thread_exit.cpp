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

/// The running thread's stack from here to its first frame.
struct Frames {
  const std::uint64_t* words;
  std::uint64_t count;

  explicit Frames(const void* here)
      : words(static_cast<const std::uint64_t*>(here)),
        count((first_frame(self().index) - reinterpret_cast<std::uint64_t>(here)) / sizeof(std::uint64_t)) {}
};

/// Unwinding takes longer than many an execution, and in C it usually finds nothing to do. A stack that was found so is
/// remembered whole: where the same words stand in the same place again, the same will be found.
bool is_plain(const Frames& frames) {
  const PlainStack& known = tables.plain_stacks[self().index];
  if (known.begin != frames.words) return false;
  for (std::uint64_t i = 0; i < frames.count; ++i)
    if (frames.words[i] != known.words[i]) return false;
  return true;
}

void remember_plain(const Frames& frames) {
  PlainStack& known = tables.plain_stacks[self().index];
  if (frames.count > sizeof known.words / sizeof *known.words) return;
  known.begin = frames.words;
  for (std::uint64_t i = 0; i < frames.count; ++i) known.words[i] = frames.words[i];
}

[[noreturn]] void end() { end_thread(self().result, self().exit_site); }

[[noreturn]] __attribute__((noinline)) void go_on() {
  Thread& thread = self();
  if (Cleanup* cleanup = thread.cleanups; cleanup != nullptr) {
    thread.cleanups = cleanup->below();
    siglongjmp(reinterpret_cast<sigjmp_buf&>(cleanup->buffer.__cancel_jmp_buf), 1);
  }
  Frames frames(__builtin_frame_address(0));
  if (is_plain(frames)) end();
  mazurka_unwind_all(
      [](void* argument, int cleaned) {
        if (cleaned == 0) remember_plain(*static_cast<Frames*>(argument));
        end();
      },
      &frames);
  end();
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT void pthread_exit(void* result) {
  self().result = result;
  self().exit_site = MAZURKA_SITE;
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
