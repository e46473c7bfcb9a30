// Source-DPOR (J. ACM 2017, Algorithm 1): adds one of the initials of a reversal v after E to the source set of E.
#include <algorithm>

#include "dpor/explorer.hpp"

namespace mazurka::dpor {

std::optional<Planned> redundant_for_source(const SearchPath& path, const Reversal& v) {
  // if I(v) meets backtrack(E), or a step of it sleeps, there is nothing to do
  const auto sleep = path.sleep(v.at);
  for (std::size_t i = 0; i < v.sequence.size(); ++i) {
    if (!is_initial(v.sequence, i)) continue;
    const auto is_it = [&](const LabelledStep& s) { return s.step == v.sequence[i].step; };
    if (is_it(path[v.at].current) || std::any_of(sleep.begin(), sleep.end(), is_it)) return Planned::Settled;
  }
  return std::nullopt;
}

}  // namespace mazurka::dpor
