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

void Configuration::make_marks() {
  if (marks_.size() < events_.size()) marks_.resize(events_.size() + events_.size() / 2);
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
    resources_[use.resource].push_back({e, index, events_.position(e), p, use.total});
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

void Configuration::clear() {
  sequence_.clear();
  times_.clear();
  marks_.clear();
  for (auto& list : processes_) list.clear();
  for (auto& list : resources_) list.clear();
}

const std::vector<Configuration::Entry>& Configuration::on(ResourceId resource) const {
  static const std::vector<Entry> kNone;
  return resource < resources_.size() ? resources_[resource] : kNone;
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
  const Label& own = events_.labels()[label];
  const EventId previous = last(own.step.process);
  if (previous != kNoEvent) causes.push_back(previous);
  for (const Use& use : events_.labels().uses(label)) {
    const auto& list = on(use.resource);
    for (auto entry = list.rbegin(); entry != list.rend(); ++entry) {
      const EventId a = entry->event;
      if (entry->process == own.step.process || !dependent(events_.operation(a), own.operation)) continue;
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
      if (!in(*entry, clock)) {
        if (entry->process != process && !dependent(events_.operation(entry->event), operation)) continue;
        count(distances_, distance);
        return false;
      }
      if (entry->total) break;
    }
    count(distances_, distance);
  }
  return true;
}

std::size_t Configuration::first_direct_conflict(EventId b, std::uint64_t since) const {
  std::size_t first = sequence_.size();
  const ProcessIndex process = events_.process(b);
  const std::uint32_t* const clock = events_.clock(b);
  // What its process did otherwise.
  const EventId previous = events_.previous(b);
  const std::size_t position = events_.position(b);
  if (process < processes_.size() && processes_[process].size() >= position &&
      (previous == kNoEvent || contains(previous)))
    first = index(processes_[process][position - 1]);
  for (const Use& use : events_.labels().uses(events_.label(b))) {
    const auto& list = on(use.resource);
    for (auto entry = list.rbegin(); entry != list.rend() && times_[entry->index] > since; ++entry) {
      if (entry->process == process) continue;
      if (in(*entry, clock)) {
        if (entry->total) break;
      } else if (entry->index < first && dependent(events_.operation(entry->event), events_.operation(b))) {
        first = entry->index;
      }
    }
  }
  return first;
}

/// The events of the local configuration of e that are not here, causes first, without those where `ends` is true of
/// the mark and their causes.
template <class Ends>
void Configuration::collect(EventId e, std::vector<EventId>& events, Ends ends) {
  events.assign(1, e);
  if (++search_ == 0) {
    for (Mark& mark : marks_) mark.search = 0;
    search_ = 1;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (const EventId cause : events_.causes(events[i])) {
      Mark& mark = marks_[cause];
      if (mark.index != kNotHere || mark.search == search_ || ends(mark)) continue;
      mark.search = search_;
      events.push_back(cause);
    }
  }
  std::sort(events.begin(), events.end());
}

std::size_t Configuration::conflict(EventId e) {
  make_marks();
  // A conflict that was found holds as long as that event is here. If there was none, only what came later counts.
  const auto still_true = [this](const Mark& mark) {
    if (mark.conflict == kNotHere) return sequence_.empty() || times_.back() <= mark.looked;
    return mark.conflict < sequence_.size() && times_[mark.conflict] <= mark.looked;
  };
  const auto known = [this](const Mark& mark) { return std::min<std::size_t>(mark.conflict, sequence_.size()); };
  if (still_true(marks_[e])) return known(marks_[e]);
  collect(e, residual_, still_true);
  for (const EventId b : residual_) {
    std::size_t first = sequence_.size();
    for (const EventId cause : events_.causes(b))
      if (marks_[cause].index == kNotHere) first = std::min(first, known(marks_[cause]));
    // What conflicts with a cause is mostly earlier.
    if (first == sequence_.size())
      first = first_direct_conflict(b, marks_[b].conflict == kNotHere ? marks_[b].looked : 0);
    marks_[b].looked = time_;
    marks_[b].conflict = first < sequence_.size() ? static_cast<std::uint32_t>(first) : kNotHere;
  }
  return known(marks_[e]);
}

void Configuration::missing(EventId e, std::vector<EventId>& missing) {
  make_marks();
  collect(e, missing, [](const Mark&) { return false; });
}

}  // namespace mazurka::unfolding
