#include "dpor/observed.hpp"

#include <algorithm>
#include <map>

namespace mazurka::dpor {
namespace {

/// Whether the store that `at` points to is read in the rest of the sequence.
bool is_observed(std::span<const LabelledStep> sequence, std::size_t at) {
  for (std::size_t i = at + 1; i < sequence.size(); ++i) {
    const Fate fate = fate_of(sequence[at].operation, sequence[i].operation);
    if (fate != Fate::Unread) return fate == Fate::Observed;
  }
  return false;
}

/// An event of a sequence: the n-th step of its process in it.
struct Occurrence {
  LabelledStep label;
  std::uint32_t number;

  bool same(const Occurrence& other) const {
    return label.step.process == other.label.step.process && number == other.number;
  }
};

std::vector<Occurrence> occurrences(std::span<const LabelledStep> sequence) {
  std::vector<Occurrence> result;
  for (const LabelledStep& s : sequence) {
    const auto number = std::count_if(result.begin(), result.end(),
                                      [&](const Occurrence& o) { return o.label.step.process == s.step.process; });
    result.push_back({s, static_cast<std::uint32_t>(number)});
  }
  return result;
}

/// first.(second \ first)
std::vector<Occurrence> united(const std::vector<Occurrence>& first, const std::vector<Occurrence>& second) {
  std::vector<Occurrence> result = first;
  for (const Occurrence& o : second)
    if (std::none_of(first.begin(), first.end(), [&](const Occurrence& x) { return x.same(o); })) result.push_back(o);
  return result;
}

/// Whether every order that matters in `s` is the same in `t`, which has the same events.
bool keeps_order(const std::vector<Occurrence>& s, const std::vector<Occurrence>& t) {
  std::vector<LabelledStep> labels;
  for (const Occurrence& o : s) labels.push_back(o.label);
  std::vector<std::size_t> place(s.size());
  for (std::size_t i = 0; i < s.size(); ++i)
    place[i] = static_cast<std::size_t>(
        std::find_if(t.begin(), t.end(), [&](const Occurrence& o) { return o.same(s[i]); }) - t.begin());
  for (std::size_t j = 0; j < s.size(); ++j) {
    const Operation& later = s[j].label.operation;
    const bool unobserved = later.kind == OperationKind::Store && !is_observed(labels, j);
    for (std::size_t i = 0; i < j; ++i)
      if (place[i] > place[j] &&
          (s[i].label.step.process == s[j].label.step.process || depends(s[i].label.operation, later, unobserved)))
        return false;
  }
  return true;
}

bool conditional_pair(std::span<const LabelledStep> v, std::span<const LabelledStep> w) {
  return std::any_of(v.begin(), v.end(), [&](const LabelledStep& a) {
    return a.operation.kind == OperationKind::Store && std::any_of(w.begin(), w.end(), [&](const LabelledStep& b) {
             return a.step.process != b.step.process && needs_observer(a.operation, b.operation);
           });
  });
}

/// v ~ w where no order needs an observer: take the steps of v one by one out of w.
bool similar(std::span<const LabelledStep> v, std::span<const LabelledStep> w) {
  std::vector<LabelledStep> rest(w.begin(), w.end());
  for (const LabelledStep& p : v) {
    if (!is_weak_initial(p, rest)) return false;
    const auto same = std::find_if(rest.begin(), rest.end(), [&](const LabelledStep& s) { return s.step == p.step; });
    if (same != rest.end()) rest.erase(same);
  }
  return true;
}

}  // namespace

void Observations::assign(const std::vector<Event>& events) {
  store_.assign(events.size(), false);
  begin_.assign(1, 0);
  observers_.clear();
  ObjectChains chains;
  ObjectChains::Set set;
  for (EventIndex i = 0; i < events.size(); ++i) {
    if (family(events[i].operation.kind) == Family::World) continue;  // looked at below
    chains.find(events[i].operation, set);
    for (std::uint32_t own = 0; own < set.own_count; ++own) chains.push(set.own[own], i, events[i].operation);
  }
  for (EventIndex i = 0; i < events.size(); ++i) {
    const Operation& operation = events[i].operation;
    if (operation.kind == OperationKind::Store) {
      store_[i] = true;
      EventIndex end = static_cast<EventIndex>(events.size());
      chains.find(operation, set);
      for (const ObjectChains::ChainIndex chain : set.related) {
        const auto& on_chain = chains.events(chain);
        for (auto at = std::upper_bound(on_chain.begin(), on_chain.end(), i); at != on_chain.end(); ++at) {
          const Fate fate = fate_of(operation, events[*at].operation);
          if (fate == Fate::Overwritten) {
            end = *at;
            break;
          }
          if (fate == Fate::Observed) observers_.push_back(*at);
        }
      }
      for (EventIndex z = i + 1; z < end; ++z)
        if (family(events[z].operation.kind) == Family::World) observers_.push_back(z);
      std::sort(observers_.begin() + static_cast<std::ptrdiff_t>(begin_.back()), observers_.end());
      observers_.erase(std::unique(observers_.begin() + static_cast<std::ptrdiff_t>(begin_.back()), observers_.end()),
                       observers_.end());
    }
    begin_.push_back(observers_.size());
  }
}

bool is_weak_initial_observed(const LabelledStep& p, std::span<const LabelledStep> v) {
  bool after_store = false;  // p comes after a store that it need not come after
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i].step.process == p.step.process) return v[i].step == p.step && !(after_store && is_observed(v, i));
    if (needs_observer(v[i].operation, p.operation))
      after_store = true;
    else if (dependent(v[i].operation, p.operation))
      return false;
  }
  return true;
}

bool similar_observed(std::span<const LabelledStep> v, std::span<const LabelledStep> w) {
  if (!conditional_pair(v, w)) return similar(v, w);
  const std::vector<Occurrence> a = occurrences(v);
  const std::vector<Occurrence> b = occurrences(w);
  for (const Occurrence& x : a)
    for (const Occurrence& y : b)
      if (x.same(y) && (x.label.step != y.label.step || x.label.operation != y.label.operation)) return false;
  const std::vector<Occurrence> s = united(a, b);
  const std::vector<Occurrence> t = united(b, a);
  return keeps_order(s, t) && keeps_order(t, s);
}

}  // namespace mazurka::dpor
