// Access to the C library behind the interposed functions, and its error convention.
#pragma once

#include <dlfcn.h>
#include <errno.h>

namespace mazurka::runtime {

/// The interposed function's original.
inline void* next_function(const char* name) { return dlsym(RTLD_NEXT, name); }

inline int fail_with(int error) {
  errno = error;
  return -1;
}

/// Converts the result of a raw system call to the C library's convention.
inline long or_errno(long result) {
  return result < 0 && result > -4096 ? fail_with(static_cast<int>(-result)) : result;
}

}  // namespace mazurka::runtime
