// A configuration, as the sequence in which its events were added, and what can be asked of it: which events of it a
// label depends on, and whether an event of the unfolding is compatible with it.
#pragma once

#include <vector>

#include "unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class Configuration final : public Surroundings {
 public:
  struct Entry {
    EventId event = kNoEvent;
    std::uint32_t index = 0;  ///< in the sequence
    bool total = false;       ///< whether the event's use of the resource is total
  };

  explicit Configuration(const EventStructure& events) : events_(events) {}

  /// An event whose causes are in the configuration and which does not conflict with it.
  void push(EventId e);
  void pop();
  std::size_t size() const { return sequence_.size(); }
  EventId operator[](std::size_t i) const { return sequence_[i]; }

  bool contains(EventId e) const {
    const ProcessIndex p = events_.process(e);
    const std::uint32_t position = events_.position(e);
    return p < processes_.size() && processes_[p].size() >= position && processes_[p][position - 1].event == e;
  }
  /// The last event of a process, or kNoEvent.
  EventId last(ProcessIndex process) const {
    return process < processes_.size() && !processes_[process].empty() ? processes_[process].back().event : kNoEvent;
  }
  /// The event of a process after `previous`, which is its event before, or kNoEvent.
  Entry next(ProcessIndex process, EventId previous) const;
  /// The events that use a resource, as they came.
  const std::vector<Entry>& on(ResourceId resource) const;
  /// Where in the sequence an event of this configuration is.
  std::uint32_t index(EventId e) const { return processes_[events_.process(e)][events_.position(e) - 1].index; }

  EventId last_total(ResourceId resource, const std::uint32_t* clock) const override;

  /// The immediate causes that an event with this label has if it is added at the end.
  void causes_at_end(LabelId label, std::vector<EventId>& causes) const;

  /// Whether the configuration stays one if the local configuration of e is added. If so, `added` has what is new, in
  /// an order in which it can be pushed. By the residuals: what is only here must be independent of what is only there.
  bool compatible(EventId e, std::vector<EventId>& added) const;
  /// The same for an event whose causes are all here.
  bool enables(EventId e) const { return compatible_with(e, events_.clock(e)) && is_next(e); }

  /// The smallest index of an event here with which the local configuration of e is in conflict, or size().
  std::size_t first_conflict(EventId e) const;

  void clear();

  /// Of conflict queries: how many events on the resource were looked at beyond the last one.
  const Distances& distances() const { return distances_; }

 private:
  bool is_next(EventId e) const { return last(events_.process(e)) == events_.previous(e); }
  /// Whether b, not in here, is independent of all that is here and not in the history with this clock.
  bool compatible_with(EventId b, const std::uint32_t* clock) const;
  /// The smallest index of an event here that is not in the history with this clock and depends on b, or `first`.
  std::size_t first_dependent(EventId b, const std::uint32_t* clock, std::size_t first) const;
  /// Starts a search over events.
  void new_stamp() const;
  bool in(EventId a, const std::uint32_t* clock) const {
    const ProcessIndex p = events_.process(a);
    return clock[p] >= events_.position(a);
  }

  const EventStructure& events_;
  std::vector<EventId> sequence_;
  std::vector<std::vector<Entry>> processes_;
  std::vector<std::vector<Entry>> resources_;
  mutable std::vector<EventId> work_;
  mutable std::vector<std::uint32_t> stamps_;  // per event: the last search that met it
  mutable std::uint32_t stamp_ = 0;
  mutable Distances distances_{};
};

/// Removes from `events`, which are all in one configuration, those that come before others.
void keep_maximal(const EventStructure& events, std::vector<EventId>& of);

}  // namespace mazurka::unfolding
