// States in which everybody who can move only looks: deadlocks where every round of a waiting loop is a step.
//
// Where states are explored instead of executions, a loop that waits for ever ends like any other: it comes back to a
// state that is known. So somebody must look whether it is a loop by which everybody waits. A state is a *hang* if each
// process that can move comes back to it by itself, by steps that change nothing for others: reads, plain
// writes to its own stack, tries that fail, rounds that lock, look and unlock, waits that time out. From such
// a state on nobody ever sees anything but what it sees now: each process goes round in its loop, whatever the others
// do, and those that are blocked stay so.
//
// Every hang is found. A configuration that leads to one lies inside an explored one, C, and what C has beyond it are
// rounds of those loops, up to events that lead to known states. So at the end of C each process is in its loop, or
// on its way there: what it does until then changes nothing either. From there each goes round by itself: to where most
// others are enabled, in case that it holds a mutex for a part of the round. That state is looked at.
//
// Where a round has both locks and tries to lock, or a step more than one alternative, nothing is said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/executor.hpp"
#include "core/state_hash.hpp"

namespace mazurka {

class Hangs {
 public:
  explicit Hangs(Executor& executor);

  /// Whether a hang is near the end of an execution, which is a state with this hash, that was not found before. If so,
  /// `found` is an execution that ends there.
  bool look(const Execution& execution, const StateHash& state, Execution& found);

 private:
  /// Of a round that a process makes by itself.
  enum class Round : std::uint8_t {
    Closed,   ///< it comes back to a state in which it was
    Blocked,  ///< it comes to where it cannot move, or is there already
    Open,     ///< it changes something for others, or nobody knows
  };
  /// Lets a process go round from the end of the prefix. `round_` has the steps.
  Round go_round(ProcessIndex process);
  /// Adds the way of the process to the prefix: to where it is blocked, or a state of its loop in which most can move.
  void follow(Round round);
  bool run();
  /// Whether all go round, from the end of the prefix back to it, and nobody that cannot move there ever can.
  bool is_hang();
  std::vector<ProcessIndex> enabled() const;
  /// Shows those that go round as who waits in a loop (OperationKind::Spin).
  void show_loops(Execution& found) const;

  Executor& executor_;
  Job job_;
  Execution execution_;
  struct Stop {
    Step step;
    StateHash state;  ///< after it, relative to where the round began
    Operation operation;
    std::vector<ProcessIndex> enabled;
  };
  std::vector<Stop> round_;               // of the last go_round()
  std::size_t round_start_ = 0;           // how many steps lead into the loop
  bool locks_ = false;                    // rounds so far had locks
  bool tries_ = false;                    // and tries to lock
  std::vector<std::uint64_t> looked_at_;  // per process: what it looks at in its round
  StateHash moved_;  // from the state at the end of the given steps to that at the end of the prefix
  std::unordered_set<StateHash, HashOfStateHash> known_;
};

}  // namespace mazurka
