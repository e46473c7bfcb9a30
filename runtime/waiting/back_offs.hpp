// std::lock, and so std::scoped_lock, locks one mutex and tries the others. If one of them is taken, it gives back all
// that it has and begins anew with that one: there are executions for every number of rounds in which threads get in
// each other's way. A thread that backs off stops (OperationKind::Spin) before it locks the mutex that it found taken.
//
// No state, error or deadlock is lost. Take an execution in which nobody but std::lock itself tries to lock a mutex.
// Leave out every round that failed, and let the round that succeeds take all of its mutexes when it takes the last: at
// any time, fewer mutexes are held than before, so all other locks are still possible and everybody else does the same.
// In what is left, no thread backs off. If a thread ends blocked inside std::lock, some mutex that it wants is
// never given back; then, at the end of what is left, it can do one round, which fails at such a mutex, or blocks. So a
// thread that has stopped waits for ever if the mutex is still taken in the end, and otherwise the execution is cut.
// The same execution has all data races, since less is ordered.
//
// A try elsewhere may see that a round held a mutex. As soon as there is one, threads do not stop any more
// (protocol::kTrySite).
#pragma once

#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// What is known so far; called before an execution.
void prepare_back_offs();

/// The running thread is about to lock a mutex. Whether it backs off from it and stops.
bool stops_after_back_off(Thread& thread, std::uint64_t object, std::uint64_t site);

/// Whether a thread that has stopped (OperationKind::Spin) backed off from the mutex that it is about to lock.
bool has_backed_off(const Thread& thread);

/// The running thread tries to lock a mutex.
void note_try(std::uint64_t site);

}  // namespace mazurka::runtime
