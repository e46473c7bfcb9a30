// Facts about each process by itself, computed once. §9 and §10 of *Revisiting Stateful Partial-Order Reduction*
// approximate runs of the whole system by such local facts. For a process p in a location s_p:
//
//   out           the actions a with s_p -a->
//   reach         the actions b with s_p ->* -b->
//   predecessors  for an action b of p, the actions c with s_p -c-> ->* -b->          (closure, Def. 36)
//   partners      the processes that share an action with p's future from s_p         (p-closure, Def. 38)
//   triples       pairs (R, A): using only actions with partners in R, p can get from s_p to where each action of A
//                 is next                                                             (PIFS, §9.1)
//
// A pair (process, location) is a *row*. Everything is immutable after construction, except that tests may corrupt
// tables to check that this is detected.
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.hpp"
#include "stateful/bits.hpp"

namespace mazurka::stateful {

using network::ActionId;
using network::ComponentId;
using network::LocationId;

class LocalFacts {
 public:
  explicit LocalFacts(const network::Network& network);

  /// One pair (R, A) of a row: ids of sets in `processes` and `actions`.
  struct Triples {
    SparseSets::Id over;
    SparseSets::Id actions;
  };

  const network::Network& network() const { return *network_; }
  std::uint32_t action_words() const { return words_for(domains_.size()); }
  std::uint32_t process_words() const { return words_for(row_.size() - 1); }

  ComponentId client(ActionId a) const { return domains_[a].client; }
  ComponentId server(ActionId a) const { return domains_[a].server; }
  std::uint32_t row(ComponentId p, LocationId l) const { return row_[p] + l; }

  /// The actions of process p.
  SparseSet alphabet(ComponentId p) const { return sets_[alphabet_[p]]; }
  /// The actions that an action of p removes from a sleep set: those dependent on it (Def. 10).
  SparseSet dependents(ComponentId p) const { return sets_[dependents_[p]]; }
  SparseSet out(std::uint32_t row) const { return sets_[out_[row]]; }
  SparseSet reach(std::uint32_t row) const { return sets_[reach_[row]]; }
  SparseSet partners(std::uint32_t row) const { return sets_[partners_[row]]; }
  SparseSet set(SparseSets::Id id) const { return sets_[id]; }
  SparseSet client_predecessors(LocationId l, ActionId b) const {
    return sets_[predecessors_[predecessors_begin_[row(domains_[b].client, l)] + domains_[b].client_column]];
  }
  SparseSet server_predecessors(LocationId l, ActionId b) const {
    return sets_[predecessors_[predecessors_begin_[row(domains_[b].server, l)] + domains_[b].server_column]];
  }
  std::span<const Triples> triples(std::uint32_t row) const {
    return std::span(triples_).subspan(triples_begin_[row], triples_begin_[row + 1] - triples_begin_[row]);
  }

  /// False if some process had so many triples that minimal sets R were replaced by their intersection. PIFS then
  /// answers "yes" more often than its definition, which is sound.
  bool triples_exact() const { return triples_exact_; }
  std::size_t bytes() const;

  // Deliberate corruption, for tests of the check that must detect it.
  void forget_predecessors() { predecessors_.assign(predecessors_.size(), empty_); }
  void forget_triples() { triples_begin_.assign(triples_begin_.size(), 0); }
  void forget_dependence() { dependents_.assign(dependents_.size(), empty_); }

 private:
  struct Domain {
    ComponentId client;
    ComponentId server;
    std::uint32_t client_column;  // the action's position among those of its client
    std::uint32_t server_column;
  };
  struct LocalEdge {
    ActionId action;
    LocationId target;
  };

  void add_process(ComponentId p);
  void add_triples(ComponentId p, const std::vector<std::vector<LocalEdge>>& edges);
  ComponentId partner(ComponentId p, ActionId a) const {
    return domains_[a].client == p ? domains_[a].server : domains_[a].client;
  }

  const network::Network* network_;
  std::vector<Domain> domains_;
  std::vector<std::uint32_t> row_;  // per process: its first row; plus one at the end
  SparseSets sets_;
  SparseSets::Id empty_;
  std::vector<SparseSets::Id> alphabet_;
  std::vector<SparseSets::Id> dependents_;
  std::vector<SparseSets::Id> out_;
  std::vector<SparseSets::Id> reach_;
  std::vector<SparseSets::Id> partners_;
  std::vector<std::size_t> predecessors_begin_;  // by row
  std::vector<SparseSets::Id> predecessors_;
  std::vector<std::uint32_t> triples_begin_{0};
  std::vector<Triples> triples_;
  bool triples_exact_ = true;
};

}  // namespace mazurka::stateful
