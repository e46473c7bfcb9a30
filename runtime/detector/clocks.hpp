// Happens-before of the executed order, as the C++ memory model defines it: vector clocks of threads and of the objects
// by which they synchronise. It is weaker than the order in which steps depend on each other: a relaxed store and the
// load that reads it depend on each other, but order nothing else.
//
// Entry i of a clock counts the releases of thread i that are known. A thread's own entry is its epoch: everything it
// does between two releases has the same (FastTrack, Flanagan and Freund 2009). All of it lies outside the snapshot and
// is forgotten by counting executions, never cleared.
//
// Release sequences follow C++20: a store starts anew what a load of it acquires, a read-modify-write adds to it.
#pragma once

#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/waiting/clean_stack.hpp"

namespace mazurka::runtime {

using Clock = std::int32_t;

/// What the detector knows of one thread.
struct ThreadClocks {
  bool has_seen;
  bool has_fenced;
  std::uint32_t depth;                             ///< of its calls, where they are traced
  alignas(16) Clock now[protocol::kMaxProcesses];  // in the page of what stands before, where there are few threads
  Clock seen[protocol::kMaxProcesses];             ///< by relaxed loads: an acquire fence makes it known
  Clock fenced[protocol::kMaxProcesses];           ///< at the last release fence: what relaxed stores release
  std::uint64_t calls[protocol::kMaxFrames * 4];
};

/// At a fixed place, like the detector's other tables: no look-up per access.
inline ThreadClocks* const kClocks = reinterpret_cast<ThreadClocks*>(0x4600'0000'0000);

inline ThreadClocks& clocks_of(std::uint32_t index) { return kClocks[index]; }
/// Room to keep a clock aside: too large for stacks, whose pages are restored.
inline Clock* spare_clock() { return kClocks[protocol::kMaxProcesses].now; }

/// Objects have up to four clocks: `part` says which.
inline constexpr unsigned kAnnotated = 2;           ///< of __tsan_release, whatever else lies at the address
inline constexpr unsigned kAnnotatedByReaders = 3;  ///< of readers of an announced lock
void acquire_clock(const void* object, unsigned part);
/// Adds what the running thread knows to the object's clock, or replaces it.
void release_clock(const void* object, unsigned part, bool replace);
void start_clock(std::uint32_t child, std::uint32_t parent);
void acquire_thread(std::uint32_t index);
/// As release_clock, for one of many objects: to be followed by next_epoch.
void add_to_clock(const void* object, unsigned part);
void next_epoch();
/// What was released at the object is forgotten: another one begins there.
void forget_clock(const void* object, unsigned part);
/// What an atomic operation learns, and then what it passes on.
void atomic_acquire(const volatile void* address, int order);
void atomic_release(const volatile void* address, int order, bool store);
void fence_clock(int order);
/// Where the clocks of objects lie.
std::uint64_t object_clocks_begin();
std::uint64_t object_clocks_bytes();
/// Maps the memory of the clocks. To be called once.
void prepare_clocks();
/// Before every execution that begins at main.
void start_clocks();
/// Forgets all executions.
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
