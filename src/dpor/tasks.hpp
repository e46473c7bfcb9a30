// The queue of reversals to look for in an execution. All that is known of one beforehand is after which prefix it
// would come. Those after long prefixes come first: an explorer goes on with the longest that has something new, and
// can begin before the rest has been looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/poll.hpp"
#include "dpor/trace.hpp"

namespace mazurka::dpor {

inline constexpr std::uint32_t kNoTask = UINT32_MAX;

struct Task {
  enum class Kind : std::uint8_t {
    Race,         ///< with `avoided`
    Stores,       ///< of two stores whose order `observer` sees
    Choice,       ///< of another alternative, which is possible whatever else happens
    Other,        ///< of another alternative, which may become possible later
    Again,        ///< a race or a choice that an earlier execution left open
    StoresAgain,  ///< the same of two stores
  } kind;
  Target target;
  EventIndex avoided;   ///< what the target races with, kNoEvent if nothing
  EventIndex observer;  ///< of two stores
  std::uint32_t next;   ///< task after the same prefix, kNoTask if there is none
  std::uint32_t open;   ///< of what an earlier execution left open: its place in the finder's list

  EventIndex at() const { return avoided < target.next ? avoided : target.next; }
};

class TaskQueue {
 public:
  using Perform = std::function<void(const Task&)>;
  /// Told that all tasks after prefixes of this length or longer have been performed, where others are still to come.
  using Reached = std::function<void(std::size_t)>;

  TaskQueue(const Poll& poll, Perform perform, Reached reached)
      : poll_(poll), perform_(std::move(perform)), reached_(std::move(reached)) {}

  /// For an execution of this length.
  void begin(std::size_t length) {
    length_ = length;
    in_order_ = true;
  }
  void add(Task::Kind kind, const Target& target, EventIndex avoided, EventIndex observer = kNoEvent,
           std::uint32_t open = 0);
  /// Performs all tasks, unless the poll is stopped.
  void perform_all();

 private:
  const Poll& poll_;
  Perform perform_;
  Reached reached_;
  std::size_t length_ = 0;
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> first_;  // after each prefix
  bool in_order_ = true;              // no task was performed before its turn
};

}  // namespace mazurka::dpor
