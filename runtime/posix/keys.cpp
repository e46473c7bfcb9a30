// Thread-specific data: keys, and the destructors of thread_local objects. The tables are in the program's memory, so
// that the snapshot restores them.
#include "runtime/posix/keys.hpp"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/shared_state.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {

struct Destructor {
  Destructor* next;
  void (*call)(void*);
  void* object;
};

namespace {

struct Key {
  bool used;
  void (*destructor)(void*);
};

constexpr std::uint32_t kKeys = 128;
Key keys[kKeys];
std::uint32_t key_end;  // one above the largest key ever used

/// The values of a thread, in its own heap, found through its TLS.
thread_local void** values;

int add_destructor(void (*call)(void*), void* object) {
  auto* destructor = static_cast<Destructor*>(allocate(sizeof(Destructor)));
  if (destructor == nullptr) return -1;
  Thread& thread = self();
  *destructor = {thread.destructors, call, object};
  thread.destructors = destructor;
  return 0;
}

bool run_key_destructors() {
  bool any = false;
  for (std::uint32_t i = 0; values != nullptr && i < key_end; ++i) {
    void* value = values[i];
    if (value == nullptr) continue;
    look_at_shared(&keys, 0);  // no destructor runs if another thread has deleted the key
    if (!keys[i].used || keys[i].destructor == nullptr) continue;
    values[i] = nullptr;
    any = true;
    keys[i].destructor(value);
  }
  return any;
}

}  // namespace

int create_key(unsigned& key, void (*destructor)(void*), std::uint64_t site) {
  change_shared(&keys, site);
  for (std::uint32_t i = 0; i < kKeys; ++i) {
    if (keys[i].used) continue;
    keys[i] = {true, destructor};
    if (i >= key_end) key_end = i + 1;
    key = i;
    if (lives_may_race()) observe(i);
    return 0;
  }
  return EAGAIN;
}

int delete_key(unsigned key, std::uint64_t site) {
  change_shared(&keys, site);
  if (key >= kKeys || !keys[key].used) return EINVAL;
  keys[key] = {};
  return 0;
}

int set_value(unsigned key, const void* value, std::uint64_t site) {
  look_at_shared(&keys, site);
  if (key >= kKeys || !keys[key].used) return EINVAL;
  if (values == nullptr) {
    values = static_cast<void**>(allocate(kKeys * sizeof(void*)));
    if (values == nullptr) return ENOMEM;
  }
  values[key] = const_cast<void*>(value);
  return 0;
}

void run_thread_destructors() {
  Thread& thread = self();
  while (thread.destructors != nullptr) {
    Destructor* destructor = thread.destructors;
    thread.destructors = destructor->next;
    destructor->call(destructor->object);
  }
  for (int i = 0; key_end != 0 && i < PTHREAD_DESTRUCTOR_ITERATIONS && run_key_destructors(); ++i) {
  }
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int __cxa_thread_atexit(void (*call)(void*), void* object, void*) {
  return add_destructor(call, object);
}
MAZURKA_REPLACEABLE int __cxa_thread_atexit_impl(void (*call)(void*), void* object, void*) {
  return add_destructor(call, object);
}

MAZURKA_REPLACEABLE int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  unsigned number = 0;
  const int error = create_key(number, destructor, MAZURKA_SITE);
  if (error == 0) {
    MAZURKA_WRITES(key, sizeof *key);
    *key = number;
  }
  return error;
}
MAZURKA_REPLACEABLE int pthread_key_delete(pthread_key_t key) { return delete_key(key, MAZURKA_SITE); }
MAZURKA_REPLACEABLE void* pthread_getspecific(pthread_key_t key) {
  return values == nullptr || key >= kKeys ? nullptr : values[key];
}
MAZURKA_REPLACEABLE int pthread_setspecific(pthread_key_t key, const void* value) {
  return set_value(key, value, MAZURKA_SITE);
}
MAZURKA_DEFINE_OWN_CALL(pthread_getspecific);
