// Hangs: states in which every process that can move only spins. They are the deadlocks of an exploration in which each
// iteration of a waiting loop is a step.
//
// An exploration of states does not notice an endless waiting loop: it returns to a known state, like any other loop.
// So we test whether all processes wait. A state is a *hang* if each process that can move returns to it by itself, by
// steps that change nothing for others: reads, plain writes to its own stack, failed tries, iterations that lock, read
// and unlock, waits that time out. From a hang on, no process ever observes anything new: each repeats its loop,
// whatever the others do, and blocked processes stay blocked.
//
// Completeness. Let a configuration lead to a hang. It is contained in some explored configuration C, and the events of
// C beyond it are iterations of those loops, up to cutoff events. So at the end of C each process is in its loop or on
// its way into it, and its steps until then change nothing for others either. From there each process iterates by
// itself, to the point at which most of the others are enabled (it may hold a mutex during part of an iteration). We
// test the state reached so.
//
// Nothing is claimed if an iteration both locks and tries to lock, or if a step has more than one alternative.
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

  /// Whether there is a new hang near the end of `execution`, whose final state has the hash `state`. If so, sets
  /// `found` to an execution that ends in it.
  bool look(const Execution& execution, const StateHash& state, Execution& found);

 private:
  /// How an iteration of a process running by itself ends.
  enum class Round : std::uint8_t {
    Closed,   ///< it returns to an earlier state
    Blocked,  ///< it blocks, perhaps at once
    Open,     ///< it changes something for others, or the outcome is unknown
  };
  /// Runs `process` by itself from the end of the prefix. `round_` holds its steps. If it is on its way to its loop, it
  /// may release locks that it holds.
  Round go_round(ProcessIndex process, bool on_its_way);
  /// Extends the prefix by the steps of the process: to where it blocks, or to the state of its loop in which most
  /// others are enabled and it holds the fewest locks.
  void follow(Round round);
  bool run();
  /// Whether all processes iterate from the end of the prefix back to it, and none that is disabled there is ever
  /// enabled.
  bool is_hang();
  std::vector<ProcessIndex> enabled() const;
  /// Marks the spinning processes in `found` as waiting in a loop (OperationKind::Spin).
  void show_loops(Execution& found) const;

  Executor& executor_;
  Job job_;
  Execution execution_;
  struct Stop {
    Step step;
    StateHash state;  ///< after the step, relative to the start of the round
    Operation operation;
    std::vector<ProcessIndex> enabled;
    int held = 0;  ///< locks, beyond those it began with
  };
  std::vector<Stop> round_;               // of the last go_round()
  std::size_t round_start_ = 0;           // number of steps that lead into the loop
  bool locks_ = false;                    // some round locks
  bool tries_ = false;                    // some round tries to lock
  std::vector<std::uint64_t> looked_at_;  // per process: the object it reads in its round
  StateHash moved_;  // difference between the states at the end of the given steps and at the end of the prefix
  std::unordered_set<StateHash, HashOfStateHash> known_;
};

}  // namespace mazurka
