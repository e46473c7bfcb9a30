// Data races that are meant: of accesses between annotations (AnnotateIgnoreReadsBegin and its kin), of memory that the
// program annotates as benign, and of code or variables that the user suppresses. Such accesses are kept and compared
// like all others, but a race of one is noted in the answer, and the execution goes on.
//
// An access whose races are meant takes no other's place: it may race where the other would have been reported.
#pragma once

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Whether the user suppresses any.
bool has_suppressions();
/// Whether code at this address is suppressed, called from suppressed code or not.
bool is_suppressed_code(const void* place);

/// Whether races of an access that the running thread makes at `place` are meant.
inline Meant meant(Touch touch, const void* place) {
  const Thread& thread = self();
  const bool reads = touch == Touch::Read || touch == Touch::AtomicRead;
  if ((reads ? thread.ignored_reads : thread.ignored_writes) != 0) return Meant::Annotated;
  if (!detector.suppressing) [[likely]]
    return Meant::No;
  return thread.suppressed_calls != 0 || is_suppressed_code(place) ? Meant::Suppressed : Meant::No;
}

/// Whether a race that was found is meant. If so it is noted.
bool is_meant(const Access& before, const Access& now, std::uint64_t address, const void* place);

/// The running thread enters a function that returns to `return_address`, and leaves one.
void enter_suppressed(const void* return_address);
void leave_suppressed();

/// Races of these bytes are meant from now on.
void add_benign_range(const volatile void* address, std::uint64_t bytes, std::uint64_t site);

}  // namespace mazurka::runtime
