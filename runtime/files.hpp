// Files that the program opens.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Notes which files are open before main, and prepares what stands for the random devices.
void prepare_files();

/// Closes what the last execution opened and did not close.
void close_files();

/// Whether this execution has opened any.
bool has_opened_files();

/// The next number of a generator; any state will do.
std::uint64_t advance(std::uint64_t& state);

}  // namespace mazurka::runtime
