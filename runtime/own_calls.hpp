// Aliases by which the runtime calls its own interposed functions (MAZURKA_REPLACEABLE): by its plain name, it would
// call the program's definition if there is one.
#pragma once

#include <cstddef>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define MAZURKA_OWN_CALL(NAME) extern "C" __attribute__((visibility("hidden"))) decltype(::NAME) mazurka_own_##NAME

MAZURKA_OWN_CALL(getpid);
MAZURKA_OWN_CALL(gettid);
MAZURKA_OWN_CALL(mmap);
MAZURKA_OWN_CALL(pthread_detach);
MAZURKA_OWN_CALL(pthread_getspecific);
MAZURKA_OWN_CALL(pthread_once);
MAZURKA_OWN_CALL(raise);
MAZURKA_OWN_CALL(sched_yield);
MAZURKA_OWN_CALL(sigaction);
MAZURKA_OWN_CALL(signal);
MAZURKA_OWN_CALL(syscall);

/// Defines the alias, beside the function.
#define MAZURKA_DEFINE_OWN_CALL(NAME) MAZURKA_OWN_CALL(NAME) __attribute__((alias(#NAME)))

namespace mazurka::runtime {

// String functions of its own: those of the C library may be the program's.

inline std::size_t length_of(const char* text) {
  std::size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

inline bool begins_with(const char* text, const char* prefix) {
  while (*prefix != 0 && *text == *prefix) ++text, ++prefix;
  return *prefix == 0;
}

inline bool is_equal(const char* a, const char* b) { return begins_with(a, b) && a[length_of(b)] == 0; }

/// The value of a variable of the environment; null if there is none.
inline char* environment(const char* name) {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (begins_with(*variable, name) && (*variable)[length_of(name)] == '=') return *variable + length_of(name) + 1;
  return nullptr;
}

inline bool contains(const char* text, const char* part) {
  for (; *text != 0; ++text)
    if (begins_with(text, part)) return true;
  return false;
}

}  // namespace mazurka::runtime
