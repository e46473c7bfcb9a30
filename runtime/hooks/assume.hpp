#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Where an assumption of the running thread does not hold, its execution is none that counts.
void assume_at(bool holds, std::uint64_t site);

}  // namespace mazurka::runtime
