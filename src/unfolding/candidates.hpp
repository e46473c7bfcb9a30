// The known events that the search for alternatives considers, per node of the branch.
//
// * Line 13 of Alg. 1 removes from U the events that no alternative can use, that is, all but
//   Q = C ∪ D ∪ the local configurations of the events in conflict with them (*Unfolding-based POR*, §4.3).
//   Here an event is *held* until the exploration leaves the last node at which it belongs to Q. It is also held while
//   it is an extension of C, because extensions with a known history are not computed again.
// * A held event in conflict with C cannot be part of an alternative until the conflicting event of C is removed. Until
//   then it is *parked* at the index of that event. Nor can an event of D be part of an alternative. All other held
//   events are listed in the structure.
#pragma once

#include <cstdint>
#include <vector>

#include "unfolding/configuration.hpp"
#include "unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class Candidates {
 public:
  explicit Candidates(EventStructure& events) : events_(events) {}

  /// Holds e until node `until` is left. e is the event of C at index `place`, or in conflict with that event and with
  /// none before it. \pre until <= place.
  void add(EventId e, std::size_t place, std::size_t until);
  /// Whether add() was called for e and e is still held. Then it is held long enough, since the branch below node
  /// `until` has not changed.
  bool added(EventId e) const { return e < states_.size() && states_[e].added; }
  /// e was found to be in conflict with the event of C at index `place`.
  void park(EventId e, std::size_t place);

  /// The event of C at index `place` was removed: the events parked there are listed again, except `disabled`.
  void taken_back(std::size_t place, EventId disabled = kNoEvent);
  /// e has left D, and may be part of alternatives again.
  void enabled(EventId e);
  /// The exploration leaves this node for good.
  void leave(std::size_t node);

  /// Marks the events that must stay in memory. renumber() is to follow.
  void mark(std::vector<char>& keep) const;
  void renumber(const std::vector<EventId>& renumbered);

 private:
  static constexpr std::uint32_t kNever = UINT32_MAX;
  struct State {
    std::uint32_t until = kNever;   ///< the node at whose leaving it is released
    std::uint32_t parked = kNever;  ///< where it is parked, if it is
    bool added = false;             ///< by add(), not only as a cause of others
  };

  void hold(EventId e, std::uint32_t node);

  EventStructure& events_;
  HugeVector<State> states_;                  // per event
  std::vector<std::vector<EventId>> held_;    // per node: a superset of the events released there
  std::vector<std::vector<EventId>> parked_;  // per index of C: a superset of the events parked there
};

}  // namespace mazurka::unfolding
