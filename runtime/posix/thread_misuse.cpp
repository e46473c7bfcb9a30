// std::thread::join() and detach() of an object that is not joinable throw a std::system_error, whose words are those
// of the error number. What was misused is remembered for the case that nobody catches it.
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

/// A jump where all is well: a frame of ours would be taken for the place in the program that joins.
[[gnu::always_inline]] inline void call_next(void* thread, const char* symbol, const char* misuse) {
  const auto function = reinterpret_cast<Function>(next_function(symbol));
  // Its only member is the number of the thread, 0 if there is none.
  if (*static_cast<const std::uint64_t*>(thread) == 0) return call_wrongly(function, thread, misuse);
  return function(thread);
}

}  // namespace

// Weak, since who links libstdc++ statically brings these.
MAZURKA_EXPORT __attribute__((weak)) void _ZNSt6thread4joinEv(void* thread) {
  call_next(thread, "_ZNSt6thread4joinEv",
            "std::thread::join() of a thread that was joined or detached before, or was never started");
}
MAZURKA_EXPORT __attribute__((weak)) void _ZNSt6thread6detachEv(void* thread) {
  call_next(thread, "_ZNSt6thread6detachEv",
            "std::thread::detach() of a thread that was joined or detached before, or was never started");
}
