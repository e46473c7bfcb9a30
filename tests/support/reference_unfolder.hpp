// The enriched prefix by its definition, for tests only: configurations are enumerated one by one as sets of events,
// histories are computed from them with Def. 5, and nothing is shared with the product but the net and the counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "net/net.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::testing {

class ReferenceUnfolder {
 public:
  struct Counts {
    std::size_t events = 0, conditions = 0, histories = 0, cutoffs = 0;
    bool operator==(const Counts&) const = default;
  };

  explicit ReferenceUnfolder(const net::Net& net, bool total_order = true) : net_(net), total_(total_order) { run(); }

  const Counts& counts() const { return counts_; }
  /// Gave up: more configurations than the limit.
  bool exceeded() const { return exceeded_; }

 private:
  using Set = std::vector<int>;  // sorted
  struct Event {
    net::TransitionId label;
    Set pre, context;
    int first_condition;
  };
  struct Key {  // an enriched event in the adequate order; equal keys are one history
    std::size_t size;
    std::vector<net::TransitionId> parikh;
    std::vector<std::vector<net::TransitionId>> foata;
  };
  struct Found {
    Key key;
    int event;
    Set history, marking;
  };
  static constexpr std::size_t kLimit = 300000;

  int intern(net::TransitionId t, const Set& pre, const Set& context) {
    const auto [at, fresh] = index_.try_emplace({t, pre, context}, static_cast<int>(events_.size()));
    if (fresh) {
      events_.push_back({t, pre, context, static_cast<int>(place_.size())});
      for (net::PlaceId p : net_.transition(t).post) {
        place_.push_back(p);
        producer_.push_back(at->second);
      }
    }
    return at->second;
  }

  static bool has(const Set& set, int x) { return std::binary_search(set.begin(), set.end(), x); }

  /// a ↗ b for different events of one configuration, without the transitive part of causality.
  bool before(int a, int b) const {
    const auto made_by_a = [&](int c) { return producer_[c] == a; };
    return std::any_of(events_[b].pre.begin(), events_[b].pre.end(), made_by_a) ||
           std::any_of(events_[b].context.begin(), events_[b].context.end(), made_by_a) ||
           std::any_of(events_[a].context.begin(), events_[a].context.end(),
                       [&](int c) { return has(events_[b].pre, c); });
  }

  Set history_of(int event, const Set& configuration) const {
    std::set<int> seen{event};
    std::vector<int> todo{event};
    while (!todo.empty()) {
      const int b = todo.back();
      todo.pop_back();
      for (int a : configuration)
        if (a != b && before(a, b) && seen.insert(a).second) todo.push_back(a);
    }
    return {seen.begin(), seen.end()};
  }

  Set cut_of(const Set& configuration) const {
    Set cut;
    for (int c = 0; c < static_cast<int>(place_.size()); ++c)
      if (producer_[c] < 0 || has(configuration, producer_[c])) cut.push_back(c);
    for (int e : configuration)
      for (int c : events_[e].pre) std::erase(cut, c);
    return cut;
  }

  int level_of(int e, const Set& history, std::map<int, int>& memo) const {
    if (const auto at = memo.find(e); at != memo.end()) return at->second;
    int level = 0;
    for (int a : history)
      if (a != e && before(a, e)) level = std::max(level, level_of(a, history, memo) + 1);
    return memo[e] = level;
  }

  Key key_of(const Set& history) const {
    Key key{history.size(), {}, {}};
    std::map<int, int> memo;
    for (int e : history) {
      key.parikh.push_back(events_[e].label);
      const auto level = static_cast<std::size_t>(level_of(e, history, memo));
      if (key.foata.size() <= level) key.foata.resize(level + 1);
      key.foata[level].push_back(events_[e].label);
    }
    std::sort(key.parikh.begin(), key.parikh.end());
    for (auto& level : key.foata) std::sort(level.begin(), level.end());
    return key;
  }

  bool smaller(const Key& a, const Key& b) const {
    if (a.size != b.size) return a.size < b.size;
    if (!total_) return false;
    if (a.parikh != b.parikh) return a.parikh < b.parikh;
    for (std::size_t i = 0; i < std::min(a.foata.size(), b.foata.size()); ++i) {
      if (a.foata[i].size() != b.foata[i].size()) return a.foata[i].size() < b.foata[i].size();
      if (a.foata[i] != b.foata[i]) return a.foata[i] < b.foata[i];
    }
    return false;
  }

  /// All extensions of all configurations that are made of accepted histories.
  std::map<std::pair<int, Set>, Found> extensions() {
    std::map<std::pair<int, Set>, Found> found;
    std::set<Set> seen{{}};
    std::vector<Set> todo{{}};
    while (!todo.empty()) {
      const Set configuration = std::move(todo.back());
      todo.pop_back();
      if (seen.size() > kLimit) {
        exceeded_ = true;
        return found;
      }
      const Set cut = cut_of(configuration);
      std::map<net::PlaceId, int> at;
      for (int c : cut) at[place_[static_cast<std::size_t>(c)]] = c;
      for (net::TransitionId t = 0; t < net_.transitions().size(); ++t) {
        Set pre, context;
        bool enabled = true;
        for (auto p : net_.transition(t).pre) enabled = enabled && at.contains(p) && (pre.push_back(at[p]), true);
        for (auto p : net_.transition(t).context)
          enabled = enabled && at.contains(p) && (context.push_back(at[p]), true);
        if (!enabled) continue;
        std::sort(pre.begin(), pre.end());
        std::sort(context.begin(), context.end());
        const int e = intern(t, pre, context);
        if (has(configuration, e)) continue;
        Set next = configuration;
        next.insert(std::lower_bound(next.begin(), next.end(), e), e);
        Set history = history_of(e, next);
        if (accepted_.contains({e, history})) {
          if (seen.insert(next).second) todo.push_back(next);
        } else if (!rejected_.contains({e, history}) && !found.contains({e, history})) {
          Set marking;
          for (int c : cut_of(history)) marking.push_back(static_cast<int>(place_[static_cast<std::size_t>(c)]));
          std::sort(marking.begin(), marking.end());
          found.try_emplace({e, history}, Found{key_of(history), e, history, marking});
        }
      }
    }
    return found;
  }

  void run() {
    Set initial;
    for (auto p : net_.initial()) {
      place_.push_back(p);
      producer_.push_back(-1);
      initial.push_back(static_cast<int>(p));
    }
    best_[initial] = Key{};
    for (;;) {
      auto found = extensions();
      if (exceeded_ || found.empty()) break;
      std::vector<const Found*> batch;
      std::size_t size = SIZE_MAX;
      for (const auto& [id, extension] : found) size = std::min(size, extension.key.size);
      for (const auto& [id, extension] : found)
        if (extension.key.size == size) batch.push_back(&extension);
      std::sort(batch.begin(), batch.end(), [&](auto* a, auto* b) { return smaller(a->key, b->key); });
      for (const Found* next : batch) {
        const auto [at, fresh] = best_.try_emplace(next->marking, next->key);
        const bool cutoff = !fresh && smaller(at->second, next->key);
        (cutoff ? rejected_ : accepted_).insert({next->event, next->history});
        counts_.cutoffs += cutoff;
        ++counts_.histories;
      }
    }
    std::set<int> used;
    for (const auto* group : {&accepted_, &rejected_})
      for (const auto& [e, history] : *group) used.insert(e);
    counts_.events = used.size();
    counts_.conditions = initial.size();
    for (int e : used) counts_.conditions += net_.transition(events_[static_cast<std::size_t>(e)].label).post.size();
  }

  const net::Net& net_;
  bool total_;
  bool exceeded_ = false;
  Counts counts_;
  std::map<std::tuple<net::TransitionId, Set, Set>, int> index_;
  std::vector<Event> events_;
  std::vector<net::PlaceId> place_;
  std::vector<int> producer_;
  std::map<Set, Key> best_;
  std::set<std::pair<int, Set>> accepted_, rejected_;
};

inline ReferenceUnfolder::Counts counts_of(const prefix::Prefix& prefix) {
  return {prefix.event_count(), prefix.conditions(), prefix.history_count(), prefix.cutoff_count()};
}

}  // namespace mazurka::testing
