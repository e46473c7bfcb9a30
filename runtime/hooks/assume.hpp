#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// If an assumption of the running thread does not hold, the execution does not count.
void assume_at(bool holds, std::uint64_t site);

}  // namespace mazurka::runtime
