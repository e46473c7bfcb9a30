// Intended data races: accesses between annotations (AnnotateIgnoreReadsBegin and its kin), memory annotated as benign,
// and code or variables that the user suppresses. These accesses are recorded and compared like all others, but their
// races are only listed in the answer, and the execution goes on.
//
// Invariant: an access with intended races never replaces one without: a later race with the latter must be reported.
#pragma once

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Whether the user suppresses any races.
bool has_suppressions();
/// Whether code at this address is suppressed, by any kind of rule.
bool is_suppressed_code(const void* place);

/// Whether races of the running thread's access at `place` are intended.
inline Intended intended(Touch touch, const void* place) {
  const Thread& thread = self();
  const bool reads = touch == Touch::Read || touch == Touch::AtomicRead;
  if ((reads ? thread.ignored_reads : thread.ignored_writes) != 0) return Intended::Annotated;
  if (!detector.suppressing) [[likely]]
    return Intended::No;
  return thread.suppressed_calls != 0 || is_suppressed_code(place) ? Intended::Suppressed : Intended::No;
}

/// Whether a race that was found is intended. If so, lists it.
bool is_intended(const Access& before, const Access& now, std::uint64_t address, const void* place);

/// Function entry, with its return address, and function exit.
void enter_suppressed(const void* return_address);
void leave_suppressed();

/// Races on these bytes are intended from now on.
void add_benign_range(const volatile void* address, std::uint64_t bytes, std::uint64_t site);

}  // namespace mazurka::runtime
