// What a job that samples an execution is told beside its seed (walk/sampler.hpp). Plain data: the runtime uses it too.
#pragma once

#include <cstdint>

#include "core/operation.hpp"

namespace mazurka {

/// That the operation at `reader` finds in `object` what the one at `writer` left there. Both are places in the code,
/// as events have them; 0 as the writer: nobody has written since the execution began.
struct ReadsFrom {
  std::uint64_t object = 0;
  std::uint64_t writer = 0;
  std::uint64_t reader = 0;

  constexpr bool operator==(const ReadsFrom&) const = default;
};

/// What an execution is to do if it can, or to avoid.
struct Aim {
  ReadsFrom pair;
  bool wanted = false;
};

struct Guidance {
  static constexpr std::uint32_t kMaxChanges = 16;
  static constexpr std::uint32_t kMaxAims = 8;

  std::uint32_t change_count = 0;
  std::uint32_t aim_count = 0;
  std::uint32_t changes[kMaxChanges] = {};  ///< of Continuation::Pct: after so many steps; each lowers a priority
  Aim aims[kMaxAims] = {};                  ///< of Continuation::ReadsFrom
};

namespace detail {
/// Objects of which an operation finds what the one before it left: who holds a lock, how many wait.
constexpr bool hands_on(Family family) {
  return is_synchronisation_object(family) || family == Family::Once || family == Family::Mailbox;
}
}  // namespace detail

/// Whether what the operation finds on its object depends on who changed it last. Who gives back a lock knows.
constexpr bool is_reader(const Operation& o) {
  return reads_memory(o) || (detail::hands_on(family(o.kind)) && !releases_object(o));
}
constexpr bool is_writer(const Operation& o) {
  return writes_memory(o) || (detail::hands_on(family(o.kind)) && !o.failed());
}

}  // namespace mazurka
