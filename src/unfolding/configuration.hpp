// A configuration, stored as the sequence in which its events were added. Answers which of its events a label depends
// on, and whether an event of the unfolding is compatible with it.
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
    std::uint32_t position = 0;  ///< among the events of its process, from 1
    ProcessIndex process = 0;
    /// One past the last earlier total entry on the same resource, or 0. Maintained for long lists only (Index).
    std::uint32_t total_before : 31 = 0;
    std::uint32_t total : 1 = 0;  ///< whether the event uses the resource totally
  };
  /// Dependence of the label as it is, or for some outcome of its operation.
  enum class Depends : std::uint8_t { AsItIs, Undecided };

  static constexpr std::uint32_t kNotHere = UINT32_MAX;

  explicit Configuration(const EventStructure& events) : events_(events) {}

  /// Appends e. \pre Its causes are in the configuration, and it does not conflict with any event of it.
  void push(EventId e);
  void pop();
  std::size_t size() const { return sequence_.size(); }
  EventId operator[](std::size_t i) const { return sequence_[i]; }

  bool contains(EventId e) const { return e < marks_.size() && marks_[e].index != kNotHere; }
  /// The last event of a process, or kNoEvent.
  EventId last(ProcessIndex process) const {
    return process < processes_.size() && !processes_[process].empty() ? processes_[process].back() : kNoEvent;
  }
  /// The events that use a resource, in order.
  const std::vector<Entry>& on(ResourceId resource) const {
    return resource < resources_.size() ? resources_[resource] : nothing_;
  }
  /// Calls visit(entry, distance) for the events on a resource of the label with an index below `end`, last first,
  /// until it returns true; `distance` is the number of later events on the resource. Events with non-total uses are
  /// skipped if none of them depends on the label, as for a read among reads: so a long loop of reads costs nothing.
  template <class Visit>
  [[gnu::always_inline]] void backwards(const Use& use, LabelId label, Depends depends, Visit&& visit,
                                        std::uint32_t end = kNotHere) const {
    const std::vector<Entry>& list = on(use.resource);
    const auto size = static_cast<std::uint32_t>(list.size());
    std::uint32_t place = size;  // one past the entry
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
  /// The index of an event of this configuration in the sequence.
  std::uint32_t index(EventId e) const { return marks_[e].index; }

  EventId last_total(ResourceId resource, const std::uint32_t* clock) const override;

  /// The immediate causes of an event with this label that is appended at the end.
  void causes_at_end(LabelId label, std::vector<EventId>& causes) const;

  /// The index of an event here that is in conflict with e, or size() if there is none. Computed from the residuals: e
  /// is compatible if the events only here are independent of those only in [e]. The smallest such index if all causes
  /// of e are here. \pre e is not here.
  std::size_t conflict(EventId e);
  /// The events of [e] that are not here, in an order in which they can be pushed.
  void missing(EventId e, std::vector<EventId>& missing);
  /// Whether e can be pushed. \pre Its causes are here.
  bool enables(EventId e) const { return is_next(e) && compatible_with(e, events_.clock(e)); }
  /// Whether e can be pushed, for any e.
  bool can_be_extended_by(EventId e) const {
    for (const EventId cause : events_.causes(e))
      if (!contains(cause)) return false;
    return enables(e);
  }

  void clear();
  /// The events of the structure were renumbered; those without a new number are not in the configuration.
  void renumber(const std::vector<EventId>& renumbered);

  /// Statistics of conflict queries: how many events on the resource were visited beyond the last one.
  const Distances& distances() const { return distances_; }

 private:
  static constexpr std::uint32_t kMissing = UINT32_MAX - 1;  // used inside missing()
  struct Mark {
    std::uint64_t looked = 0;           ///< when conflict() last visited the event
    std::uint32_t conflict = kNotHere;  ///< and its result: the index of a conflicting event
    std::uint32_t index = kNotHere;     ///< in the sequence
    std::array<EventId, 2>
        causes{};  ///< a copy of the causes if there are at most two, to save conflict() a cache miss
  };
  static constexpr EventId kMoreCauses = UINT32_MAX - 1;  // as the second cause: there are more

  static constexpr std::uint32_t kShort = 64;  // lists up to this length are searched linearly
  static constexpr std::uint32_t kFew = 8;     // below this many totals, linear search instead of binary
  static constexpr std::size_t kMostOthers = 16;
  static constexpr std::uint32_t kLargestPlace = UINT32_MAX >> 1;
  /// Index of the events on a resource, if there are more than kShort.
  struct Index {
    std::vector<std::uint32_t> totals;  ///< positions of the total entries in the list
    std::vector<LabelId> others;        ///< labels of non-total uses that are, or once were, in the list
  };
  /// Whether the label is independent of all non-total uses of the resource.
  bool depends_on_no_other(ResourceId resource, LabelId label, Depends depends) const;
  /// One past the last total entry on the resource that is inside a history; 0: none.
  template <class Inside>
  std::uint32_t after_last_total(ResourceId resource, Inside&& inside) const;
  void enter_in_index(ResourceId resource);

  bool is_next(EventId e) const { return last(events_.process(e)) == events_.previous(e); }
  /// Whether b is independent of all events that are here but not in the history with this clock. \pre b is not here.
  bool compatible_with(EventId b, const std::uint32_t* clock) const;
  /// The smallest index of an event here, pushed after time `since`, that is in conflict with b but with none of its
  /// causes; or kNotHere.
  std::uint32_t first_direct_conflict(EventId b, std::uint64_t since) const;
  /// Whether the last answer of conflict() is still valid. A conflict persists while its event is here; its absence,
  /// until an event is pushed.
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
  std::vector<std::uint64_t> times_;  // push time of each event of the sequence
  std::uint64_t time_ = 0;
  HugeVector<Mark> marks_;     // per event of the structure
  std::vector<EventId> path_;  // stack of conflict(), from effects to causes
  const std::vector<Entry> nothing_;
  mutable Distances distances_{};
};

/// Removes the events that are before others in the list. \pre All are in one configuration.
void keep_maximal(const EventStructure& events, std::vector<EventId>& of);

}  // namespace mazurka::unfolding
