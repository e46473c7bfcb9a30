// State that the C library or its like keeps for all threads. The order of the calls that use it determines what they
// return or do later, so they are scheduling points.
#pragma once

#include <cstdint>

#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

inline void use_shared(const void* state, std::uint64_t site, OperationKind kind = OperationKind::ReadModifyWrite) {
  Operation use = operation(kind, state);
  use.size = 8;
  perform(use, site);
}

// For state that few programs use in several threads: while there is a single one, nothing depends on the order.
inline void change_shared(const void* state, std::uint64_t site) {
  if (lives_may_race()) use_shared(state, site);
}
inline void look_at_shared(const void* state, std::uint64_t site) {
  if (lives_may_race()) use_shared(state, site, OperationKind::Load);
}

}  // namespace mazurka::runtime
