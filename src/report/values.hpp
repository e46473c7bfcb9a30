// What a step found in memory and what it left there, for people and for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/execution.hpp"
#include "core/names.hpp"

namespace mazurka::report {

struct Values {
  std::string text;  ///< `3`, `3 -> 4`, `found 1, expected 0`; empty where nothing is known
  std::optional<std::uint64_t> found;
  std::optional<std::uint64_t> wrote;
  std::optional<std::uint64_t> expected;  ///< of a compare-exchange or futex wait that failed
};

Values values_of(const Names& names, const Event& event, const std::vector<HeapBlock>& heap);

}  // namespace mazurka::report
