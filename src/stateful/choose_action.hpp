// ChooseAction(s, A), Listing 5 of *Revisiting Stateful POR*: an action b with PIFS(s, {b}) if there is one, since b
// must be explored anyway; otherwise the b whose set B is largest. Ties go to the first action.
//
// The value of b depends on s alone, not on A. So one sort gives the order of all choices of Listing 6: the actions
// with PIFS(s, {b}) in linear order, then the others by decreasing |B|.
#pragma once

#include <vector>

#include "stateful/pifs.hpp"

namespace mazurka::stateful {

class ChooseAction {
 public:
  explicit ChooseAction(Pifs& pifs) : pifs_(&pifs) {}

  /// Sorts `actions`. \pre They are in linear order.
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
