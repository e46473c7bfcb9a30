// What the synchronisation primitives share.
#pragma once

#include <cstdint>

#include <pthread.h>
#include <time.h>

namespace mazurka::runtime {

/// Whether some thread's next operation is on the object, or its condition variable is.
bool waits_for(const void* object);

/// The virtual time of the running thread becomes at least `deadline`.
void reach(clockid_t clock, const timespec* deadline);

int lock_mutex(pthread_mutex_t* object, std::uint64_t site);
int try_lock_mutex(pthread_mutex_t* object, int failure, std::uint64_t site);
int unlock_mutex(pthread_mutex_t* object, std::uint64_t site);
int may_unlock(pthread_mutex_t* object, std::uint64_t site);
int initialise_mutex(pthread_mutex_t* object, int kind, std::uint64_t site);
int destroy_mutex(pthread_mutex_t* object, std::uint64_t site);
/// It inherits the creator's signal mask unless it is given one.
int create_thread(pthread_t* handle, bool detached, void* (*body)(void*), void* argument, std::uint64_t site,
                  const std::uint64_t* signal_mask = nullptr);
/// With a `failure` other than 0 the thread may give up and return it.
int join_thread(pthread_t handle, void** result, std::uint64_t site, int failure);

int initialise_condition(pthread_cond_t* condition, clockid_t clock, std::uint64_t site);
int destroy_condition(pthread_cond_t* condition, std::uint64_t site);
/// Waits on a condition variable until `deadline`, or for ever where it is null.
int wait_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                   std::uint64_t site);
int signal_condition(pthread_cond_t* condition, std::uint64_t site);
int broadcast_condition(pthread_cond_t* condition, std::uint64_t site);

/// pthread_once and the guards of function-local statics: enter returns whether the initialiser is to be run.
bool enter_once(void* object, std::uint8_t size, std::uint64_t site);
void leave_once(void* object, std::uint8_t size, std::uint8_t state, std::uint64_t site);

}  // namespace mazurka::runtime
