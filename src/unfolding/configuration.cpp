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

void Configuration::push(EventId e) {
  make_marks();
  const auto index = static_cast<std::uint32_t>(sequence_.size());
  sequence_.push_back(e);
  times_.push_back(++time_);
  marks_[e].index = index;
  const ProcessIndex p = events_.process(e);
  if (p >= processes_.size()) processes_.resize(p + 1);
  processes_[p].push_back(e);
  for (const Use& use : events_.labels().uses(events_.label(e))) {
    if (use.resource >= resources_.size()) resources_.resize(use.resource + 1);
    resources_[use.resource].push_back({e, events_.label(e), index, events_.position(e), p, use.total});
  }
}

void Configuration::pop() {
  const EventId e = sequence_.back();
  sequence_.pop_back();
  times_.pop_back();
  marks_[e].index = kNotHere;
  processes_[events_.process(e)].pop_back();
  for (const Use& use : events_.labels().uses(events_.label(e))) resources_[use.resource].pop_back();
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
}

EventId Configuration::last_total(ResourceId resource, const std::uint32_t* clock) const {
  const auto& list = on(resource);
  for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
    if (entry->total && in(*entry, clock)) return entry->event;
  }
  return kNoEvent;
}

void Configuration::causes_at_end(LabelId label, std::vector<EventId>& causes) const {
  causes.clear();
  const ProcessIndex process = events_.labels()[label].step.process;
  const EventId previous = last(process);
  if (previous != kNoEvent) causes.push_back(previous);
  for (const Use& use : events_.labels().uses(label)) {
    const auto& list = on(use.resource);
    for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
      const EventId a = entry->event;
      if (entry->process == process || !events_.labels().dependent(entry->label, label)) continue;
      const bool covered = std::any_of(causes.begin(), causes.end(), [&](EventId cause) {
        return cause == a || events_.before_in_configuration(a, cause);
      });
      if (!covered) causes.push_back(a);
      if (entry->total) break;  // whatever was there before comes before this one
    }
  }
  keep_maximal(events_, causes);
}

bool Configuration::compatible_with(EventId b, const std::uint32_t* clock) const {
  const LabelId label = events_.label(b);
  for (const Use& use : events_.labels().uses(label)) {
    const auto& list = on(use.resource);
    std::uint32_t distance = 0;
    for (auto entry = list.rbegin(); entry != list.rend(); ++entry, ++distance) {
      if (!in(*entry, clock)) {
        if (!events_.labels().dependent(entry->label, label)) continue;
        count(distances_, distance);
        return false;
      }
      if (entry->total) break;
    }
    count(distances_, distance);
  }
  return true;
}

std::uint32_t Configuration::first_direct_conflict(EventId b, std::uint64_t since) const {
  std::uint32_t first = kNotHere;
  const ProcessIndex process = events_.process(b);
  const std::uint32_t* const clock = events_.clock(b);
  // What its process did otherwise.
  const EventId previous = events_.previous(b);
  const std::size_t position = events_.position(b);
  if (process < processes_.size() && processes_[process].size() >= position &&
      (previous == kNoEvent || contains(previous)))
    first = index(processes_[process][position - 1]);
  const LabelId label = events_.label(b);
  for (const Use& use : events_.labels().uses(label)) {
    const auto& list = on(use.resource);
    for (auto entry = list.rbegin(); entry != list.rend() && times_[entry->index] > since; ++entry) {
      if (entry->process == process) continue;
      if (in(*entry, clock)) {
        if (entry->total) break;
      } else if (entry->index < first && events_.labels().dependent(entry->label, label)) {
        first = entry->index;
      }
    }
  }
  return first;
}

std::size_t Configuration::conflict(EventId e) {
  make_marks();
  const auto found = [&] { return std::min<std::size_t>(marks_[e].conflict, sequence_.size()); };
  if (still_true(marks_[e])) return found();
  // Causes before what they cause, without recursion.
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
    // What conflicts with a cause is mostly earlier.
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
