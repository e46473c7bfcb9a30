// Uninitialised slots of a frame hold remains of earlier calls. Those of the runtime's own frames depend on other
// threads, so they are cleared whenever local states are compared.
#pragma once

#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Clears the stack below the caller, as far down as the runtime uses it.
void clear_stack_below();
/// The same, as far down as the race detector uses it for a plain access.
void clear_a_little_below();

/// Call at the end of every entry point of the runtime.
inline void clean_stack() {
  if (scheduling.cleans_stack) [[unlikely]]
    clear_stack_below();
}
/// Cheaper variant for entry points that only call the race detector: these are frequent.
inline void clean_a_little() {
  if (scheduling.cleans_stack) [[unlikely]]
    clear_a_little_below();
}

}  // namespace mazurka::runtime
