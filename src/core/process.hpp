// A process (a thread of a program, a client of a network) is identified by its path of creation, so that it is the
// same process in every execution, whatever the schedule. Explorers use dense indices for these paths.
#pragma once

#include <cstdint>
#include <limits>

namespace mazurka {

using ProcessIndex = std::uint32_t;
inline constexpr ProcessIndex kNoProcess = std::numeric_limits<ProcessIndex>::max();

}  // namespace mazurka
