#include "stateful/local_facts.hpp"

#include <algorithm>
#include <map>

namespace mazurka::stateful {
namespace {

/// Gives equal sets the same id: most rows of a lock or a variable share their sets.
class Interner {
 public:
  explicit Interner(SparseSets& sets) : sets_(&sets) {}
  SparseSets::Id operator()(const std::vector<std::uint32_t>& members) {
    const auto [entry, fresh] = ids_.try_emplace(members, 0);
    if (fresh) entry->second = sets_->add(members);
    return entry->second;
  }

 private:
  SparseSets* sets_;
  std::map<std::vector<std::uint32_t>, SparseSets::Id> ids_;
};

using DenseSet = std::vector<Word>;

std::vector<std::uint32_t> members(const DenseSet& set) {
  std::vector<std::uint32_t> result;
  for_each_bit(set, [&](std::uint32_t i) { result.push_back(i); });
  return result;
}

/// Adds `from` to `into`; returns whether that changed it.
bool merge(DenseSet& into, const DenseSet& from) {
  bool changed = false;
  for (std::size_t w = 0; w < into.size(); ++w) {
    changed = changed || (from[w] & ~into[w]) != 0;
    into[w] |= from[w];
  }
  return changed;
}

}  // namespace

LocalFacts::LocalFacts(const network::Network& network) : network_(&network), empty_(sets_.add({})) {
  for (const network::Action& action : network.actions()) domains_.push_back({action.client, action.server, 0, 0});
  std::uint32_t rows = 0;
  for (ComponentId p = 0; p < network.components().size(); ++p) {
    row_.push_back(rows);
    rows += network.location_count(p);
    const auto actions = network.actions_of(p);
    for (std::uint32_t i = 0; i < actions.size(); ++i)
      (domains_[actions[i]].client == p ? domains_[actions[i]].client_column : domains_[actions[i]].server_column) = i;
  }
  row_.push_back(rows);
  for (ComponentId p = 0; p < network.components().size(); ++p) add_process(p);
  dependents_ = alphabet_;
}

void LocalFacts::add_process(ComponentId p) {
  const auto actions = network_->actions_of(p);
  const std::uint32_t locations = network_->location_count(p);
  std::vector<std::vector<LocalEdge>> edges(locations);
  for (LocationId l = 0; l < locations; ++l)
    for (std::uint32_t i = 0; i < actions.size(); ++i)
      if (const LocationId target = network_->successor(p, l, actions[i]); target != network::kNoLocation)
        edges[l].push_back({i, target});  // columns for now

  // reach: the least sets with reach(l) ⊇ {c} ∪ reach(target of c), by fixed-point iteration.
  std::vector<DenseSet> reach(locations, DenseSet(words_for(actions.size())));
  for (LocationId l = 0; l < locations; ++l)
    for (const LocalEdge& edge : edges[l]) set_bit(reach[l].data(), edge.action);
  for (bool changed = true; changed;) {
    changed = false;
    for (LocationId l = locations; l-- > 0;)
      for (const LocalEdge& edge : edges[l])
        if (edge.target != l && merge(reach[l], reach[edge.target])) changed = true;
  }

  Interner intern(sets_);
  const auto globally = [&](const std::vector<std::uint32_t>& columns) {
    std::vector<std::uint32_t> result;
    result.reserve(columns.size());
    for (std::uint32_t i : columns) result.push_back(actions[i]);
    return result;
  };
  alphabet_.push_back(intern({actions.begin(), actions.end()}));
  for (LocationId l = 0; l < locations; ++l) {
    std::vector<std::uint32_t> out;
    for (const LocalEdge& edge : edges[l]) out.push_back(edge.action);
    out_.push_back(intern(globally(out)));
    const auto reached = members(reach[l]);
    reach_.push_back(intern(globally(reached)));
    std::vector<std::uint32_t> partners;
    partners.reserve(reached.size());
    for (std::uint32_t i : reached) partners.push_back(partner(p, actions[i]));
    std::sort(partners.begin(), partners.end());
    partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    partners_.push_back(intern(partners));

    predecessors_begin_.push_back(predecessors_.size());
    predecessors_.resize(predecessors_.size() + actions.size(), empty_);
    SparseSets::Id* const row = predecessors_.data() + predecessors_begin_.back();
    std::vector<std::uint32_t> before;
    for (std::uint32_t b : reached) {
      before.clear();
      for (const LocalEdge& edge : edges[l])
        if (has_bit(reach[edge.target].data(), b)) before.push_back(actions[edge.action]);
      if (!before.empty()) row[b] = intern(before);
    }
  }
  for (auto& row : edges)
    for (LocalEdge& edge : row) edge.action = actions[edge.action];
  add_triples(p, edges);
}

std::size_t LocalFacts::bytes() const {
  return sets_.bytes() + domains_.capacity() * sizeof(Domain) + predecessors_.capacity() * sizeof(SparseSets::Id) +
         triples_.capacity() * sizeof(Triples) +
         (predecessors_begin_.capacity() + triples_begin_.capacity()) * sizeof(std::size_t) +
         (alphabet_.capacity() + out_.capacity() + reach_.capacity() + partners_.capacity()) * sizeof(SparseSets::Id);
}

}  // namespace mazurka::stateful
