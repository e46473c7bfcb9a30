// The buffers that a program passes to calls on descriptors: accesses of the program like any others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/hooks/plain.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/clean_stack.hpp"

namespace mazurka::runtime {

/// The call reads or writes these bytes. If accesses are scheduling points, these precede that of the call.
inline void use_buffer(bool write, const void* address, std::size_t bytes, std::uint64_t site) {
  if (bytes == 0) return;
  if (is_visible()) return visible_range(write, address, bytes, site);
  if (!detector.checking) return;
  touch_range(address, bytes, write ? Touch::Write : Touch::Read, place_of(site));
  clean_stack();
}

}  // namespace mazurka::runtime
