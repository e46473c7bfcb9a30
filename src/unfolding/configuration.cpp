#include "unfolding/configuration.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::unfolding {

void keep_maximal(const EventStructure& events, std::vector<EventId>& of) {
  if (of.size() < 2) return;
  for (std::size_t i = 0; i < of.size();) {
    if (std::any_of(of.begin(), of.end(), [&](EventId e) { return events.before_in_configuration(of[i], e); })) {
      of[i] = of.back();
      of.pop_back();
    } else {
      ++i;
    }
  }
  std::sort(of.begin(), of.end());
  of.erase(std::unique(of.begin(), of.end()), of.end());
}

void Configuration::make_more_marks() {
  for (std::size_t e = marks_.size(); e < events_.size(); ++e) {
    const auto of = events_.causes(static_cast<EventId>(e));
    Mark mark;
    mark.causes = {of.empty() ? kNoEvent : of[0], of.size() < 2 ? kNoEvent : of[1]};
    if (of.size() > 2) mark.causes[1] = kMoreCauses;
    marks_.push_back(mark);
  }
}

[[gnu::flatten]] void Configuration::push(EventId e) {
  make_marks();
  const auto index = static_cast<std::uint32_t>(sequence_.size());
  sequence_.push_back(e);
  times_.push_back(++time_);
  marks_[e].index = index;
  const ProcessIndex p = events_.process(e);
  if (p >= processes_.size()) processes_.resize(p + 1);
  processes_[p].push_back(e);
  for (const Use& use : events_.labels().uses(events_.label(e))) {
    if (use.resource >= resources_.size()) {
      resources_.resize(use.resource + 1);
      indexes_.resize(use.resource + 1);
    }
    std::vector<Entry>& list = resources_[use.resource];
    list.push_back({e, events_.label(e), index, events_.position(e), p, 0, use.total ? 1U : 0U});
    if (list.size() > kShort) [[unlikely]]
      enter_in_index(use.resource);
  }
}

/// Adds the last event on a resource to the index of that resource; creates the index once the resource has enough
/// events.
void Configuration::enter_in_index(ResourceId resource) {
  std::vector<Entry>& list = resources_[resource];
  Index& index = indexes_[resource];
  for (std::uint32_t i = list.size() == kShort + 1 ? 0 : static_cast<std::uint32_t>(list.size()) - 1; i < list.size();
       ++i) {
    if (i > 0) list[i].total_before = (list[i - 1].total != 0 ? i : list[i - 1].total_before) & kLargestPlace;
    if (list[i].total != 0)
      index.totals.push_back(i);
    else if (index.others.size() <= kMostOthers && std::ranges::find(index.others, list[i].label) == index.others.end())
      index.others.push_back(list[i].label);
  }
}

bool Configuration::depends_on_no_other(ResourceId resource, LabelId label, Depends depends) const {
  const std::vector<LabelId>& others = indexes_[resource].others;
  const Labels& labels = events_.labels();
  return others.size() <= kMostOthers && std::none_of(others.begin(), others.end(), [&](LabelId other) {
           if (labels[other].step.process == labels[label].step.process) return false;
           return depends == Depends::AsItIs ? labels.dependent(other, label) : labels.may_depend(label, other);
         });
}

void Configuration::pop() {
  const EventId e = sequence_.back();
  sequence_.pop_back();
  times_.pop_back();
  marks_[e].index = kNotHere;
  processes_[events_.process(e)].pop_back();
  for (const Use& use : events_.labels().uses(events_.label(e))) {
    std::vector<Entry>& list = resources_[use.resource];
    list.pop_back();
    if (list.size() < kShort) [[likely]]
      continue;
    Index& index = indexes_[use.resource];
    if (list.size() == kShort)
      index.totals.clear();
    else if (use.total)
      index.totals.pop_back();
  }
}

void Configuration::renumber(const std::vector<EventId>& renumbered) {
  std::size_t kept = 0;
  for (std::size_t e = 0; e < marks_.size(); ++e) {
    if (renumbered[e] == kNoEvent) continue;
    Mark mark = marks_[e];
    for (EventId& cause : mark.causes)
      if (cause < renumbered.size()) cause = renumbered[cause];
    marks_[kept++] = mark;
  }
  marks_.resize(kept);
  for (EventId& e : sequence_) e = renumbered[e];
  for (auto& list : processes_)
    for (EventId& e : list) e = renumbered[e];
  for (auto& list : resources_)
    for (Entry& entry : list) entry.event = renumbered[entry.event];
}

void Configuration::clear() {
  sequence_.clear();
  times_.clear();
  marks_.clear();
  for (auto& list : processes_) list.clear();
  for (auto& list : resources_) list.clear();
  for (Index& index : indexes_) index = {};  // resources may have changed
}

/// Total uses of a resource are totally ordered, so those in a history are a prefix of them.
template <class Inside>
std::uint32_t Configuration::after_last_total(ResourceId resource, Inside&& inside) const {
  const std::vector<Entry>& list = on(resource);
  if (list.size() <= kShort) [[likely]] {
    auto place = static_cast<std::uint32_t>(list.size());
    while (place > 0 && (list[place - 1].total == 0 || !inside(list[place - 1]))) --place;
    return place;
  }
  const std::vector<std::uint32_t>& totals = indexes_[resource].totals;
  const auto first_outside =
      std::partition_point(totals.begin(), totals.end(), [&](std::uint32_t place) { return inside(list[place]); });
  return first_outside == totals.begin() ? 0 : *(first_outside - 1) + 1;
}

EventId Configuration::last_total(ResourceId resource, const std::uint32_t* clock) const {
  const std::uint32_t after = after_last_total(resource, [&](const Entry& entry) { return in(entry, clock); });
  return after == 0 ? kNoEvent : resources_[resource][after - 1].event;
}

void Configuration::causes_at_end(LabelId label, std::vector<EventId>& causes) const {
  causes.clear();
  const ProcessIndex process = events_.labels()[label].step.process;
  const EventId previous = last(process);
  if (previous != kNoEvent) causes.push_back(previous);
  for (const Use& use : events_.labels().uses(label))
    backwards(use, label, Depends::AsItIs, [&](const Entry& entry, std::uint32_t) {
      const EventId a = entry.event;
      const bool own = entry.process == process;
      if (!own && !events_.labels().dependent(entry.label, label)) return false;
      const bool covered = own || std::any_of(causes.begin(), causes.end(), [&](EventId cause) {
                             return cause == a || events_.before_in_configuration(a, cause);
                           });
      if (!covered) causes.push_back(a);
      return entry.total != 0;  // all earlier events on the resource happen before it
    });
  keep_maximal(events_, causes);
}

bool Configuration::compatible_with(EventId b, const std::uint32_t* clock) const {
  const LabelId label = events_.label(b);
  for (const Use& use : events_.labels().uses(label)) {
    auto looked = static_cast<std::uint32_t>(on(use.resource).size());
    bool is_compatible = true;
    backwards(
        use, label, Depends::AsItIs, [&](const Entry& entry, std::uint32_t distance) __attribute__((always_inline)) {
          const bool inside = in(entry, clock);
          is_compatible = inside || !events_.labels().dependent(entry.label, label);
          const bool last = !is_compatible || (inside && entry.total != 0);
          if (last) looked = distance;
          return last;
        });
    count(distances_, looked);
    if (!is_compatible) return false;
  }
  return true;
}

std::uint32_t Configuration::first_direct_conflict(EventId b, std::uint64_t since) const {
  std::uint32_t first = kNotHere;
  const ProcessIndex process = events_.process(b);
  const std::uint32_t* const clock = events_.clock(b);
  // An event of the same process with the same predecessor conflicts with b.
  const EventId previous = events_.previous(b);
  const std::size_t position = events_.position(b);
  if (process < processes_.size() && processes_[process].size() >= position &&
      (previous == kNoEvent || contains(previous)))
    first = index(processes_[process][position - 1]);
  const LabelId label = events_.label(b);
  // The clock counts b itself, but the configuration may have another event of its process at that position.
  const auto is_cause = [&](const Entry& entry) {
    return in(entry, clock) && (entry.process != process || entry.position < position);
  };
  for (const Use& use : events_.labels().uses(label)) {
    const std::vector<Entry>& list = on(use.resource);
    const auto size = static_cast<std::uint32_t>(list.size());
    std::uint32_t place = after_last_total(use.resource, is_cause);
    const bool only_total =
        size - place > kShort && !use.total && depends_on_no_other(use.resource, label, Depends::AsItIs);
    if (since != 0) {
      const auto is_old = [&](const Entry& entry) { return times_[entry.index] <= since; };
      place = static_cast<std::uint32_t>(std::partition_point(list.begin() + place, list.end(), is_old) - list.begin());
    }
    for (; place < size && list[place].index < first; ++place) {
      if (only_total && list[place].total == 0) {
        const auto& totals = indexes_[use.resource].totals;
        const auto next = std::lower_bound(totals.begin(), totals.end(), place);
        if (next == totals.end()) break;
        place = *next;
      }
      const Entry& entry = list[place];
      if (entry.process == process || in(entry, clock) || !events_.labels().dependent(entry.label, label)) continue;
      first = std::min(first, entry.index);
      break;
    }
  }
  return first;
}

std::size_t Configuration::conflict(EventId e) {
  make_marks();
  const auto found = [&] { return std::min<std::size_t>(marks_[e].conflict, sequence_.size()); };
  if (still_true(marks_[e])) return found();
  // Depth-first, causes first, without recursion.
  path_.assign(1, e);
  while (!path_.empty()) {
    const EventId b = path_.back();
    std::uint32_t first = kNotHere;
    for (const EventId cause : causes(b)) {
      const Mark& mark = marks_[cause];
      if (mark.index != kNotHere) continue;
      if (!still_true(mark)) {
        path_.push_back(cause);
        break;
      }
      first = std::min(first, mark.conflict);
    }
    if (path_.back() != b) continue;
    path_.pop_back();
    Mark& mark = marks_[b];
    // A conflict with a cause usually has a smaller index.
    if (first == kNotHere) first = first_direct_conflict(b, mark.conflict == kNotHere ? mark.looked : 0);
    mark.looked = time_;
    mark.conflict = first;
  }
  return found();
}

void Configuration::missing(EventId e, std::vector<EventId>& missing) {
  make_marks();
  missing.assign(1, e);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    for (const EventId cause : causes(missing[i])) {
      if (marks_[cause].index != kNotHere) continue;
      marks_[cause].index = kMissing;
      missing.push_back(cause);
    }
  }
  for (const EventId b : missing) marks_[b].index = kNotHere;
  std::sort(missing.begin(), missing.end());
}

}  // namespace mazurka::unfolding
