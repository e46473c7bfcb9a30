// Reports of data races and memory errors. A cell has the site of an access but no call stack: recording stacks would
// slow down every access. Since executions are deterministic, the worker repeats the one with the finding with call
// tracing on, and captures the stack of the earlier access when it happens again.
#pragma once

#include <cstdint>

#include "runtime/detector/shadow.hpp"

namespace mazurka::runtime {

[[noreturn]] void report_race(const Access& before, const Access& now, std::uint64_t address, const void* place);
[[noreturn]] void report_bad_memory(const Access& before, const Access& now, std::uint64_t address, const void* place);
/// An access above all blocks of a heap.
[[noreturn]] void report_wild_access(const Access& now, std::uint64_t address, const void* place);
/// An access to the stack of a thread that has ended, or whose end is not ordered after the access. `before` is the
/// earlier one of the access and the end.
[[noreturn]] void report_ended_stack(const Access& before, const Access& now, std::uint64_t address, const void* place);
/// A write into the runtime's own memory.
[[noreturn]] void report_damage(const Access& now, std::uint64_t address, const void* place);

/// While tracing: captures the stack if this is the watched access.
void note_watched(const Access& access, std::uint64_t address, const void* place);
/// While tracing: captures the stack if the watched address is in or beside this block.
void note_allocation(std::uint64_t block, std::uint64_t bytes, const void* place);
/// Function entry and exit, while calls are traced.
void enter_call(void* return_address);
void leave_call();

}  // namespace mazurka::runtime
