// The outcome of an event at an earlier point of the execution, computed from the recorded values: if it is known, no
// probe is needed (prober.hpp).
//
// Let e and f be events of an execution on one object. Let H be a causally closed set of its events that contains
// neither e nor any event that e happens before, but every other event before e. If every operation that changes the
// object depends on e, then those after e are not in H, and those before e are in H in the same order. So after H the
// object is as e found it. The outcome of f there follows from what e found and, for a comparison, from what f expects.
// docs/dpor.md has the full argument, including unobserved stores.
#pragma once

#include <optional>

#include "core/event.hpp"

namespace mazurka {

/// Whether e accesses exactly the bytes that f reads, and recorded what it found there. (A plain store does not.)
bool tells_value(const Operation& e, const Operation& f);

/// The operation of f, executed right after H; none if unknown. \pre e precedes f and is of another process; every
/// store to the bytes of e depends on e; both were executed.
std::optional<Operation> outcome_in_place_of(const Event& e, const Event& f);

}  // namespace mazurka
