// IFS(s, B), Def. 14 of *Revisiting Stateful POR*, exactly: is there a maximal run u from s with first(u) ⊆ B?
//
// Let Z = enabled(s) - B. first(u) ∩ Z = ∅ iff u can be executed as follows: no action of Z is taken, and each action
// removes the actions dependent on it from Z. What stays in Z stays enabled, so a terminal state is reached only with Z
// empty. We search for such a run and memoise the pairs (state, Z). Exponential in general (the problem is
// NP-complete), so this is a reference for small systems.
#pragma once

#include <unordered_map>
#include <vector>

#include "network/product.hpp"
#include "stateful/bits.hpp"

namespace mazurka::stateful {

class Ifs {
 public:
  explicit Ifs(const network::Product& product) : product_(&product) {}

  /// `state` is packed; `b` is a set of actions.
  bool test(const std::uint64_t* state, const std::vector<Word>& b);

 private:
  struct Hash {
    std::size_t operator()(const std::vector<Word>& key) const;
  };
  bool search(const std::vector<std::uint64_t>& state, const std::vector<Word>& asleep);

  const network::Product* product_;
  std::unordered_map<std::vector<Word>, bool, Hash> known_;  // state, then Z
};

}  // namespace mazurka::stateful
