#include "unfolding/configuration.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::unfolding {

void keep_maximal(const EventStructure& events, std::vector<EventId>& of) {
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

void Configuration::push(EventId e) {
  const auto index = static_cast<std::uint32_t>(sequence_.size());
  sequence_.push_back(e);
  const ProcessIndex p = events_.process(e);
  if (p >= processes_.size()) processes_.resize(p + 1);
  processes_[p].push_back({e, index, true});
  for (const Use& use : events_.labels().uses(events_.label(e))) {
    if (use.resource >= resources_.size()) resources_.resize(use.resource + 1);
    resources_[use.resource].push_back({e, index, use.total});
  }
}

void Configuration::pop() {
  const EventId e = sequence_.back();
  sequence_.pop_back();
  processes_[events_.process(e)].pop_back();
  for (const Use& use : events_.labels().uses(events_.label(e))) resources_[use.resource].pop_back();
}

void Configuration::clear() {
  sequence_.clear();
  for (auto& list : processes_) list.clear();
  for (auto& list : resources_) list.clear();
}

Configuration::Entry Configuration::next(ProcessIndex process, EventId previous) const {
  const std::size_t at = previous == kNoEvent ? 0 : events_.position(previous);
  if (process >= processes_.size() || at >= processes_[process].size()) return {};
  return processes_[process][at];
}

const std::vector<Configuration::Entry>& Configuration::on(ResourceId resource) const {
  static const std::vector<Entry> kNone;
  return resource < resources_.size() ? resources_[resource] : kNone;
}

EventId Configuration::last_total(ResourceId resource, const std::uint32_t* clock) const {
  const auto& list = on(resource);
  for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
    if (entry->total && in(entry->event, clock)) return entry->event;
  }
  return kNoEvent;
}

void Configuration::causes_at_end(LabelId label, std::vector<EventId>& causes) const {
  causes.clear();
  const Label& own = events_.labels()[label];
  const EventId previous = last(own.step.process);
  if (previous != kNoEvent) causes.push_back(previous);
  for (const Use& use : events_.labels().uses(label)) {
    const auto& list = on(use.resource);
    for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
      const EventId a = entry->event;
      if (events_.process(a) == own.step.process || !dependent(events_.operation(a), own.operation)) continue;
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
  const Operation& operation = events_.operation(b);
  const ProcessIndex process = events_.process(b);
  for (const Use& use : events_.labels().uses(events_.label(b))) {
    const auto& list = on(use.resource);
    std::uint32_t distance = 0;
    for (auto entry = list.rbegin(); entry != list.rend(); ++entry, ++distance) {
      const EventId a = entry->event;
      if (!in(a, clock)) {
        if (events_.process(a) != process && !dependent(events_.operation(a), operation)) continue;
        count(distances_, distance);
        return false;
      }
      if (entry->total) break;
    }
    count(distances_, distance);
  }
  return true;
}

void Configuration::new_stamp() const {
  if (stamps_.size() < events_.size()) stamps_.resize(events_.size() + events_.size() / 2, 0);
  if (++stamp_ != 0) return;
  std::fill(stamps_.begin(), stamps_.end(), 0);
  stamp_ = 1;
}

bool Configuration::compatible(EventId e, std::vector<EventId>& added) const {
  added.clear();
  if (contains(e)) return true;
  new_stamp();
  added.push_back(e);
  const std::uint32_t* const clock = events_.clock(e);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const EventId b = added[i];
    // What its process did before must be here or new; and nothing else of its process may be here.
    const EventId previous = events_.previous(b);
    if (last(events_.process(b)) != previous && (previous == kNoEvent || contains(previous))) return false;
    if (!compatible_with(b, clock)) return false;
    for (const EventId cause : events_.causes(b)) {
      if (contains(cause) || stamps_[cause] == stamp_) continue;
      stamps_[cause] = stamp_;
      added.push_back(cause);
    }
  }
  std::sort(added.begin(), added.end());
  return true;
}

std::size_t Configuration::first_dependent(EventId b, const std::uint32_t* clock, std::size_t first) const {
  const ProcessIndex process = events_.process(b);
  for (const Use& use : events_.labels().uses(events_.label(b))) {
    const auto& list = on(use.resource);
    for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
      const EventId a = entry->event;
      if (events_.process(a) == process) continue;
      if (in(a, clock)) {
        if (entry->total) break;
      } else if (entry->index < first && dependent(events_.operation(a), events_.operation(b))) {
        first = entry->index;
      }
    }
  }
  return first;
}

std::size_t Configuration::first_conflict(EventId e) const {
  std::size_t first = sequence_.size();
  new_stamp();
  work_.assign(1, e);
  const std::uint32_t* const clock = events_.clock(e);
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const EventId b = work_[i];
    const EventId previous = events_.previous(b);
    if (previous == kNoEvent || contains(previous)) {
      const Entry other = next(events_.process(b), previous);
      if (other.event != kNoEvent) first = std::min<std::size_t>(first, other.index);
    }
    first = first_dependent(b, clock, first);
    for (const EventId cause : events_.causes(b)) {
      if (stamps_[cause] == stamp_ || contains(cause)) continue;
      stamps_[cause] = stamp_;
      work_.push_back(cause);
    }
  }
  return first;
}

}  // namespace mazurka::unfolding
