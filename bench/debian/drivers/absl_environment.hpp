// What Abseil's drivers need of their surroundings.
//
// Abseil measures how long its locks wait, for profiles that nobody reads here. With a clock that advances, every round
// of a spin lock is a state of its own; so this clock stands still. It replaces that of the C++ library.
#include <chrono>

#include "absl/synchronization/internal/create_thread_identity.h"

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept { return {}; }

/// Takes what Abseil keeps for each thread that waits while there is nobody yet to wait for: it comes from an allocator
/// behind a spin lock.
inline void prepare_main_thread() { absl::synchronization_internal::GetOrCreateCurrentThreadIdentity(); }
