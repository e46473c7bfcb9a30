// The futex, on which std::atomic::wait, std::latch, std::future and others of libstdc++ are built.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// The system call with these six arguments; returns what the C library would.
long futex(const long* arguments, std::uint64_t site);

}  // namespace mazurka::runtime
