// pthread_exit: unwinds the stack so that destructors and clean-up handlers run, then ends the thread.
//
// pthread_cleanup_push in C code saves a jump buffer; its handlers run innermost first, before the unwinding.
#include "runtime/posix/thread_exit.hpp"

#include <pthread.h>
#include <setjmp.h>

#include "runtime/export.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// Overlays the buffer on the program's stack.
struct Cleanup {
  __pthread_unwind_buf_t buffer;

  Cleanup*& below() { return *reinterpret_cast<Cleanup**>(&buffer.__pad[0]); }
};

PlainStacks plain_stacks;

namespace {

/// The running thread's stack from here to its first frame.
struct Frames {
  const std::uint64_t* words;
  std::uint64_t count;

  explicit Frames(const void* here)
      : words(static_cast<const std::uint64_t*>(here)),
        count((first_frame(self().index) - reinterpret_cast<std::uint64_t>(here)) / sizeof(std::uint64_t)) {}

  /// Whether a word may be a pointer into the stack.
  bool contain(std::uint64_t word) const {
    return word - reinterpret_cast<std::uint64_t>(words) <= count * sizeof(std::uint64_t);
  }
};

/// An unwinding in progress, and what it has found.
struct Unwinding : mazurka_unwinding {
  Frames frames;
  std::uint64_t links;  ///< bit set of the words that are return addresses
  bool links_known;     ///< all of them were found
  std::uint8_t* heap;   ///< top of the heap before this was allocated
};

/// Unwinding takes longer than many an execution, and in C it usually finds nothing to do. A stack that was found plain
/// is cached: the same frames at the same addresses are plain again. Return addresses and pointers into the stack
/// identify the frames; all other words may change.
bool is_plain(const Frames& frames) {
  const PlainStack& known = plain_stacks.of[self().index];
  if (known.begin != frames.words) return false;
  for (std::uint64_t i = 0; i < frames.count; ++i) {
    if (frames.words[i] == known.words[i]) continue;
    if ((known.links >> i & 1) != 0 || frames.contain(frames.words[i])) return false;
  }
  return true;
}

void remember_plain(const Unwinding& unwinding) {
  const Frames& frames = unwinding.frames;
  if (!unwinding.links_known || frames.count > PlainStack::kMost) return;
  PlainStack& known = plain_stacks.of[self().index];
  known.begin = frames.words;
  known.links = unwinding.links;
  for (std::uint64_t i = 0; i < frames.count; ++i) {
    known.words[i] = frames.words[i];
    if (frames.contain(frames.words[i])) known.links |= std::uint64_t{1} << i;
  }
}

void note_frame(mazurka_unwinding* unwinding, const void* link) {
  auto& own = *static_cast<Unwinding*>(unwinding);
  const auto* word = static_cast<const std::uint64_t*>(link);
  if (word == nullptr) {
    own.links_known = false;
  } else if (word >= own.frames.words && word < own.frames.words + PlainStack::kMost) {
    own.links |= std::uint64_t{1} << (word - own.frames.words);
  }
}

[[noreturn]] void end() { end_thread(self().result, self().exit_site, Leaving::ByExit); }

[[noreturn]] __attribute__((noinline)) void go_on() {
  Thread& thread = self();
  if (Cleanup* cleanup = thread.cleanups; cleanup != nullptr) {
    thread.cleanups = cleanup->below();
    siglongjmp(reinterpret_cast<sigjmp_buf&>(cleanup->buffer.__cancel_jmp_buf), 1);
  }
  const Frames frames(__builtin_frame_address(0));
  // With states, the thread must be in the same frames at its end whatever was found in earlier executions.
  if (!scheduling.keeps_states && is_plain(frames)) end();
  std::uint8_t* const heap = thread.heap_top;
  auto* unwinding = static_cast<Unwinding*>(allocate(sizeof(Unwinding)));
  if (unwinding == nullptr) unsupported("pthread_exit() without memory to unwind the stack", thread.exit_site);
  *unwinding = {{}, frames, 0, true, heap};
  unwinding->frame = note_frame;
  unwinding->end = [](mazurka_unwinding* done) {
    if (done->cleaned == 0) {
      // Free this block: later allocations of the thread must have the same addresses as when the stack is in the
      // cache.
      remember_plain(*static_cast<Unwinding*>(done));
      shrink_heap(self().index, static_cast<Unwinding*>(done)->heap);
    }
    end();
  };
  mazurka_unwind_all(unwinding);
  end();
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE void pthread_exit(void* result) {
  if (worker.closure && self().index == 0) unsupported("pthread_exit() by the thread of the test", MAZURKA_SITE);
  self().result = result;
  self().exit_site = MAZURKA_SITE;
  go_on();
}

MAZURKA_REPLACEABLE void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  auto* cleanup = reinterpret_cast<Cleanup*>(buffer);
  cleanup->below() = self().cleanups;
  self().cleanups = cleanup;
}
MAZURKA_REPLACEABLE void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  self().cleanups = reinterpret_cast<Cleanup*>(buffer)->below();
}
MAZURKA_REPLACEABLE void __pthread_unwind_next(__pthread_unwind_buf_t*) { go_on(); }
