// Where std::future waits. The code is part of libstdc++.so, and does little more than the system call; it is done
// here, so that the wait is one of the program's own code: its local state is known, and its line is the program's.
//
// The functions have been part of the library's binary interface since GCC 5 and GCC 11.
#include <cstdint>

#include <errno.h>
#include <time.h>

#include "runtime/export.hpp"
#include "runtime/posix/futex.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {
namespace {

/// Whether the wait ended before its date, if it has one.
bool wait_until(std::uint32_t* word, std::uint32_t expected, clockid_t clock, bool has_date, timespec date,
                std::uint64_t site) {
  if (!has_date) {
    wait_for_futex(word, expected, clock, nullptr, site);
    return true;
  }
  if (date.tv_sec < 0) return false;
  return wait_for_futex(word, expected, clock, &date, site) == 0 || errno != ETIMEDOUT;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

/// std::__atomic_futex_unsigned_base::_M_futex_wait_until(unsigned*, unsigned, bool, seconds, nanoseconds)
MAZURKA_REPLACEABLE bool
_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void*, std::uint32_t* word, std::uint32_t expected, bool has_date, long seconds, long nanoseconds) {
  return wait_until(word, expected, CLOCK_REALTIME, has_date, {seconds, nanoseconds}, MAZURKA_SITE);
}
/// The same by the steady clock.
MAZURKA_REPLACEABLE bool
_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void*, std::uint32_t* word, std::uint32_t expected, bool has_date, long seconds, long nanoseconds) {
  return wait_until(word, expected, CLOCK_MONOTONIC, has_date, {seconds, nanoseconds}, MAZURKA_SITE);
}
