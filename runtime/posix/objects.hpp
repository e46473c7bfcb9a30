// The runtime's state of synchronisation objects. Each type overlays the C library's, so that static initialisers work,
// copies and re-initialisations behave as the program wrote them, and the snapshot restores everything.
#pragma once

#include <cstddef>
#include <cstdint>

#include <pthread.h>
#include <semaphore.h>

#include "runtime/memory/recycling.hpp"

namespace mazurka::runtime {

struct Mutex {
  std::uint32_t owner;    ///< thread index + 1, 0 if free
  std::uint32_t count;    ///< recursion depth
  std::uint32_t mark;     ///< kDestroyed or 0
  std::uint32_t waiting;  ///< number of condition waits that will relock it
  std::int32_t kind;      ///< PTHREAD_MUTEX_NORMAL, …: where the static initialisers put it
  std::uint32_t unused;
  ReturnedBlocks returned;  ///< with keeps_states: freed blocks for its users
};
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t));
static_assert(offsetof(Mutex, kind) == offsetof(pthread_mutex_t, __data.__kind));

inline constexpr std::int32_t kKindMask = 3;

struct SpinLock {
  std::uint32_t owner;
};
static_assert(sizeof(SpinLock) <= sizeof(pthread_spinlock_t));

struct RwLock {
  std::uint32_t readers;
  std::uint32_t writer;  ///< thread index + 1
  std::uint32_t mark;
  std::uint32_t unnamed;  ///< number of readers that did not fit into `holders`
  static constexpr std::uint32_t kHolders = 16;
  std::uint16_t holders[kHolders];  ///< the readers as index + 1 in ascending order, then zeros
};
static_assert(sizeof(RwLock) <= offsetof(pthread_rwlock_t, __data.__flags), "the initialisers set these");

struct Barrier {
  std::uint32_t needed;
  std::uint32_t arrived;
  std::uint32_t round;
  std::uint32_t mark;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

struct Semaphore {
  std::uint32_t value;
  std::uint32_t mark;
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

/// The waiters of a condition variable are recorded in their Thread.
struct Condition {
  std::int32_t clock;
  std::uint32_t mark;
};
static_assert(sizeof(Condition) <= sizeof(pthread_cond_t));

/// The state of a pthread_once_t, in its first byte. The guard of a function-local static has kOnceRunning in its
/// second byte, since compiled code reads the first.
enum OnceState : std::uint8_t { kOnceNew = 0, kOnceDone = 1, kOnceRunning = 2 };

template <class View, class Object>
View& view(Object* object) {
  return *reinterpret_cast<View*>(object);
}

}  // namespace mazurka::runtime
