// Random small C programs: a few threads that meet on atomics, mutexes, a condition variable, a read-write lock, a
// semaphore, a futex, joins and choices. Each is a function of its seed. Many go into one source file, since compiling
// takes longer than exploring; the first argument of the program says which one to run.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka::testing {

/// The functions of the program of this seed; its entry is `int program_<seed>(void)`.
std::string random_program(std::uint64_t seed);

/// A source file with the programs of the seeds first, ..., first + count - 1.
std::string random_programs(std::uint64_t first, std::uint64_t count);

}  // namespace mazurka::testing
