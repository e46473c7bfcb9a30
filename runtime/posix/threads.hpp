// Threads as fibers: their start, their end.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Prepares thread `index` to run `body(argument)` when it is first chosen.
void prepare_thread(std::uint32_t index, void* (*body)(void*), void* argument);

/// The end of the running thread: its thread-local destructors, then the exit event.
[[noreturn]] void end_thread(void* result, std::uint64_t site);

/// Destructors of thread_local objects and of keys.
void run_thread_destructors();

}  // namespace mazurka::runtime
