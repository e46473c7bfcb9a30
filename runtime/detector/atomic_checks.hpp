// The race detector's part of atomic operations, called just before they take effect: first the acquire, then the
// access itself, which is part of what the operation releases.
#pragma once

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/waiting/clean_stack.hpp"

namespace mazurka::runtime {

inline void check_load(const volatile void* address, std::size_t bytes, int order, std::uint64_t site) {
  if (detector.guarding) guard(address, bytes, Touch::AtomicRead, place_of(site));
  if (!detector.checking) [[likely]]
    return;
  if (scheduling.keeps_states) [[unlikely]]
    refuse_weak_order(true, false, order, site);
  atomic_acquire(address, order);
  touch_range(address, bytes, Touch::AtomicRead, place_of(site));
  clean_stack();
}

inline void check_store(const volatile void* address, std::size_t bytes, int order, std::uint64_t site) {
  if (detector.guarding) guard(address, bytes, Touch::AtomicWrite, place_of(site));
  if (!detector.checking) [[likely]]
    return;
  if (scheduling.keeps_states) [[unlikely]]
    refuse_weak_order(false, true, order, site);
  touch_range(address, bytes, Touch::AtomicWrite, place_of(site));
  atomic_release(address, order, true);
  clean_stack();
}

inline void check_modify(const volatile void* address, std::size_t bytes, int order, std::uint64_t site) {
  if (detector.guarding) guard(address, bytes, Touch::AtomicWrite, place_of(site));
  if (!detector.checking) [[likely]]
    return;
  if (scheduling.keeps_states) [[unlikely]]
    refuse_weak_order(true, true, order, site);
  atomic_acquire(address, order);
  touch_range(address, bytes, Touch::AtomicWrite, place_of(site));
  atomic_release(address, order, false);
  clean_stack();
}

}  // namespace mazurka::runtime
