// Random small C programs whose threads use pipes, pairs of sockets, event counters, timers, message queues and
// pollers, blocking and not, and close them under each other. What the calls returned is what a program prints in the
// end. Laid out as random_program.hpp says.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka::testing {

std::string random_use_of_descriptors(std::uint64_t seed);
std::string random_uses_of_descriptors(std::uint64_t first, std::uint64_t count);

}  // namespace mazurka::testing
