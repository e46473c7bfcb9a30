// The local state of a thread at an access: everything that, together with the values it reads, determines what the
// thread does next. An access is a call, so caller-saved registers are dead there. What remains are the callee-saved
// ones, the stack, thread-local storage, the operands of the access, and the runtime's data about the thread. Dead
// values are not part of it (dead_values.hpp). Frames of libraries between the program's code and the access are.
//
// States are stored completely and compared byte by byte: confusing two of them would lose executions.
#pragma once

#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/dead_values.hpp"

namespace mazurka::runtime {

/// Identifies a stored state; never 0, and permanent.
using StateNumber = std::uint32_t;

/// The state of the running thread, which has just announced an access. 0 if it cannot be determined: the frame of the
/// access is not found on the stack, or the state is too large.
StateNumber local_state(Thread& thread);

/// The same for a thread that has been before its access for a while, in state `before`: other threads may have written
/// to its stack.
StateNumber local_state_now(const Thread& thread, StateNumber before);

/// The registers of the frame of the access that the running thread has announced. Returns where the frame continues; 0
/// if it is not found.
std::uint64_t find_registers(Thread& thread, unsigned long* registers);

/// Clears the dead stack slots of a thread that has announced an access. `registers` are those of the frame of the
/// access, which continues at `address`. Returns everything that is dead there.
DeadValues clear_dead_slots(const Thread& thread, const unsigned long* registers, std::uint64_t address);

/// Sets the memory for states, `bytes` of zeros. Call once.
void keep_states_at(void* place, std::uint64_t bytes);

}  // namespace mazurka::runtime
