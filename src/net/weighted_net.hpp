// A place/transition net with arc weights and any number of tokens on a place: the net behind a Net that is not 1-safe.
// Only the deadlock search supports it; it is never unfolded.
#pragma once

#include <cstdint>
#include <vector>

#include "net/net.hpp"

namespace mazurka::net {

struct WeightedNet {
  struct Input {
    PlaceId place;
    std::uint32_t needs;  ///< the number of tokens needed,
    std::uint32_t takes;  ///< of which this many are consumed: 0 for a read arc
  };
  struct Output {
    PlaceId place;
    std::uint32_t gives;
  };
  struct Transition {
    std::vector<Input> inputs;  ///< one per place
    std::vector<Output> outputs;
  };

  std::vector<std::uint32_t> initial;  ///< tokens per place
  std::vector<Transition> transitions;
};

/// The net in the file from which `net` was read. Places and transitions have the same numbers.
WeightedNet weighted(const Net& net);

}  // namespace mazurka::net
