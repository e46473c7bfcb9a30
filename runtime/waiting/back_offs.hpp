// Back-off of std::lock, and so of std::scoped_lock: it locks one mutex and tries the others. If one is taken, it
// unlocks all it has and starts again with that one. So there are executions for every number of rounds in which
// threads obstruct each other. A thread that backs off stops (OperationKind::Spin) before it locks the mutex that it
// found taken.
//
// No state, error or deadlock is lost. Take an execution in which only std::lock itself tries to lock mutexes. Remove
// every failed round, and let the successful round take all of its mutexes when it takes the last one. At any time
// fewer mutexes are held than before, so all other locks are still enabled and all other threads do the same. In the
// result no thread backs off. If a thread ends blocked inside std::lock, some mutex that it wants is never released;
// then it can do one more round at the end, which fails at such a mutex, or blocks. So a stopped thread waits forever
// if the mutex is still taken in the end; otherwise the execution is cut. The result has all data races, since it
// orders less.
//
// A try-lock elsewhere can observe that a round held a mutex. Once there is one, threads no longer stop
// (protocol::kTrySite).
#pragma once

#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Call before every execution: applies what is known so far.
void prepare_back_offs();

/// The running thread is about to lock a mutex. Whether it has backed off from it and stops.
bool stops_after_back_off(Thread& thread, std::uint64_t object, std::uint64_t site);

/// Whether a stopped thread (OperationKind::Spin) has backed off from the mutex that it is about to lock.
bool has_backed_off(const Thread& thread);

/// The running thread performs a try-lock.
void note_try(std::uint64_t site);

}  // namespace mazurka::runtime
