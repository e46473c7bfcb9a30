// System calls that change files or descriptors.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The name of a system call that is handled here; null for all others.
const char* name_of_file_call(long number);

/// Records how to undo the system call, makes it, and returns the kernel's result. Calls that cannot be undone are
/// refused by name.
long file_call(long number, const long* arguments, std::uint64_t site);

inline long file_call(long number, std::uint64_t site, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                      long f = 0) {
  const long arguments[6] = {a, b, c, d, e, f};
  return file_call(number, arguments, site);
}

}  // namespace mazurka::runtime
