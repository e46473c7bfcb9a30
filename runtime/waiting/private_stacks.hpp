// If plain accesses are scheduling points (--plain=explore), those of a thread to its own stack are not, as long as no
// thread uses another thread's stack: nobody can observe when they happen. Unoptimised code keeps everything on the
// stack, so no round of a loop would be idle otherwise.
//
// Whether stacks are private is learnt like waiting sites (waits.hpp). Up to the first access to another thread's stack
// an execution is the same with or without these scheduling points, so such an access is found. Then the exploration
// restarts with stack accesses as scheduling points. The main thread's stack is separate: others often get addresses of
// it.
#pragma once

#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// Call before every execution.
void start_private_stacks();

inline bool has_private_stack(const Thread& thread) {
  return thread.index == 0 ? scheduling.main_stack_is_private : scheduling.stacks_are_private;
}

/// Whether an access of the running thread is to its own private stack.
inline bool is_on_private_stack(std::uint64_t address) {
  const Thread& thread = self();
  return has_private_stack(thread) && address >= stack_bottom(thread.index) && address < stack_top(thread.index);
}

/// The slow path of note_use_of_stack().
void note_use_of_other_stack(const Operation& operation, std::uint64_t site);

/// The running thread is about to perform an operation.
inline void note_use_of_stack(const Operation& operation, std::uint64_t site) {
  if (scheduling.watches_stacks && is_on_stack(operation.object)) [[unlikely]]
    note_use_of_other_stack(operation, site);
}

}  // namespace mazurka::runtime
