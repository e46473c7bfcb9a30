// Parameters of a sampling job beside its seed (walk/sampler.hpp). Plain data: shared with the runtime.
#pragma once

#include <cstdint>

#include "core/operation.hpp"

namespace mazurka {

/// A reads-from pair: the operation at site `reader` finds in `object` what the operation at site `writer` left there.
/// writer == 0: nobody has written since the start of the execution.
struct ReadsFrom {
  std::uint64_t object = 0;
  std::uint64_t writer = 0;
  std::uint64_t reader = 0;

  constexpr bool operator==(const ReadsFrom&) const = default;
};

/// A reads-from pair that the execution should bring about if it can, or should avoid.
struct Aim {
  ReadsFrom pair;
  bool wanted = false;
};

struct Guidance {
  static constexpr std::uint32_t kMaxChanges = 16;
  static constexpr std::uint32_t kMaxAims = 8;

  std::uint32_t change_count = 0;
  std::uint32_t aim_count = 0;
  std::uint32_t changes[kMaxChanges] = {};  ///< Continuation::Pct: the steps after which a priority is lowered
  Aim aims[kMaxAims] = {};                  ///< for Continuation::ReadsFrom
};

namespace detail {
/// Objects on which an operation finds the state that its predecessor left: who holds a lock, how many threads wait.
constexpr bool hands_on(Family family) {
  return is_synchronisation_object(family) || family == Family::Once || family == Family::Mailbox;
}
}  // namespace detail

/// Whether the result of the operation depends on who changed the object last. (The holder of a lock that releases it
/// knows.)
constexpr bool is_reader(const Operation& o) {
  return reads_memory(o) || (detail::hands_on(family(o.kind)) && !releases_object(o));
}
constexpr bool is_writer(const Operation& o) {
  return writes_memory(o) || (detail::hands_on(family(o.kind)) && !o.failed());
}

}  // namespace mazurka
