// The triples (s_p, R, b) of §9.1: from s_p, process p can reach a location where b is next by actions shared with
// processes of R only. R omits p itself, which is in dom(B) whenever PIFS asks. Only the minimal sets R matter. They
// are found by a search over pairs (location, R) that drops a pair once a smaller R is known for the location. A
// process may have exponentially many; beyond kMostSets, the sets of a location are replaced by their intersection.
#include <algorithm>
#include <map>

#include "stateful/local_facts.hpp"

namespace mazurka::stateful {
namespace {

constexpr std::size_t kMostSets = 128;

using ProcessSet = std::vector<ComponentId>;  // sorted

/// Adds `set` to the antichain of minimal sets. Returns false if it contains one that is there already.
bool add_minimal(std::vector<ProcessSet>& antichain, const ProcessSet& set) {
  const auto contains = [](const ProcessSet& large, const ProcessSet& small) {
    return std::includes(large.begin(), large.end(), small.begin(), small.end());
  };
  for (const ProcessSet& known : antichain)
    if (contains(set, known)) return false;
  std::erase_if(antichain, [&](const ProcessSet& known) { return contains(known, set); });
  antichain.push_back(set);
  return true;
}

ProcessSet with(const ProcessSet& set, ComponentId process) {
  ProcessSet result = set;
  const auto place = std::lower_bound(result.begin(), result.end(), process);
  if (place == result.end() || *place != process) result.insert(place, process);
  return result;
}

ProcessSet intersection(const std::vector<ProcessSet>& sets) {
  ProcessSet result = sets.front();
  for (const ProcessSet& set : sets)
    std::erase_if(result, [&](ComponentId p) { return !std::binary_search(set.begin(), set.end(), p); });
  return result;
}

}  // namespace

void LocalFacts::add_triples(ComponentId p, const std::vector<std::vector<LocalEdge>>& edges) {
  const auto locations = static_cast<LocationId>(edges.size());
  // For the search, only the partner and the target of an edge matter.
  std::vector<std::vector<std::pair<ComponentId, LocationId>>> moves(locations);
  for (LocationId l = 0; l < locations; ++l) {
    for (const LocalEdge& edge : edges[l])
      if (edge.target != l) moves[l].emplace_back(partner(p, edge.action), edge.target);
    std::sort(moves[l].begin(), moves[l].end());
    moves[l].erase(std::unique(moves[l].begin(), moves[l].end()), moves[l].end());
  }
  std::map<ProcessSet, SparseSets::Id> over_ids;
  std::map<std::vector<std::uint32_t>, SparseSets::Id> action_ids;
  std::vector<std::pair<LocationId, ProcessSet>> work;
  for (LocationId from = 0; from < locations; ++from) {
    std::map<LocationId, std::vector<ProcessSet>> over;  // reached locations
    over[from].push_back({});
    work.emplace_back(from, ProcessSet{});
    while (!work.empty()) {
      const auto [at, set] = std::move(work.back());
      work.pop_back();
      auto& here = over[at];
      if (std::find(here.begin(), here.end(), set) == here.end()) continue;  // a smaller one was found since
      for (const auto& [process, target] : moves[at]) {
        auto& there = over[target];
        ProcessSet larger = with(set, process);
        if (!add_minimal(there, larger)) continue;
        if (there.size() > kMostSets) {
          triples_exact_ = false;
          larger = intersection(there);
          there.assign(1, larger);
        }
        work.emplace_back(target, std::move(larger));
      }
    }
    std::map<ActionId, std::vector<ProcessSet>> before;
    for (const auto& [location, sets] : over)
      for (const LocalEdge& edge : edges[location])
        for (const ProcessSet& set : sets) add_minimal(before[edge.action], set);
    std::map<ProcessSet, std::vector<std::uint32_t>> groups;
    for (const auto& [action, sets] : before)
      for (const ProcessSet& set : sets) groups[set].push_back(action);
    for (const auto& [set, actions] : groups) {
      const auto [over_id, fresh_over] = over_ids.try_emplace(set, 0);
      if (fresh_over) over_id->second = sets_.add(set);
      const auto [action_id, fresh_actions] = action_ids.try_emplace(actions, 0);
      if (fresh_actions) action_id->second = sets_.add(actions);
      triples_.push_back({over_id->second, action_id->second});
    }
    triples_begin_.push_back(static_cast<std::uint32_t>(triples_.size()));
  }
}

}  // namespace mazurka::stateful
