// A place/transition net with arc weights and any number of tokens on a place: what a Net stands for where it is not
// 1-safe. Nothing is unfolded of it; the search for deadlocks is all that knows it.
#pragma once

#include <cstdint>
#include <vector>

#include "net/net.hpp"

namespace mazurka::net {

struct WeightedNet {
  struct Input {
    PlaceId place;
    std::uint32_t needs;  ///< so many tokens,
    std::uint32_t takes;  ///< of which these are consumed: none by a read arc
  };
  struct Output {
    PlaceId place;
    std::uint32_t gives;
  };
  struct Transition {
    std::vector<Input> inputs;  ///< one for each place
    std::vector<Output> outputs;
  };

  std::vector<std::uint32_t> initial;  ///< tokens by place
  std::vector<Transition> transitions;
};

/// The net of the file that `net` was read from. Places and transitions have the same numbers.
WeightedNet weighted(const Net& net);

}  // namespace mazurka::net
