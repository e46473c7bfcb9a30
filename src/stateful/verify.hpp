// Is a reduced graph sound and complete (Def. 5 of *Revisiting Stateful POR*)? Decided from the graph and the full
// product, without the local facts from which the reduction was computed.
//
// Soundness: the root is the initial state, every edge is a transition of the product, and without the dead nodes all
// maximal paths end in terminal states.
//
// Completeness: §11 of the paper checks that the actions out of every node form a covering source set. With sleep sets
// that fails for correct graphs too, since a node need not explore runs that begin with a sleeping action (n_b of Fig.
// 4 has the sleep set {a}, explores c, and has the first sets {a} and {c}). What holds, and suffices, is: for a node n
// and F ∈ First(s(n)) with F ∩ sleep(n) = ∅ there is an edge n -a-> m with a ∈ F and nothing asleep in m that is
// dependent on a or in F - {a}. For if u is a maximal run from s(n) with first(u) = F then u ~ a u' with first(u') ⊆ (F
// - {a}) ∪ Da, so u' is a run that m has to explore, and the claim follows by induction on the length. Without sleep
// sets this is the check of the paper.
#pragma once

#include <string>

#include "stateful/first_sets.hpp"
#include "stateful/graph_explorer.hpp"

namespace mazurka::stateful {

struct Verification {
  enum class Status { Holds, Fails, TooLarge };
  Status status;
  std::string message;  ///< what failed and where, or which limit was reached
  std::uint64_t full_states = 0;
  std::uint64_t first_sets = 0;  ///< distinct
};

/// \pre The exploration is complete and kept its edges.
Verification verify_reduction(const GraphExplorer& explorer, FirstSetLimits limits = {});

/// The same with precomputed first sets, for several explorations of one system.
Verification verify_reduction(const GraphExplorer& explorer, const FirstSets& first_sets);

}  // namespace mazurka::stateful
