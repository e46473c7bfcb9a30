// Turns functions of the C library into scheduling points on files.
#pragma once

#include "runtime/export.hpp"
#include "runtime/files/file_use.hpp"
#include "runtime/files/system_call_trap.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

// The file descriptor among the arguments of a function: the first, if it is an int.
template <class... Rest>
int descriptor_in(int file, Rest...) {
  return file;
}
template <class... Any>
int descriptor_in(Any...) {
  return -1;
}
/// Fails the execution if the descriptor is one of messages/descriptors.hpp, which the kernel does not know.
inline void refuse_channel(int file, const char* call, std::uint64_t site) {
  if (!is_channel(file)) return;
  char text[96];
  Text(text, sizeof text) << call << "() of a pipe, socket, event counter or timer";
  unsupported(text, site);
}

/// The C library itself makes system calls that change files. Refuses the function if these cannot be trapped.
inline void need_trap(const char* name, std::uint64_t site) {
  if (trapping_system_calls || worker.standalone || !worker.ready) return;
  char text[128];
  Text(text, sizeof text) << name << "() on a kernel that does not permit seccomp filters";
  unsupported(text, site);
}

}  // namespace mazurka::runtime

// Defines NAME, whatever its declared type.
#define MAZURKA_FILE_STEP(CHANGES, RESULT, NAME, PARAMETERS, ARGUMENTS)                    \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS __asm__(#NAME);                \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS {                              \
    static const auto real = reinterpret_cast<RESULT(*) PARAMETERS>(next_function(#NAME)); \
    const std::uint64_t site = MAZURKA_SITE;                                               \
    if (CHANGES) need_trap(#NAME, site);                                                   \
    refuse_channel(descriptor_in ARGUMENTS, #NAME, site);                                  \
    const FileUse use(CHANGES, site);                                                      \
    return real ARGUMENTS;                                                                 \
  }
#define MAZURKA_CHANGES(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  MAZURKA_FILE_STEP(true, RESULT, NAME, PARAMETERS, ARGUMENTS)
#define MAZURKA_LOOKS(RESULT, NAME, PARAMETERS, ARGUMENTS) MAZURKA_FILE_STEP(false, RESULT, NAME, PARAMETERS, ARGUMENTS)
