// The explorer's table of footprints, one for all systems, so that operations of different executions can be compared.
#pragma once

#include <span>
#include <vector>

#include "core/footprint.hpp"

namespace mazurka {

/// The number of the footprint with these operations, of which the first `choices` are choices. Equal footprints get
/// equal numbers. \pre operations are in canonical order: choices as made, the others sorted.
std::uint64_t intern_footprint(std::span<const Operation> operations, std::uint32_t choices);

/// A footprint as a value.
struct FootprintValue {
  std::vector<Operation> operations;
  std::uint32_t choices = 0;
};
/// All that are known, by their numbers, from 1.
std::vector<FootprintValue> known_footprints();

}  // namespace mazurka
