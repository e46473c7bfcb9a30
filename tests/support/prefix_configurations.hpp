// The markings of all configurations of an enriched prefix without cutoffs, straight from the definitions.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "net/marking.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::testing {

class PrefixConfigurations {
 public:
  explicit PrefixConfigurations(const prefix::Prefix& prefix, std::size_t limit = 20000) : prefix_(prefix) {
    for (prefix::EventId e = 0; e < prefix.events().size(); ++e) {
      inputs_.emplace_back();
      if (e == 0) continue;
      prefix.for_each_input(e, [&](prefix::ConditionId c, bool consumed) {
        (consumed ? inputs_.back().pre : inputs_.back().context).push_back(c);
      });
    }
    for (prefix::HistoryId h = 0; h < prefix.histories().size(); ++h) events_of_.push_back(events_of(h));
    explore(limit);
  }

  bool exceeded() const { return exceeded_; }
  const std::set<std::vector<net::Word>>& markings() const { return markings_; }

 private:
  using Set = std::vector<prefix::EventId>;  // sorted
  struct Inputs {
    std::vector<prefix::ConditionId> pre, context;
  };

  Set events_of(prefix::HistoryId history) const {
    std::set<prefix::HistoryId> seen{history};
    std::vector<prefix::HistoryId> todo{history};
    while (!todo.empty()) {
      const auto h = todo.back();
      todo.pop_back();
      for (auto link : prefix_.links(h))
        prefix_.for_each_source(link, [&](prefix::HistoryId source) {
          if (seen.insert(source).second) todo.push_back(source);
        });
    }
    Set events;
    for (auto h : seen)
      if (h != 0) events.push_back(prefix_.histories()[h].event);
    std::sort(events.begin(), events.end());
    return events;
  }

  static bool share(const std::vector<prefix::ConditionId>& a, const std::vector<prefix::ConditionId>& b) {
    return std::any_of(a.begin(), a.end(), [&](auto c) { return std::find(b.begin(), b.end(), c) != b.end(); });
  }

  Set history_in(prefix::EventId event, const Set& configuration) const {
    std::set<prefix::EventId> seen{event};
    std::vector<prefix::EventId> todo{event};
    while (!todo.empty()) {
      const auto b = todo.back();
      todo.pop_back();
      for (auto a : configuration) {
        const auto from_a = [&](auto c) { return prefix_.producer(c) == a; };
        const bool before = share(inputs_[a].context, inputs_[b].pre) ||
                            std::any_of(inputs_[b].pre.begin(), inputs_[b].pre.end(), from_a) ||
                            std::any_of(inputs_[b].context.begin(), inputs_[b].context.end(), from_a);
        if (before && seen.insert(a).second) todo.push_back(a);
      }
    }
    return {seen.begin(), seen.end()};
  }

  void explore(std::size_t limit) {
    std::set<Set> seen{{}};
    std::vector<Set> todo{{}};
    while (!todo.empty()) {
      const Set configuration = std::move(todo.back());
      todo.pop_back();
      std::vector<bool> cut(prefix_.conditions());
      const auto produce = [&](prefix::EventId e) {
        for (std::size_t i = 0; i < prefix_.postset_labels(e).size(); ++i)
          cut[prefix_.events()[e].first_condition + i] = true;
      };
      produce(0);
      for (auto e : configuration) produce(e);
      for (auto e : configuration)
        for (auto c : inputs_[e].pre) cut[c] = false;
      std::vector<net::Word> marking(net::words_for(prefix_.net().places().size()));
      for (prefix::ConditionId c = 0; c < cut.size(); ++c)
        if (cut[c]) net::put(marking, prefix_.place_of(c));
      markings_.insert(marking);
      for (prefix::EventId e = 1; e < prefix_.events().size(); ++e) {
        const auto held = [&](auto c) { return cut[c]; };
        if (std::binary_search(configuration.begin(), configuration.end(), e) ||
            !std::all_of(inputs_[e].pre.begin(), inputs_[e].pre.end(), held) ||
            !std::all_of(inputs_[e].context.begin(), inputs_[e].context.end(), held))
          continue;
        const Set history = history_in(e, configuration);
        bool kept = false;
        for (auto h = prefix_.events()[e].histories; h != prefix::kNoId; h = prefix_.histories()[h].next)
          kept = kept || (prefix_.histories()[h].cutoff == 0 && events_of_[h] == history);
        if (!kept) continue;
        Set next = configuration;
        next.insert(std::lower_bound(next.begin(), next.end(), e), e);
        if (seen.insert(next).second) todo.push_back(std::move(next));
        if (seen.size() > limit) {
          exceeded_ = true;
          return;
        }
      }
    }
  }

  const prefix::Prefix& prefix_;
  std::vector<Inputs> inputs_;
  std::vector<Set> events_of_;
  std::set<std::vector<net::Word>> markings_;
  bool exceeded_ = false;
};

}  // namespace mazurka::testing
