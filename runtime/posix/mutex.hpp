// Mutexes: the part that C11 threads and condition variables need.
#pragma once

#include <cstdint>

#include <pthread.h>

namespace mazurka::runtime {

/// These are scheduling points and return error numbers, as the pthread functions do.
int lock_mutex(pthread_mutex_t* object, std::uint64_t site);
/// `failure` is the error of a try that finds the mutex locked: EBUSY or ETIMEDOUT.
int try_lock_mutex(pthread_mutex_t* object, int failure, std::uint64_t site);
int unlock_mutex(pthread_mutex_t* object, std::uint64_t site);
/// What the steps that lock and unlock do: the running thread becomes the owner, who has locked so many times, and is
/// it no longer.
void get_mutex(pthread_mutex_t* object, std::uint32_t count);
void give_mutex_back(pthread_mutex_t* object);
int may_unlock(pthread_mutex_t* object, std::uint64_t site);
int initialise_mutex(pthread_mutex_t* object, int kind, std::uint64_t site);
int destroy_mutex(pthread_mutex_t* object, std::uint64_t site);

}  // namespace mazurka::runtime
