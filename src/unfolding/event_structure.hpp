// The known part U of the unfolding: canonical events ⟨label, history⟩ (Def. 1 of *Quasi-Optimal POR*), causality and
// conflict.
//
// A history is represented by its maximal events, which are the immediate causes of the event. Two events with the same
// label and the same causes are the same event. Events are numbers; causes have smaller numbers than their effects.
// Everything lies in arenas and is referred to by 32-bit numbers.
//
// Where we deviate from §5.1 and §5.2: causality is not decided by walking a tree with skip pointers but by a clock per
// event, which holds the number of events of each process in the local configuration. Conflict is decided between a
// configuration and an event (configuration.hpp), which is all that the exploration needs. The trees remain as an
// index. Each event has a slot for each resource of its label. It lists the event under its *anchor*, the last total
// event on that resource in its history. There is another slot for its process if the process had other alternatives.
// Events in immediate conflict share such a list. Thus shared variables work like locks, with the reads attached to the
// write that they observe. Only events that the search for alternatives may still need are listed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_vector.hpp"
#include "unfolding/labels.hpp"

namespace mazurka::unfolding {

using EventId = std::uint32_t;
inline constexpr EventId kNoEvent = UINT32_MAX;

inline constexpr std::uint32_t kNoGroup = UINT32_MAX;

/// Histogram of the distances, on one process or object, between compared events: 0, 1, 2, …; the last entry counts all
/// larger distances (§6.2 of *Quasi-Optimal POR*).
using Distances = std::array<std::uint64_t, 17>;
inline void count(Distances& distances, std::uint32_t distance) {
  ++distances[distance < distances.size() ? distance : distances.size() - 1];
}

/// The list entry of an event, for one resource of its label or for its process.
struct Slot {
  EventId anchor = kNoEvent;          ///< the last total event on the resource in its history, or in its process
  EventId next = kNoEvent;            ///< next listed event with the same anchor and label
  EventId before = kNoEvent;          ///< previous one
  std::uint32_t group = kNoGroup;     ///< its group, once listed
  std::uint32_t anchored = kNoGroup;  ///< first group of listed events that have this event as anchor
};

/// The listed events with the same anchor and label.
struct Group {
  LabelId label = 0;
  EventId first = kNoEvent;
  std::uint32_t next = kNoGroup;
};

/// A set of events that contains a history, indexed by resource.
class Surroundings {
 public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = default;
  Surroundings& operator=(const Surroundings&) = default;
  virtual ~Surroundings() = default;
  /// The last total event on the resource in the history with this clock.
  virtual EventId last_total(ResourceId resource, const std::uint32_t* clock) const = 0;
};

class EventStructure {
 public:
  /// A canonical name for an event, the same in every run: a hash of its label and of the names of its causes.
  using Name = std::array<std::uint64_t, 2>;

  Labels& labels() { return labels_; }
  const Labels& labels() const { return labels_; }

  std::size_t size() const { return events_.size(); }
  LabelId label(EventId e) const { return events_[e].label; }
  const Label& label_of(EventId e) const { return labels_[events_[e].label]; }
  const Operation& operation(EventId e) const { return labels_[events_[e].label].operation; }
  ProcessIndex process(EventId e) const { return events_[e].process; }
  /// Its position among the events of its process in its local configuration, from 1.
  std::uint32_t position(EventId e) const { return events_[e].position; }
  /// The previous event of its process.
  EventId previous(EventId e) const { return events_[e].previous; }
  /// The most recently interned successor in its process, or kNoEvent.
  EventId follower(EventId e) const { return events_[e].follower; }
  std::span<const EventId> causes(EventId e) const {
    return {causes_.data() + events_[e].causes_begin, events_[e].causes_count};
  }
  /// One per resource of the label; plus one for the process, if it had other alternatives.
  std::span<const Slot> slots(EventId e) const {
    return {slots_.data() + events_[e].slots_begin, events_[e].slots_count};
  }

  /// The number of events of `process` in the local configuration of e.
  std::uint32_t seen(EventId e, ProcessIndex process) const { return process < width_ ? clock(e)[process] : 0; }
  const std::uint32_t* clock(EventId e) const { return clocks_.data() + static_cast<std::size_t>(e) * width_; }
  std::size_t width() const { return width_; }
  /// a < b. \pre a and b are not in conflict.
  bool before_in_configuration(EventId a, EventId b) const {
    return a != b && seen(b, events_[a].process) >= events_[a].position;
  }

  /// The event ⟨label, history⟩, created if it is new. `causes` are the maximal events of the history in any order;
  /// they get sorted. `previous` is the last event of the process in the history.
  EventId intern(LabelId label, EventId previous, std::vector<EventId>& causes, const Surroundings& surroundings);
  /// The canonical name of such an event.
  Name name_of(LabelId label, std::span<const EventId> causes);

  bool listed(EventId e) const { return events_[e].listed; }
  void list(EventId e);
  void unlist(EventId e);
  /// The first group of listed events with this anchor on a resource, or with this predecessor in their process;
  /// kNoGroup if there is none.
  std::uint32_t groups_on(ResourceId resource, EventId anchor) const;
  std::uint32_t groups_of(ProcessIndex process, EventId previous) const;
  const Group& group(std::uint32_t number) const { return groups_[number]; }
  /// The slot of events with this label that belongs to a resource.
  std::size_t slot_on(LabelId label, ResourceId resource) const;

  // The relations by definition, for any two events. For tests and drawings; the exploration does not use them.
  bool before(EventId a, EventId b) const;
  bool conflict(EventId a, EventId b) const;
  bool immediate_conflict(EventId a, EventId b) const;
  std::vector<EventId> local_configuration(EventId e) const;

  /// Makes room in the clocks for `processes` processes.
  void widen(std::size_t processes);
  /// Removes the events that are not kept. Returns the new number of each event. \pre `keep` is causally closed.
  std::vector<EventId> compact(const std::vector<char>& keep);
  /// To be called after the resources of labels have changed.
  void reindex();

 private:
  struct Record {
    LabelId label = 0;
    ProcessIndex process = 0;
    std::uint32_t position = 0;
    EventId previous = kNoEvent;
    std::uint32_t causes_begin = 0;
    std::uint32_t slots_begin = 0;
    std::uint16_t causes_count = 0;
    std::uint8_t slots_count = 0;
    bool listed = false;
    EventId follower = kNoEvent;
    std::uint32_t followed = kNoGroup;  ///< first group of listed events that follow it in its process
  };

  void add_slots(EventId e, const Surroundings& surroundings);
  /// The group to which an event belongs through one of its slots.
  Group& group_for(EventId e, std::size_t slot);
  /// The head of the list of groups that contains that group.
  std::uint32_t& first_group(EventId e, std::size_t slot);
  /// Rebuilds the lists of listed events.
  void relist();
  struct TableEntry {
    EventId event = kNoEvent;
    std::uint32_t hash = 0;
  };
  static std::uint32_t hash(LabelId label, std::span<const EventId> causes);
  /// The table entry where the event is or would be. Effects are placed near their causes, for locality: an execution
  /// looks up the effect of an event right after the event.
  TableEntry& entry_of(LabelId label, std::span<const EventId> causes, std::uint32_t hash);
  void fill_table(std::size_t size);

  Labels labels_;
  HugeVector<Record> events_;
  HugeVector<EventId> causes_;
  HugeVector<Slot> slots_;
  HugeVector<Name> names_;                      // of the first events, computed on demand
  static constexpr std::size_t kWidthUnit = 4;  // clocks are compared this many entries at a time
  std::size_t width_ = 2 * kWidthUnit;
  HugeVector<std::uint32_t> clocks_;
  HugeVector<TableEntry> table_;  // open addressing
  HugeVector<Group> groups_;
  std::vector<std::uint32_t> resource_roots_;  // per resource: the first group without anchor
  std::vector<std::uint32_t> process_roots_;
};

}  // namespace mazurka::unfolding
