// The futex, on which std::atomic::wait, std::latch, std::future and others of libstdc++ are built.
#pragma once

#include <cstdint>

#include <time.h>

namespace mazurka::runtime {

/// The system call with these six arguments; returns what the C library would.
long futex(const long* arguments, std::uint64_t site);

/// Waits as long as the word is `expected`, until a date if there is one.
long wait_for_futex(std::uint32_t* word, std::uint32_t expected, clockid_t clock, const timespec* deadline,
                    std::uint64_t site);

}  // namespace mazurka::runtime
