// Threads as fibers: their start, their end.
#pragma once

#include <cstdint>

#include <pthread.h>

namespace mazurka::runtime {

/// Prepares thread `index` to run `body(argument)` when it is first chosen.
void prepare_thread(std::uint32_t index, void* (*body)(void*), void* argument);

/// It inherits the creator's signal mask unless it is given one.
int create_thread(pthread_t* handle, bool detached, void* (*body)(void*), void* argument, std::uint64_t site,
                  const std::uint64_t* signal_mask = nullptr);
/// With a `failure` other than 0 the thread may give up and return it.
int join_thread(pthread_t handle, void** result, std::uint64_t site, int failure);

/// The end of the running thread: its thread-local destructors, then the exit event.
/// How a thread comes to its end. That of main ends the process only if it returns.
enum class Leaving : std::uint8_t { ByReturn, ByExit };
[[noreturn]] void end_thread(void* result, std::uint64_t site, Leaving leaving = Leaving::ByReturn);

/// Destructors of thread_local objects and of keys.
void run_thread_destructors();

}  // namespace mazurka::runtime
