// A configuration, as the sequence in which its events were added, and what can be asked of it: which events of it a
// label depends on, and whether an event of the unfolding is compatible with it.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class Configuration final : public Surroundings {
 public:
  struct Entry {
    EventId event = kNoEvent;
    LabelId label = 0;
    std::uint32_t index = 0;     ///< in the sequence
    std::uint32_t position = 0;  ///< among the events of its process
    ProcessIndex process = 0;
    /// The place after the last total one before it among those on the resource, or 0; where there are many (Index).
    std::uint32_t total_before : 31 = 0;
    std::uint32_t total : 1 = 0;  ///< whether the event's use of the resource is total
  };
  /// Whether a label depends on another, or may if its outcome is not decided.
  enum class Depends : std::uint8_t { AsItIs, Undecided };

  static constexpr std::uint32_t kNotHere = UINT32_MAX;

  explicit Configuration(const EventStructure& events) : events_(events) {}

  /// An event whose causes are in the configuration and which does not conflict with it.
  void push(EventId e);
  void pop();
  std::size_t size() const { return sequence_.size(); }
  EventId operator[](std::size_t i) const { return sequence_[i]; }

  bool contains(EventId e) const { return e < marks_.size() && marks_[e].index != kNotHere; }
  /// The last event of a process, or kNoEvent.
  EventId last(ProcessIndex process) const {
    return process < processes_.size() && !processes_[process].empty() ? processes_[process].back() : kNoEvent;
  }
  /// The events that use a resource, as they came.
  const std::vector<Entry>& on(ResourceId resource) const {
    return resource < resources_.size() ? resources_[resource] : nothing_;
  }
  /// Calls visit(entry, distance) for the events on a resource of the label that have a smaller index than `end`, last
  /// first, until it returns true; distance is how many events on the resource come after it. Events that are not total
  /// may be left out if none of them depends on the label, as reads do not on a read: so a long loop of reads costs
  /// nothing.
  template <class Visit>
  [[gnu::always_inline]] void backwards(const Use& use, LabelId label, Depends depends, Visit&& visit,
                                        std::uint32_t end = kNotHere) const {
    const std::vector<Entry>& list = on(use.resource);
    const auto size = static_cast<std::uint32_t>(list.size());
    std::uint32_t place = size;  // one after the entry
    if (end != kNotHere && size > kFew) {
      const auto comes_before = [](const Entry& entry, std::uint32_t index) { return entry.index < index; };
      place = static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), end, comes_before) - list.begin());
    }
    if (size <= kShort) [[likely]] {
      for (; place > 0; --place)
        if (const Entry& entry = list[place - 1]; entry.index < end && visit(entry, size - place)) return;
      return;
    }
    const bool only_total = !use.total && depends_on_no_other(use.resource, label, depends);
    if (only_total && place > 0 && list[place - 1].total == 0) place = list[place - 1].total_before;
    while (place > 0) {
      const Entry& entry = list[place - 1];
      if (entry.index < end && visit(entry, size - place)) return;
      place = only_total ? entry.total_before : place - 1;
    }
  }
  /// Where in the sequence an event of this configuration is.
  std::uint32_t index(EventId e) const { return marks_[e].index; }

  EventId last_total(ResourceId resource, const std::uint32_t* clock) const override;

  /// The immediate causes that an event with this label has if it is added at the end.
  void causes_at_end(LabelId label, std::vector<EventId>& causes) const;

  /// The index of an event here with which e, which is not here, is in conflict, or size() where there is none. By the
  /// residuals: what is only here must be independent of what is only in the local configuration of e. It is the
  /// smallest index if all causes of e are here.
  std::size_t conflict(EventId e);
  /// The events of the local configuration of e that are not here, in an order in which they can be pushed.
  void missing(EventId e, std::vector<EventId>& missing);
  /// Whether an event whose causes are here can be pushed.
  bool enables(EventId e) const { return is_next(e) && compatible_with(e, events_.clock(e)); }
  /// The same of any event.
  bool can_be_extended_by(EventId e) const {
    for (const EventId cause : events_.causes(e))
      if (!contains(cause)) return false;
    return enables(e);
  }

  void clear();
  /// The events of the structure have new numbers; those that have none are not here.
  void renumber(const std::vector<EventId>& renumbered);

  /// Of conflict queries: how many events on the resource were looked at beyond the last one.
  const Distances& distances() const { return distances_; }

 private:
  static constexpr std::uint32_t kMissing = UINT32_MAX - 1;  // while missing() works
  struct Mark {
    std::uint64_t looked = 0;           ///< when conflict() last looked at the event
    std::uint32_t conflict = kNotHere;  ///< and with what index it found it in conflict
    std::uint32_t index = kNotHere;     ///< in the sequence
    std::array<EventId, 2> causes{};    ///< of the event if it has no more, so that conflict() need not look elsewhere
  };
  static constexpr EventId kMoreCauses = UINT32_MAX - 1;  // in place of the second

  static constexpr std::uint32_t kShort = 64;  // events on a resource that are looked at one by one
  static constexpr std::uint32_t kFew = 8;     // among which an index is looked for one by one
  static constexpr std::size_t kMostOthers = 16;
  static constexpr std::uint32_t kLargestPlace = UINT32_MAX >> 1;
  /// Of the events on a resource, where there are more than kShort.
  struct Index {
    std::vector<std::uint32_t> totals;  ///< the places of the total ones
    std::vector<LabelId> others;        ///< labels of uses that are not total, here or once here
  };
  /// Whether the label is independent of all events on the resource whose use is not total.
  bool depends_on_no_other(ResourceId resource, LabelId label, Depends depends) const;
  /// Among the events on the resource, the place after the last total one that is inside a history; 0: none.
  template <class Inside>
  std::uint32_t after_last_total(ResourceId resource, Inside&& inside) const;
  void enter_in_index(ResourceId resource);

  bool is_next(EventId e) const { return last(events_.process(e)) == events_.previous(e); }
  /// Whether b, not in here, is independent of all that is here and not in the history with this clock.
  bool compatible_with(EventId b, const std::uint32_t* clock) const;
  /// The smallest index of an event here that is in conflict with b and with none of its causes, of those that came
  /// after a time; or kNotHere.
  std::uint32_t first_direct_conflict(EventId b, std::uint64_t since) const;
  /// Whether what conflict() found last is still so. A conflict holds as long as that event is here; that there was
  /// none, until something is added.
  bool still_true(const Mark& mark) const {
    if (mark.conflict == kNotHere) return sequence_.empty() || times_.back() <= mark.looked;
    return mark.conflict < sequence_.size() && times_[mark.conflict] <= mark.looked;
  }
  void make_marks() {
    if (marks_.size() < events_.size()) make_more_marks();
  }
  void make_more_marks();
  std::span<const EventId> causes(EventId e) const {
    const auto& two = marks_[e].causes;
    if (two[1] == kMoreCauses) return events_.causes(e);
    return {two.data(), std::size_t{two[0] != kNoEvent} + std::size_t{two[1] != kNoEvent}};
  }
  static bool in(const Entry& entry, const std::uint32_t* clock) { return clock[entry.process] >= entry.position; }

  const EventStructure& events_;
  std::vector<EventId> sequence_;
  std::vector<std::vector<EventId>> processes_;
  std::vector<std::vector<Entry>> resources_;
  std::vector<Index> indexes_;        // per resource
  std::vector<std::uint64_t> times_;  // when each event of the sequence was pushed
  std::uint64_t time_ = 0;
  HugeVector<Mark> marks_;     // per event of the structure
  std::vector<EventId> path_;  // of conflict(), down to causes
  const std::vector<Entry> nothing_;
  mutable Distances distances_{};
};

/// Removes from `events`, which are all in one configuration, those that come before others.
void keep_maximal(const EventStructure& events, std::vector<EventId>& of);

}  // namespace mazurka::unfolding
