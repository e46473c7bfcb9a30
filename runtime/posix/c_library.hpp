// The C library behind ours: its functions, and how it returns errors.
#pragma once

#include <dlfcn.h>
#include <errno.h>

namespace mazurka::runtime {

/// The function that the program would have called without us.
inline void* next_function(const char* name) { return dlsym(RTLD_NEXT, name); }

inline int fail_with(int error) {
  errno = error;
  return -1;
}

/// What a raw system call returned, as the C library would have it.
inline long or_errno(long result) {
  return result < 0 && result > -4096 ? fail_with(static_cast<int>(-result)) : result;
}

}  // namespace mazurka::runtime
