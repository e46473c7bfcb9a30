// Memory fences, of the language and in inline assembly.
#pragma once

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/scheduler.hpp"

namespace mazurka::runtime {

inline void fence(int order, std::uint64_t site) {
  Operation result;
  result.kind = OperationKind::Fence;
  result.memory_order = static_cast<std::uint8_t>(order);
  perform(result, site);
  if (detector.checking) fence_clock(order);
}

}  // namespace mazurka::runtime
