// std::thread::join() and detach() of an object that is not joinable throw a std::system_error with a generic text. The
// misuse is recorded in case nobody catches the exception.
#include "runtime/posix/thread_misuse.hpp"

#include "runtime/export.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduling.hpp"

namespace {

using namespace mazurka::runtime;

using Function = void (*)(void*);

struct Call {
  Function function;
  void* thread;
};

__attribute__((noinline)) void call_wrongly(Function function, void* thread, const char* misuse) {
  Call call{function, thread};
  self().misuse = misuse;
  mazurka_call_before(
      [](void* argument) {
        const Call& own = *static_cast<Call*>(argument);
        own.function(own.thread);
      },
      [](void*) { self().misuse = nullptr; }, &call);
}

constexpr const char* kJoin = "_ZNSt6thread4joinEv";
constexpr const char* kDetach = "_ZNSt6thread6detachEv";

// Looked up before the snapshot, rather than in every execution.
Function real_join;
Function real_detach;

/// A tail call if all is well: a frame of the runtime would be mistaken for the site of the join.
[[gnu::always_inline]] inline void call_next(void* thread, Function function, const char* misuse) {
  // Its only member is the thread's handle, 0 if there is none.
  if (*static_cast<const std::uint64_t*>(thread) == 0) return call_wrongly(function, thread, misuse);
  return function(thread);
}

}  // namespace

namespace mazurka::runtime {

void find_thread_functions() {
  real_join = reinterpret_cast<Function>(next_function(kJoin));
  real_detach = reinterpret_cast<Function>(next_function(kDetach));
}

}  // namespace mazurka::runtime

// Weak: a program that links libstdc++ statically defines them.
MAZURKA_REPLACEABLE void _ZNSt6thread4joinEv(void* thread) {
  if (real_join == nullptr) find_thread_functions();
  call_next(thread, real_join,
            "std::thread::join() of a thread that was joined or detached before, or was never started");
}
MAZURKA_REPLACEABLE void _ZNSt6thread6detachEv(void* thread) {
  if (real_detach == nullptr) find_thread_functions();
  call_next(thread, real_detach,
            "std::thread::detach() of a thread that was joined or detached before, or was never started");
}
