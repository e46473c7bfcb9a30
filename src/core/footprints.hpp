// The footprints of atomic sections that an explorer has met, of all systems together: an operation means the same
// wherever it is compared.
#pragma once

#include <span>

#include "core/footprint.hpp"

namespace mazurka {

/// The number of a footprint with these operations, of which the first `choices` are choices. Equal ones have equal
/// numbers. Operations must be in canonical order: the choices as they were made, the others sorted.
std::uint64_t intern_footprint(std::span<const Operation> operations, std::uint32_t choices);

}  // namespace mazurka
