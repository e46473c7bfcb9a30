// The local state of a thread at an access: all that decides, together with what it reads, what the thread does next.
// An access is a call, so the registers that calls need not preserve are dead there; what remains are the preserved
// ones, the stack, the thread-local storage, the operands of the access, and what the runtime keeps for the thread.
// What the thread overwrites before it looks at it is not part of it (dead_values.hpp).
//
// States are kept whole and compared byte by byte: two that were taken for one would lose executions.
#pragma once

#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/dead_values.hpp"

namespace mazurka::runtime {

/// Of a state that has been kept; never 0, and the same for ever.
using StateNumber = std::uint32_t;

/// The number of the state of a thread that has just announced an access; it must be the running one. 0 where its state
/// cannot be told: the frame of the access is not found on the stack, or it is too large to be kept.
StateNumber local_state(Thread& thread);

/// The same for a thread that has stood before its access for a while, in state `before`: its stack may have been
/// written by others.
StateNumber local_state_now(const Thread& thread, StateNumber before);

/// Clears what lies on the stack of a thread that has announced an access, and which it overwrites before it looks at
/// it. `registers` are those of the frame of the access. Returns all that is dead there.
DeadValues clear_dead_slots(const Thread& thread, const unsigned long* registers);

/// Where the states lie, `bytes` of zeros. To be called once.
void keep_states_at(void* place, std::uint64_t bytes);

}  // namespace mazurka::runtime
