// What is said about a data race or a memory error. The cells keep the site of an access but not how it came to be, and
// keeping stacks would cost every access. Since executions repeat exactly, the one in which something is found is run
// once more with its calls traced, and the stack of the earlier access is taken when it happens again.
#pragma once

#include <cstdint>

#include "runtime/detector/shadow.hpp"

namespace mazurka::runtime {

[[noreturn]] void report_race(const Access& before, const Access& now, std::uint64_t address, const void* place);
[[noreturn]] void report_bad_memory(const Access& before, const Access& now, std::uint64_t address, const void* place);
/// An access above all blocks of a heap.
[[noreturn]] void report_wild_access(const Access& now, std::uint64_t address, const void* place);
/// A use of the stack of a thread that has ended, or is not known to be running still: `before` is the one that came
/// first, of the use and the end.
[[noreturn]] void report_ended_stack(const Access& before, const Access& now, std::uint64_t address, const void* place);
/// A write into the memory of this runtime.
[[noreturn]] void report_damage(const Access& now, std::uint64_t address, const void* place);

/// Only while calls are traced: takes the stack if this is the access to look out for.
void note_watched(const Access& access, std::uint64_t address, const void* place);
/// Likewise for the block that the watched address lies in or beside.
void note_allocation(std::uint64_t block, std::uint64_t bytes, const void* place);
void enter_call(void* return_address);
void leave_call();

}  // namespace mazurka::runtime
