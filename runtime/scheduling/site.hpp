// Sites: where in the program operations are performed, as addresses relative to its image.
#pragma once

#include <cstdint>

#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// The site of operations that the unwinder performs for itself. Its critical sections contain nothing visible, so they
/// happen at once and are no steps.
inline constexpr std::uint64_t kInvisible = ~0ULL;

/// Where in the program the operation whose entry point returns to `address` is performed, relative to the image.
std::uint64_t site_of(const void* address, const void* frame);

/// The code address of a site; null if that is not known.
inline const void* place_of(std::uint64_t site) {
  return site == 0 ? nullptr : reinterpret_cast<const void*>(image.base + site);
}

/// To be used in the entry points themselves.
#define MAZURKA_SITE ::mazurka::runtime::site_of(__builtin_return_address(0), __builtin_frame_address(0))

/// The place in the program from which a library was called, seen from a `frame` of the running thread's stack below
/// which lies the return address `address` into the library.
std::uint64_t site_above(std::uint64_t address, std::uint64_t frame);

/// The place in the user's own code from which an operation is performed that returns to `address`: in a report, the
/// functions that the explorer wants to be passed over do not count.
std::uint64_t own_site(std::uint64_t address);

/// What the running thread's stack holds from this frame on must not come from earlier executions. The execution is
/// repeated if it may; with a larger margin that happens less often.
void need_clean_stack(std::uint64_t frame, std::uint64_t margin = 512);

/// Whether site_above() has looked at the stack of some thread: there it may find what the runtime left.
bool is_any_stack_scanned();
/// Clears what earlier executions may have left where site_above() looks.
void clear_scanned_stack(std::uint32_t index);

}  // namespace mazurka::runtime
