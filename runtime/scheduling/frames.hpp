// Call stacks of threads at each of their operations, recorded in executions for reports: the explorer needs them to
// name variables on stacks.
#pragma once

#include <cstdint>

#include "core/heap_block.hpp"

namespace mazurka::runtime {

/// Records the call stack of the running thread, which is about to perform an operation or to fail.
void note_frames();

/// Records the call stack of a unit test that is about to have a closure explored: the closure may use its variables.
void note_frames_of_test();

/// The frame that contains an address on a thread's stack at event number `event`; its address is 0 if the address is
/// not on a stack, or not in a known frame. \pre This execution recorded frames.
HeapBlock stack_object(std::uint64_t address, std::uint32_t event);

}  // namespace mazurka::runtime
