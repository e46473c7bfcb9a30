// std::promise::set_value_at_thread_exit. The code that makes the result ready is in libstdc++.so, which is not
// instrumented: its store would not be a scheduling point, and would not synchronise with threads that see it. So it is
// done here first, with the atomics of instrumented code; the library then repeats it without effect.
//
// The layouts are those of libstdc++ since GCC 5, where _Make_ready has been part of the ABI.
#include <cstdint>

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/export.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"

extern "C" {
std::uint32_t __tsan_atomic32_load(const volatile std::uint32_t* address, int order);
std::uint32_t __tsan_atomic32_exchange(volatile std::uint32_t* address, std::uint32_t value, int order);
std::uint32_t __tsan_atomic32_fetch_sub(volatile std::uint32_t* address, std::uint32_t value, int order);
int __tsan_atomic32_compare_exchange_strong(volatile std::uint32_t* address, std::uint32_t* expected,
                                            std::uint32_t desired, int order, int failure);
}

namespace mazurka::runtime {
namespace {

/// std::_Sp_counted_base.
struct Owners {
  void (**functions)(Owners*);
  std::uint32_t use_count;
  std::uint32_t weak_count;

  static constexpr int kDispose = 2;
  static constexpr int kDestroy = 3;
};

/// std::__future_base::_State_baseV2, up to its status.
struct SharedState {
  void* functions;
  void* result;
  std::uint32_t status;
};

/// std::__future_base::_State_baseV2::_Make_ready.
struct MakeReady {
  MakeReady* next;
  void (*run)(void*);
  SharedState* state;  // a weak pointer
  Owners* owners;
};

constexpr std::uint32_t kReady = 1;
constexpr std::uint32_t kWaiters = 1U << 31;  // status bit: there may be waiters

void (*run_of_the_library)(void*);

/// As std::weak_ptr::lock.
bool become_owner(Owners& owners) {
  std::uint32_t count = __tsan_atomic32_load(&owners.use_count, __ATOMIC_RELAXED);
  while (count != 0)
    if (__tsan_atomic32_compare_exchange_strong(&owners.use_count, &count, count + 1, __ATOMIC_ACQ_REL,
                                                __ATOMIC_RELAXED) != 0)
      return true;
  return false;
}

void leave(Owners& owners) {
  if (__tsan_atomic32_fetch_sub(&owners.use_count, 1, __ATOMIC_ACQ_REL) != 1) return;
  owners.functions[Owners::kDispose](&owners);
  if (__tsan_atomic32_fetch_sub(&owners.weak_count, 1, __ATOMIC_ACQ_REL) == 1)
    owners.functions[Owners::kDestroy](&owners);
}

void make_ready(void* element) {
  const MakeReady own = *static_cast<MakeReady*>(element);
  const bool alive = own.owners != nullptr && become_owner(*own.owners);
  if (alive && (__tsan_atomic32_exchange(&own.state->status, kReady, __ATOMIC_RELEASE) & kWaiters) != 0)
    mazurka_own_syscall(SYS_futex, &own.state->status, FUTEX_WAKE_PRIVATE, INT_MAX);
  run_of_the_library(element);
  if (alive) leave(*own.owners);
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

/// _Make_ready::_M_set(): registers the result to be made ready at thread exit.
MAZURKA_REPLACEABLE void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void* element) {
  const auto real =
      reinterpret_cast<void (*)(void*)>(next_function("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"));
  real(element);
  run_of_the_library = static_cast<MakeReady*>(element)->run;
  static_cast<MakeReady*>(element)->run = make_ready;
}
