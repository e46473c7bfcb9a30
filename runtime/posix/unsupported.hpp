// The C library behind ours.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The function that the program would have called without us.
void* next_function(const char* name);

/// The program ends itself with SIGABRT.
[[noreturn]] void abort_at(std::uint64_t site);

}  // namespace mazurka::runtime
