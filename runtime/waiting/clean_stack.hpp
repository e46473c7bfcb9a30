// Slots of a frame that the program has not written hold what earlier calls left there. Those of the runtime leave what
// depends on other threads; where local states are compared, that must not make a difference.
#pragma once

#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Clears the stack below the caller, as far as the runtime uses it.
void clear_stack_below();
/// The same as far as the race detector uses it for a plain access.
void clear_a_little_below();

/// To be called at the end of what an entry point of the runtime does.
inline void clean_stack() {
  if (scheduling.cleans_stack) [[unlikely]]
    clear_stack_below();
}
/// Where the entry point only showed the race detector an access: there are many of these.
inline void clean_a_little() {
  if (scheduling.cleans_stack) [[unlikely]]
    clear_a_little_below();
}

}  // namespace mazurka::runtime
