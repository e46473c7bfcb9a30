// What an explorer hands over, as a value: what it knows at each of its prefixes from the one it took onwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dpor/search_path.hpp"

namespace mazurka::dpor {

struct HandedOver {
  /// A prefix, and the step by which the path goes on.
  struct Level {
    std::uint32_t asleep = 0;           ///< sleep(E) with done(E): how many they are
    std::vector<LabelledStep> done;     ///< explored from E itself
    std::vector<SequenceStep> planned;  ///< wut(E)
    LabelledStep next;
    bool executed = false;  ///< some execution has taken `next`
  };
  std::vector<Level> levels;  ///< one step longer each
};

/// Takes what is planned off the path, after prefixes from `first` to `last` steps long. The first `executed` steps of
/// the path have been taken by some execution.
inline HandedOver take_off(SearchPath& path, std::size_t first, std::size_t last, std::size_t executed) {
  HandedOver all;
  for (std::size_t i = first; i <= last; ++i) {
    const auto done = path.done(i);
    all.levels.push_back({static_cast<std::uint32_t>(path.sleep(i).size()),
                          {done.begin(), done.end()},
                          path.trees.list(path[i].planned),
                          path[i].current,
                          i < executed});
    path.trees.remove(path[i].planned);
    path[i].planned = WakeupTrees::kNoNode;
  }
  return all;
}

}  // namespace mazurka::dpor
