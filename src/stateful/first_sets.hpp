// First(s) for every reachable state s, Def. 6 of *Revisiting Stateful POR*: the first sets of all maximal runs from s.
// Computed bottom-up, since the product is acyclic: a terminal state has the single first set ∅; otherwise
//   first(a u) = {a} ∪ (first(u) - Da),
// where Da is the set of actions dependent on a. There may be exponentially many first sets, hence the limits.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "network/product.hpp"
#include "network/state_store.hpp"

namespace mazurka::stateful {

struct FirstSetLimits {
  std::uint64_t max_states = 4'000'000;
  std::uint64_t max_sets = 100'000'000;  ///< summed over all states
};

class FirstSets {
 public:
  using SetId = std::uint32_t;
  using Set = std::vector<network::ActionId>;  // sorted

  FirstSets(const network::Product& product, FirstSetLimits limits);

  /// False if a limit was reached: then the results are unusable.
  bool complete() const { return complete_; }
  /// First(s) of a packed state. \pre The state is reachable.
  std::span<const SetId> of(const std::uint64_t* state) const;
  bool reachable(const std::uint64_t* state) const { return find(state) != network::kNoState; }
  const Set& set(SetId id) const { return *sets_[id]; }

  network::StateId states() const { return states_.size(); }
  std::uint64_t terminal_states() const { return terminal_; }
  std::size_t distinct_sets() const { return sets_.size(); }

 private:
  struct Successor {
    network::ActionId action;
    network::StateId target;
  };

  network::StateId find(const std::uint64_t* state) const { return states_.find(state, states_.hash(state)); }
  bool explore(std::uint64_t max_states);
  std::vector<network::StateId> postorder() const;
  SetId intern(Set set);
  SetId before(network::ActionId a, SetId rest);
  std::span<const Successor> successors(network::StateId s) const {
    return std::span(successors_).subspan(successors_begin_[s], successors_begin_[s + 1] - successors_begin_[s]);
  }

  const network::Product* product_;
  network::StateStore states_;
  std::vector<Successor> successors_;
  std::vector<std::size_t> successors_begin_{0};
  std::vector<std::vector<SetId>> first_;  // by state
  std::map<Set, SetId> ids_;
  std::vector<const Set*> sets_;  // keys of ids_
  std::map<std::pair<network::ActionId, SetId>, SetId> before_;
  std::uint64_t terminal_ = 0;
  bool complete_ = false;
};

}  // namespace mazurka::stateful
