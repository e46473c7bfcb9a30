// ChooseAction(s, A), Listing 5 of *Revisiting Stateful POR*: first an action b with PIFS(s, {b}), since b must be
// explored anyway; where there is none, the b whose set B is largest. Ties go to the first action.
//
// The value of b depends on s alone, not on A. So the order in which Listing 6 will choose is found at once: the
// actions with PIFS(s, {b}) in their linear order, then the others by falling |B|.
#pragma once

#include <vector>

#include "stateful/pifs.hpp"

namespace mazurka::stateful {

class ChooseAction {
 public:
  explicit ChooseAction(Pifs& pifs) : pifs_(&pifs) {}

  /// Sorts `actions`, which must be in linear order.
  void sort(const View& view, std::span<ActionId> actions);

 private:
  struct Ranked {
    std::uint32_t rank;
    ActionId action;
  };
  Pifs* pifs_;
  std::vector<Ranked> ranked_;
};

}  // namespace mazurka::stateful
