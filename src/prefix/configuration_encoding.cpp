#include "prefix/configuration_encoding.hpp"

#include <algorithm>

#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::prefix {
namespace {

class InterruptTerminator : public CaDiCaL::Terminator {
 public:
  bool terminate() override { return interrupted(); }
};

/// The result code of the IPASIR interface.
constexpr int kUnsatisfiable = 20;

/// From this size on, a chain of auxiliary variables is shorter than a clause per pair.
constexpr std::size_t kPairwise = 6;

}  // namespace

ConfigurationEncoding::ConfigurationEncoding(const Prefix& prefix)
    : prefix_(prefix),
      variable_(prefix.events().size(), 0),
      conditions_(prefix.conditions()),
      of_place_(prefix.net().places().size()),
      place_variable_(prefix.net().places().size(), 0) {
  solver_.set("quiet", 1);  // it must not write to standard output
  collect();
  encode_configurations();
}

void ConfigurationEncoding::add(std::initializer_list<int> clause) {
  for (int literal : clause) solver_.add(literal);
  solver_.add(0);
}

void ConfigurationEncoding::add(const std::vector<int>& clause) {
  for (int literal : clause) solver_.add(literal);
  solver_.add(0);
}

void ConfigurationEncoding::collect() {
  for (HistoryId h = 1; h < prefix_.histories().size(); ++h) {
    const History& history = prefix_.histories()[h];
    if (history.cutoff == 0 && variable_[history.event] == 0) variable_[history.event] = ++variables_;
  }
  for (EventId e = 0; e < prefix_.events().size(); ++e) {
    if (e != 0 && variable(e) == 0) continue;
    const auto places = prefix_.postset_labels(e);
    for (std::size_t i = 0; i < places.size(); ++i)
      of_place_[places[i]].push_back(prefix_.events()[e].first_condition + static_cast<ConditionId>(i));
    if (e == 0) continue;
    prefix_.for_each_input(e, [&](ConditionId condition, bool consumed) {
      (consumed ? conditions_[condition].consumers : conditions_[condition].readers).push_back(e);
    });
  }
}

void ConfigurationEncoding::encode_configurations() {
  for (EventId e = 1; e < prefix_.events().size(); ++e) {
    if (variable(e) == 0) continue;
    prefix_.for_each_input(e, [&](ConditionId condition, bool) {
      const EventId producer = prefix_.producer(condition);
      if (producer != 0) add({-variable(e), variable(producer)});
    });
  }
  for (const Condition& condition : conditions_) at_most_one(condition.consumers);
}

void ConfigurationEncoding::at_most_one(const std::vector<EventId>& events) {
  if (events.size() <= kPairwise) {
    for (std::size_t i = 0; i < events.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) add({-variable(events[i]), -variable(events[j])});
    return;
  }
  int before = 0;  // true if one of the events so far is chosen
  for (EventId e : events) {
    const int here = ++variables_;
    add({-variable(e), here});
    if (before != 0) {
      add({-before, here});
      add({-before, -variable(e)});
    }
    before = here;
  }
}

int ConfigurationEncoding::in_cut(ConditionId condition) {
  const int cut = ++variables_;
  const EventId producer = prefix_.producer(condition);
  std::vector<int> back{cut};
  if (producer != 0) {
    add({-cut, variable(producer)});
    back.push_back(-variable(producer));
  }
  for (EventId consumer : conditions_[condition].consumers) {
    add({-cut, -variable(consumer)});
    back.push_back(variable(consumer));
  }
  add(back);
  return cut;
}

int ConfigurationEncoding::marked(PlaceId place) {
  if (place_variable_[place] != 0) return place_variable_[place];
  const int here = ++variables_;
  place_variable_[place] = here;
  std::vector<int> some{-here};
  for (ConditionId condition : of_place_[place]) {
    const int cut = in_cut(condition);
    add({-cut, here});
    some.push_back(cut);
  }
  add(some);
  return here;
}

void ConfigurationEncoding::require_some_empty(std::span<const PlaceId> places) {
  std::vector<int> clause;
  for (PlaceId p : places) clause.push_back(-marked(p));
  add(clause);
}

void ConfigurationEncoding::require_other_than(std::span<const PlaceId> places) {
  std::vector<bool> in(prefix_.net().places().size(), false);
  for (PlaceId p : places) in[p] = true;
  std::vector<int> clause;
  for (PlaceId p = 0; p < in.size(); ++p) clause.push_back(in[p] ? -marked(p) : marked(p));
  add(clause);
}

void ConfigurationEncoding::require_some_marked(std::span<const PlaceId> places) {
  std::vector<int> clause;
  for (PlaceId p : places) clause.push_back(marked(p));
  add(clause);
}

ConfigurationEncoding::Status ConfigurationEncoding::solve() {
  InterruptTerminator terminator;
  solver_.connect_terminator(&terminator);
  Status status = Status::Interrupted;
  for (;;) {
    const int answer = interrupted() ? 0 : solver_.solve();
    if (answer == 0) break;
    if (answer == kUnsatisfiable) {
      status = Status::Unsatisfiable;
      break;
    }
    chosen_.clear();
    for (EventId e = 1; e < prefix_.events().size(); ++e)
      if (variable(e) != 0 && solver_.val(variable(e)) > 0) chosen_.push_back(e);
    if (linearise()) {
      status = Status::Satisfied;
      break;
    }
  }
  solver_.disconnect_terminator();
  return status;
}

/// Sorts the chosen events topologically by ↗; if there is a cycle, forbids it and returns false.
bool ConfigurationEncoding::linearise() {
  std::vector<std::uint32_t> waits(prefix_.events().size(), 0);
  std::vector<bool> in(prefix_.events().size(), false);
  for (EventId e : chosen_) in[e] = true;
  const auto for_each_later = [&](EventId e, auto&& visit) {
    const ConditionId first = prefix_.events()[e].first_condition;
    for (ConditionId c = first; c < first + prefix_.label(e).post.size(); ++c) {
      for (EventId later : conditions_[c].consumers)
        if (in[later]) visit(later);
      for (EventId later : conditions_[c].readers)
        if (in[later]) visit(later);
    }
    prefix_.for_each_input(e, [&](ConditionId c, bool consumed) {
      if (consumed) return;
      for (EventId later : conditions_[c].consumers)
        if (in[later]) visit(later);
    });
  };
  for (EventId e : chosen_) for_each_later(e, [&](EventId later) { ++waits[later]; });
  std::vector<EventId> ready;
  for (EventId e : chosen_)
    if (waits[e] == 0) ready.push_back(e);
  sequence_.clear();
  for (std::size_t i = 0; i < ready.size(); ++i) {
    sequence_.push_back(prefix_.events()[ready[i]].label);
    in[ready[i]] = false;
    for_each_later(ready[i], [&](EventId later) {
      if (--waits[later] == 0) ready.push_back(later);
    });
  }
  if (ready.size() == chosen_.size()) return true;
  std::erase_if(chosen_, [&](EventId e) { return !in[e]; });
  forbid_cycle(chosen_);
  return false;
}

/// Every stuck event waits for another stuck one, so following predecessors closes a cycle. Along it, causality makes
/// each reader imply the consumer before it, so it suffices to forbid the readers together.
void ConfigurationEncoding::forbid_cycle(const std::vector<EventId>& stuck) {
  std::vector<bool> in(prefix_.events().size(), false);
  for (EventId e : stuck) in[e] = true;
  struct Edge {
    EventId from;
    bool read;
  };
  const auto predecessor = [&](EventId e) {
    Edge edge{0, false};
    prefix_.for_each_input(e, [&](ConditionId c, bool consumed) {
      if (edge.from != 0) return;
      if (in[prefix_.producer(c)]) edge = {prefix_.producer(c), false};
      if (edge.from != 0 || !consumed) return;
      for (EventId reader : conditions_[c].readers)
        if (in[reader] && reader != e) edge = {reader, true};
    });
    return edge;
  };
  std::vector<Edge> path;
  std::vector<std::size_t> position(prefix_.events().size(), SIZE_MAX);
  EventId at = stuck.front();
  while (position[at] == SIZE_MAX) {
    position[at] = path.size();
    const Edge edge = predecessor(at);
    MZ_INVARIANT(edge.from != 0, "an event that cannot be ordered waits for another one");
    path.push_back(edge);
    at = edge.from;
  }
  std::vector<int> clause;
  for (std::size_t i = position[at]; i < path.size(); ++i)
    if (path[i].read) clause.push_back(-variable(path[i].from));
  MZ_INVARIANT(!clause.empty(), "causality alone has no cycles");
  add(clause);
}

}  // namespace mazurka::prefix
