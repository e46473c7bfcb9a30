// Sites: code addresses of operations, relative to the load base of the program.
#pragma once

#include <cstdint>

#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// The site of the unwinder's internal operations. Its critical sections contain no visible operation, so they are not
/// scheduling points.
inline constexpr std::uint64_t kInvisible = ~0ULL;

/// The site of an operation whose entry point has the return address `address`. If a library performs it, the site is
/// the program's call of that library.
std::uint64_t site_of(const void* address, const void* frame);

/// The code address of a site; null if unknown.
inline const void* place_of(std::uint64_t site) {
  return site == 0 ? nullptr : reinterpret_cast<const void*>(image.base + site);
}

/// The site of the current operation. Only for use in entry points themselves.
#define MAZURKA_SITE ::mazurka::runtime::site_of(__builtin_return_address(0), __builtin_frame_address(0))

/// Finds the call by which the program entered a library: scans the running thread's stack upwards from `frame`, which
/// holds the return address `address` into the library.
std::uint64_t site_above(std::uint64_t address, std::uint64_t frame);

/// The site in the user's own code of an operation that returns to `address`: in a report, frames in the ranges that
/// that `skipped_ranges` names are skipped.
std::uint64_t own_site(std::uint64_t address);

/// Requires that the running thread's stack from this frame on holds no remains of earlier executions; repeats the
/// execution if it may. A larger margin makes that rarer.
void need_clean_stack(std::uint64_t frame, std::uint64_t margin = 512);

/// Whether site_above() has scanned any stack: it may find remains of the runtime's frames there.
bool is_any_stack_scanned();
/// Clears what earlier executions may have left in the scanned part of the stack.
void clear_scanned_stack(std::uint32_t index);

}  // namespace mazurka::runtime
