// Slots of a frame that the program has not written hold what earlier calls left there. Those of the runtime leave what
// depends on other threads; where local states are compared, that must not make a difference.
#pragma once

#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Clears the stack below the caller, as far as the runtime uses it.
void clear_stack_below();

/// To be called at the end of what an entry point of the runtime does.
inline void clean_stack() {
  if (scheduling.knows_waits) [[unlikely]]
    clear_stack_below();
}

}  // namespace mazurka::runtime
