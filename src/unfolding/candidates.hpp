// Which known events the search for alternatives looks at, node by node of the branch.
//
// * Line 13 of Alg. 1 removes from U what no alternative can need, which is all but
//   Q = C ∪ D ∪ the local configurations of the events in conflict with them (*Unfolding-based POR*, §4.3).
//   Here an event is *held* until the last node is left at which it belongs to Q. It is also held as long as it is an
//   extension of C, because what was found once is not looked for again where all its history is known.
// * A held event that conflicts with C cannot be part of an alternative, and will not be before the event of C is taken
//   back with which it conflicts. Until then it is *parked* at that event's place. Neither can an event of D. All
//   others are listed in the structure.
#pragma once

#include <cstdint>
#include <vector>

#include "unfolding/configuration.hpp"
#include "unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class Candidates {
 public:
  explicit Candidates(EventStructure& events) : events_(events) {}

  /// An event of C at this place, or in conflict with the event of C there and none before, is held until node `until`
  /// is left. `until` is at most that place.
  void add(EventId e, std::size_t place, std::size_t until);
  /// Whether add() was called for an event that is still held: it is held long enough then, since what is below the
  /// node until which it is held has not changed.
  bool added(EventId e) const { return e < states_.size() && states_[e].added; }
  /// It was found to be in conflict with the event of C at this place.
  void park(EventId e, std::size_t place);

  /// The event of C at this place has been taken back; what is parked there is listed again, but for `disabled`.
  void taken_back(std::size_t place, EventId disabled = kNoEvent);
  /// An event has left D, where it could not be part of an alternative.
  void enabled(EventId e);
  /// Nothing more is looked for at this node.
  void leave(std::size_t node);

  /// Marks what must stay in memory, and renumbers.
  void mark(std::vector<char>& keep) const;
  void renumber(const std::vector<EventId>& renumbered);

 private:
  static constexpr std::uint32_t kNever = UINT32_MAX;
  struct State {
    std::uint32_t until = kNever;   ///< the node at which it is let go
    std::uint32_t parked = kNever;  ///< where, if it is
    bool added = false;             ///< itself, not only as a cause of others
  };

  void hold(EventId e, std::uint32_t node);

  EventStructure& events_;
  HugeVector<State> states_;                  // per event
  std::vector<std::vector<EventId>> held_;    // per node: at least the events that are let go there
  std::vector<std::vector<EventId>> parked_;  // per place: at least the events that are parked there
};

}  // namespace mazurka::unfolding
