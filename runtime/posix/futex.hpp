// The futex, which std::atomic::wait, std::latch, std::future and others of libstdc++ stand on.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The system call with these six arguments, as the C library returns it.
long futex(const long* arguments, std::uint64_t site);

}  // namespace mazurka::runtime
