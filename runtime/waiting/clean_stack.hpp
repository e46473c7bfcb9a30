// Uninitialised slots of a frame hold remains of earlier calls. Those of the runtime's own frames depend on other
// threads, so they are cleared whenever local states are compared.
#pragma once

#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Clears the stack below the caller, as far down as the runtime uses it.
void clear_stack_below();
/// The same, as far down as the race detector uses it for a plain access.
void clear_a_little_below();
/// Clears as much of it as site_above() ever searches; nothing on most stacks.
void clear_scanned_stack_below();

/// Call at the end of every entry point of the runtime.
inline void clean_stack() {
  if (scheduling.cleans_stack != Cleans::Nothing) [[unlikely]]
    scheduling.cleans_stack == Cleans::All ? clear_stack_below() : clear_scanned_stack_below();
}
/// Cheaper variant for entry points that only call the race detector: these are frequent.
inline void clean_a_little() {
  if (scheduling.cleans_stack == Cleans::All) [[unlikely]]
    clear_a_little_below();
  else if (scheduling.cleans_stack == Cleans::Scanned && detector.checking) [[unlikely]]
    clear_scanned_stack_below();
}

}  // namespace mazurka::runtime
