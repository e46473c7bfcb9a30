// What an event would have done in an earlier place, computed from the values that events record: where this is known
// no probe is needed (prober.hpp).
//
// Let e and f be events of an execution on one object, and H a part of it that is closed under causes, without e and
// what follows from e, and with all else before e. If every operation that changes the object depends on e, then those
// after e are not in H and those before e are, in the same order: so after H the object is as e found it. What f does
// there follows from what e found and, for a comparison, from what f expects. docs/dpor.md has the whole argument, also
// for stores that are not seen.
#pragma once

#include <optional>

#include "core/event.hpp"

namespace mazurka {

/// Whether e is an access of just the bytes that f looks at, and recorded what it found there: a store that is not
/// atomic does not.
bool tells_value(const Operation& e, const Operation& f);

/// The operation of f as it takes place after H; none where that is not known.
/// \pre e comes before f, of another process, and every store to its bytes depends on e; both were carried out.
std::optional<Operation> outcome_in_place_of(const Event& e, const Event& f);

}  // namespace mazurka
