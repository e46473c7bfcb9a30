// Condition variables: the part that C11 threads need.
#pragma once

#include <cstdint>

#include <pthread.h>
#include <time.h>

namespace mazurka::runtime {

int initialise_condition(pthread_cond_t* condition, clockid_t clock, std::uint64_t site);
int destroy_condition(pthread_cond_t* condition, std::uint64_t site);
/// Waits on a condition variable until `deadline`, or forever if it is null.
int wait_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                   std::uint64_t site);
int signal_condition(pthread_cond_t* condition, std::uint64_t site);
int broadcast_condition(pthread_cond_t* condition, std::uint64_t site);

}  // namespace mazurka::runtime
