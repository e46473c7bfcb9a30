// Where plain accesses are steps (--plain=explore), those of a thread to its own stack are none as long as no thread
// ever uses the stack of another one: nobody could tell when they happen. Code without optimisation keeps everything on
// the stack, so that no round of a loop would be idle otherwise.
//
// Whether stacks are private is learnt as places to wait are (waits.hpp). Up to the first use of another thread's stack
// an execution is the same with or without these steps, so such a use is found; then the exploration begins anew, with
// the accesses to stacks as steps. The stack of the main thread is a case of its own: others often get addresses there.
#pragma once

#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Before every execution: what is known of stacks.
void start_private_stacks();

inline bool has_private_stack(const Thread& thread) {
  return thread.index == 0 ? scheduling.main_stack_is_private : scheduling.stacks_are_private;
}

/// Whether an access of the running thread to these bytes concerns nobody else.
inline bool is_on_private_stack(std::uint64_t address) {
  const Thread& thread = self();
  return has_private_stack(thread) && address >= stack_bottom(thread.index) && address < stack_top(thread.index);
}

/// The part of note_use_of_stack() that looks closer.
void note_use_of_other_stack(const Operation& operation, std::uint64_t site);

/// The running thread is about to perform an operation.
inline void note_use_of_stack(const Operation& operation, std::uint64_t site) {
  if (scheduling.watches_stacks && is_on_stack(operation.object)) [[unlikely]]
    note_use_of_other_stack(operation, site);
}

}  // namespace mazurka::runtime
