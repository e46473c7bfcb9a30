// The part U of the unfolding that is known: canonical events ⟨label, history⟩ (Def. 1 of *Quasi-Optimal POR*),
// causality and conflict.
//
// A history is given by its maximal events, the immediate causes of the event; two events with the same label and the
// same causes are one. An event is a number; causes have smaller numbers than what they cause. Everything is kept in
// arenas of 32-bit numbers.
//
// Where we deviate from §5.1 and §5.2: instead of walking up a tree with skip pointers, causality is decided by a clock
// per event, which holds how many events of each process its local configuration contains. Conflict is decided between
// a configuration and an event (configuration.hpp), which is all that the exploration needs. The trees remain as an
// index: every event has a slot for each resource of its label, in the list of events that have the same last total
// event on that resource (their anchor), and one for its process if that could have gone another way. Events in
// immediate conflict are neighbours in such a list: shared variables work like locks, with the reads of a value
// attached to the write that they observe. Only events that the search for alternatives may still need are listed.
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

/// How far apart on one process or object two events were that were compared: 0, 1, 2, …, and the last entry for all
/// larger distances (§6.2 of *Quasi-Optimal POR*).
using Distances = std::array<std::uint64_t, 17>;
inline void count(Distances& distances, std::uint32_t distance) {
  ++distances[distance < distances.size() ? distance : distances.size() - 1];
}

/// The place of an event among those that use a resource, or belong to a process.
struct Slot {
  EventId anchor = kNoEvent;          ///< the last total event on the resource in its history, or of the process
  EventId next = kNoEvent;            ///< the next listed event with the same anchor and label
  EventId before = kNoEvent;          ///< and the one before
  std::uint32_t group = kNoGroup;     ///< its group, once it has been listed
  std::uint32_t anchored = kNoGroup;  ///< the first group of listed events that have this one as anchor
};

/// The listed events that share an anchor and their label.
struct Group {
  LabelId label = 0;
  EventId first = kNoEvent;
  std::uint32_t next = kNoGroup;
};

/// A set of events that contains a history, and knows its events by resource.
class Surroundings {
 public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = default;
  Surroundings& operator=(const Surroundings&) = default;
  virtual ~Surroundings() = default;
  /// The last total event on the resource in the history that has this clock.
  virtual EventId last_total(ResourceId resource, const std::uint32_t* clock) const = 0;
};

class EventStructure {
 public:
  /// A canonical name of an event, the same in every run: a hash of its label and of the names of its causes.
  using Name = std::array<std::uint64_t, 2>;

  Labels& labels() { return labels_; }
  const Labels& labels() const { return labels_; }

  std::size_t size() const { return events_.size(); }
  LabelId label(EventId e) const { return events_[e].label; }
  const Label& label_of(EventId e) const { return labels_[events_[e].label]; }
  const Operation& operation(EventId e) const { return labels_[events_[e].label].operation; }
  ProcessIndex process(EventId e) const { return events_[e].process; }
  /// Among the events of its process in its local configuration, from 1.
  std::uint32_t position(EventId e) const { return events_[e].position; }
  /// What its process did before it.
  EventId previous(EventId e) const { return events_[e].previous; }
  /// The event of its process that was found last after it, or kNoEvent.
  EventId follower(EventId e) const { return events_[e].follower; }
  std::span<const EventId> causes(EventId e) const {
    return {causes_.data() + events_[e].causes_begin, events_[e].causes_count};
  }
  /// One for each use of a resource by the label; the last is that of the process, if that can go another way.
  std::span<const Slot> slots(EventId e) const {
    return {slots_.data() + events_[e].slots_begin, events_[e].slots_count};
  }

  /// How many events of `process` the local configuration of e holds.
  std::uint32_t seen(EventId e, ProcessIndex process) const { return process < width_ ? clock(e)[process] : 0; }
  const std::uint32_t* clock(EventId e) const { return clocks_.data() + static_cast<std::size_t>(e) * width_; }
  std::size_t width() const { return width_; }
  /// a < b, for events that do not conflict.
  bool before_in_configuration(EventId a, EventId b) const {
    return a != b && seen(b, events_[a].process) >= events_[a].position;
  }

  /// The event ⟨label, history⟩; `causes` are the maximal events of the history, in any order, and are sorted.
  /// `previous` is what the process did last in it.
  EventId intern(LabelId label, EventId previous, std::vector<EventId>& causes, const Surroundings& surroundings);
  /// The name that such an event has.
  Name name_of(LabelId label, std::span<const EventId> causes);

  bool listed(EventId e) const { return events_[e].listed; }
  void list(EventId e);
  void unlist(EventId e);
  /// The first group of listed events with this anchor on a resource, or with this event before them in their process;
  /// kNoGroup where there is none.
  std::uint32_t groups_on(ResourceId resource, EventId anchor) const;
  std::uint32_t groups_of(ProcessIndex process, EventId previous) const;
  const Group& group(std::uint32_t number) const { return groups_[number]; }
  /// Which slot of events with this label belongs to a resource.
  std::size_t slot_on(LabelId label, ResourceId resource) const;

  // The relations by their definition, for any two events. The exploration does not need them.
  bool before(EventId a, EventId b) const;
  bool conflict(EventId a, EventId b) const;
  bool immediate_conflict(EventId a, EventId b) const;
  std::vector<EventId> local_configuration(EventId e) const;

  /// Makes room for the clocks of so many processes.
  void widen(std::size_t processes);
  /// Forgets all events that are not kept; `keep` is closed under causes. Returns the new number of each event.
  std::vector<EventId> compact(const std::vector<char>& keep);
  /// After the resources of the labels changed.
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
    std::uint32_t followed = kNoGroup;  ///< the first group of listed events of the process that have it as anchor
  };

  void add_slots(EventId e, const Surroundings& surroundings);
  /// The group that an event belongs to with one of its slots.
  Group& group_for(EventId e, std::size_t slot);
  /// The number of the first of the groups that it is among.
  std::uint32_t& first_group(EventId e, std::size_t slot);
  /// Lists the listed events anew.
  void relist();
  struct Place {
    EventId event = kNoEvent;
    std::uint32_t hash = 0;
  };
  static std::uint32_t hash(LabelId label, std::span<const EventId> causes);
  /// Where in the table the event is or would be. Events that come after each other are near each other there: what an
  /// execution adds to the structure and looks for comes after what it has just added.
  Place& place_of(LabelId label, std::span<const EventId> causes, std::uint32_t hash);
  void fill_table(std::size_t size);

  Labels labels_;
  HugeVector<Record> events_;
  HugeVector<EventId> causes_;
  HugeVector<Slot> slots_;
  HugeVector<Name> names_;                      // of the first events, as far as any were asked for
  static constexpr std::size_t kWidthUnit = 4;  // clocks are compared by so many entries at a time
  std::size_t width_ = 2 * kWidthUnit;
  HugeVector<std::uint32_t> clocks_;
  HugeVector<Place> table_;  // open addressing
  HugeVector<Group> groups_;
  std::vector<std::uint32_t> resource_roots_;  // the first group without anchor, per resource
  std::vector<std::uint32_t> process_roots_;
};

}  // namespace mazurka::unfolding
