// Uninitialised slots of a frame hold remains of earlier calls. Those of the runtime's own frames depend on other
// threads, so they are cleared whenever local states are compared.
#pragma once

#include <cstdarg>
#include <cstdint>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// Clears the stack below the caller, as far down as the runtime uses it.
void clear_stack_below();
/// The same, as far down as the race detector uses it for a plain access.
void clear_a_little_below();
/// Clears the stack from the caller's frame down to `scanned`.
void clear_scanned_stack_below(std::uint64_t scanned);

/// Clears as much of it as site_above() ever searches: nothing on most stacks, nor below the calls of libraries.
[[gnu::always_inline]] inline void clean_scanned_stack() {
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  const std::uint64_t scanned = worker.channel->scanned[self().index];
  if (scanned != 0 && scanned < here) [[unlikely]]
    clear_scanned_stack_below(scanned);
}

/// Call at the end of every entry point of the runtime.
inline void clean_stack() {
  if (scheduling.cleans_stack != Cleans::Nothing) [[unlikely]]
    scheduling.cleans_stack == Cleans::All ? clear_stack_below() : clean_scanned_stack();
}
/// A function with an ellipsis saves the registers in which arguments are passed, also those that none is passed in.
/// Call in such a function when its list has been read. \pre The list was given to another function: else the compiler
/// saves only what is needed.
inline void clean_saved_registers(va_list arguments) {
  if (scheduling.cleans_stack != Cleans::Nothing) [[unlikely]]
    zero_bytes(saved_registers(arguments), kSavedRegisterBytes);
}
/// In an entry point that calls a function of the C library whose frames may hold what depends on other threads, such
/// as how full the buffer of the standard output is.
struct CleansStack {
  CleansStack() = default;
  ~CleansStack() { clean_stack(); }
  CleansStack(const CleansStack&) = delete;
  CleansStack& operator=(const CleansStack&) = delete;
};

/// Cheaper variant for entry points that only call the race detector: these are frequent.
inline void clean_a_little() {
  if (scheduling.cleans_stack == Cleans::All) [[unlikely]]
    clear_a_little_below();
  else if (scheduling.cleans_stack == Cleans::Scanned && detector.checking) [[unlikely]]
    clean_scanned_stack();
}

}  // namespace mazurka::runtime
