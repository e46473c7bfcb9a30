// How functions of the C library become steps on files.
#pragma once

#include "runtime/export.hpp"
#include "runtime/files/file_use.hpp"
#include "runtime/files/system_call_trap.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// The C library changes files by itself: where that is not caught, it is refused.
inline void need_trap(const char* name, std::uint64_t site) {
  if (trapping_system_calls || worker.standalone || !worker.ready) return;
  char text[128];
  Text(text, sizeof text) << name << "() where the kernel does not allow seccomp filters";
  unsupported(text, site);
}

}  // namespace mazurka::runtime

// Defines NAME, whatever the headers say of it.
#define MAZURKA_FILE_STEP(CHANGES, RESULT, NAME, PARAMETERS, ARGUMENTS)                    \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS __asm__(#NAME);                \
  MAZURKA_REPLACEABLE RESULT mazurka_file_##NAME PARAMETERS {                              \
    static const auto real = reinterpret_cast<RESULT(*) PARAMETERS>(next_function(#NAME)); \
    const std::uint64_t site = MAZURKA_SITE;                                               \
    if (CHANGES) need_trap(#NAME, site);                                                   \
    const FileUse use(CHANGES, site);                                                      \
    return real ARGUMENTS;                                                                 \
  }
#define MAZURKA_CHANGES(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  MAZURKA_FILE_STEP(true, RESULT, NAME, PARAMETERS, ARGUMENTS)
#define MAZURKA_LOOKS(RESULT, NAME, PARAMETERS, ARGUMENTS) MAZURKA_FILE_STEP(false, RESULT, NAME, PARAMETERS, ARGUMENTS)
