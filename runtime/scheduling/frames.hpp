// Which functions a thread is in at each of its operations: in executions that are to be shown, so that what lies on a
// stack can be called by the name of the variable.
#pragma once

#include <cstdint>

#include "core/heap_block.hpp"

namespace mazurka::runtime {

/// Notes the frames of the running thread, which is about to perform an operation or to fail.
void note_frames();

/// Notes the frames of a test that is about to have a closure explored, whose variables the closure may use.
void note_frames_of_test();

/// What is known of an address on a thread's stack when event number `event` took place; its address is 0 where it is
/// on none, or nothing is known. \pre The frames of this execution were noted.
HeapBlock stack_object(std::uint64_t address, std::uint32_t event);

}  // namespace mazurka::runtime
