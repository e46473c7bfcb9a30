// Happens-before of the executed order as the C++ memory model defines it: vector clocks of threads and of the objects
// by which they synchronise. It is weaker than the dependence of steps: a relaxed store and the load that reads it are
// dependent, but order nothing else.
//
// Entry i of a clock counts the releases of thread i that are known. A thread's own entry is its epoch: everything it
// does between two releases has the same one (FastTrack, Flanagan and Freund 2009). All clocks are outside of the
// snapshot. They are never cleared: each carries the number of its execution.
//
// Release sequences follow C++20: a store starts a new one, a read-modify-write continues it.
#pragma once

#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/waiting/clean_stack.hpp"

namespace mazurka::runtime {

using Clock = std::int32_t;

/// The race detector's state of one thread.
struct ThreadClocks {
  bool has_seen;
  bool has_fenced;
  std::uint32_t depth;  ///< call depth, if calls are traced
  // Starts on the page of the fields above, which suffices for few threads.
  alignas(16) Clock now[protocol::kMaxProcesses];
  Clock seen[protocol::kMaxProcesses];    ///< acquired by relaxed loads: an acquire fence adds it to `now`
  Clock fenced[protocol::kMaxProcesses];  ///< `now` at the last release fence: what relaxed stores release
  std::uint64_t calls[protocol::kMaxFrames * 4];
};

/// At a fixed address, like the detector's other tables: saves a look-up per access.
inline ThreadClocks* const kClocks = reinterpret_cast<ThreadClocks*>(0x4600'0000'0000);

inline ThreadClocks& clocks_of(std::uint32_t index) { return kClocks[index]; }
/// A temporary clock: too large for stacks, whose pages are restored.
inline Clock* spare_clock() { return kClocks[protocol::kMaxProcesses].now; }

/// An object has up to four clocks, told apart by `part`.
inline constexpr unsigned kAnnotated = 2;           ///< for __tsan_release, whatever else is at the address
inline constexpr unsigned kAnnotatedByReaders = 3;  ///< for readers of an announced lock
/// Joins the object's clock into the running thread's.
void acquire_clock(const void* object, unsigned part);
/// Joins the running thread's clock into the object's, or replaces it.
void release_clock(const void* object, unsigned part, bool replace);
/// A new thread starts with what its parent knows, which is a release of the parent. Main is its own parent.
void start_clock(std::uint32_t child, std::uint32_t parent);
/// Joins the final clock of a thread that has ended into the running thread's.
void acquire_thread(std::uint32_t index);
/// As release_clock() for one of many objects: call next_epoch() after the last.
void add_to_clock(const void* object, unsigned part);
void next_epoch();
/// Drops what was released at the object: a new object starts there.
void forget_clock(const void* object, unsigned part);
/// The acquire part of an atomic operation, and its release part.
void atomic_acquire(const volatile void* address, int order);
void atomic_release(const volatile void* address, int order, bool store);
void fence_clock(int order);
/// The memory of the objects' clocks, for checkpoints.
std::uint64_t object_clocks_begin();
std::uint64_t object_clocks_bytes();
/// Maps the clocks' memory. Call once.
void prepare_clocks();
/// Call before every execution that starts at main.
void start_clocks();
/// Invalidates the clocks of all executions.
void forget_clocks();

inline void acquire(const void* object, unsigned part = 0) {
  if (!detector.checking) [[likely]]
    return;
  acquire_clock(object, part);
  clean_stack();
}
inline void release(const void* object, unsigned part = 0) {
  if (!detector.checking) [[likely]]
    return;
  release_clock(object, part, false);
  clean_stack();
}

}  // namespace mazurka::runtime
