// Threads as fibers: creation, join and exit.
#pragma once

#include <cstdint>

#include <pthread.h>

namespace mazurka::runtime {

/// Prepares thread `index` to run `body(argument)` once its ThreadStart is chosen.
void prepare_thread(std::uint32_t index, void* (*body)(void*), void* argument);

/// The thread inherits the creator's signal mask if none is given. `handle` is written before the thread starts.
int create_thread(pthread_t* handle, bool detached, void* (*body)(void*), void* argument, std::uint64_t site,
                  const std::uint64_t* signal_mask = nullptr);
/// If `failure` is not 0, the join is timed: it may give up and return `failure`.
int join_thread(pthread_t handle, void*& result, std::uint64_t site, int failure);

/// How a thread ends. The end of main only ends the process if main returns.
enum class Leaving : std::uint8_t { ByReturn, ByExit };
/// Ends the running thread: runs its thread-local destructors, then takes its ThreadExit step.
[[noreturn]] void end_thread(void* result, std::uint64_t site, Leaving leaving = Leaving::ByReturn);

/// Runs the destructors of thread_local objects and of keys.
void run_thread_destructors();

}  // namespace mazurka::runtime
