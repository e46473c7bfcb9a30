// Which executions to look at next: every way in which one step of an execution could have happened in another place.
//
// Source and Optimal DPOR speak of reversible races: events e, e' of an execution E such that e' could have happened
// before e. With blocking operations and choices that is not enough, because what could have happened may not occur in
// E at all: the acquisition of a lock that E never grants, an edge of an automaton that E did not take. So we look for
// the conflicting extensions of E instead (*Quasi-Optimal POR*, §2.3): a step f of a process p with a history H inside
// E, where H does not contain what p did next in E. A pair (e, e') in a race is the special case in which f is e' and H
// ends where e begins.
//
// A candidate is given by the place of p in E, the operation it offers there, and the first interfering event e that
// must stay away (or none). H is what remains of E without e, without p's own next event, and without their
// consequences.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/executor.hpp"
#include "core/happens_before.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

/// A sequence v that can be run after the first `at` events of the execution, and ends with a step that the execution
/// did not take there.
struct Reversal {
  std::size_t at = 0;
  std::vector<LabelledStep> sequence;
};

class ReversalFinder {
 public:
  /// What the sequence of a reversal holds before its last step: all of H, or only the causes of that step.
  enum class History { Whole, Causes };

  ReversalFinder(Executor& executor, History history) : executor_(executor), history_(history) {}

  /// Calls `visit` for every reversal of `execution` that cannot have been found in an earlier execution with the same
  /// first `known` events. May run the executor, so `execution` must be the caller's own copy.
  void find(const Execution& execution, std::size_t known, const std::function<void(const Reversal&)>& visit);

  /// An execution that `find` could not repeat in part: the system is nondeterministic.
  const std::optional<Execution>& diverged() const { return diverged_; }

  std::uint64_t races() const { return races_; }
  std::uint64_t probes() const { return probes_; }

 private:
  /// A process at a point of the execution, and an operation it offers there.
  struct Target {
    ProcessIndex process;
    std::size_t last;  ///< its last event so far, kNone if it has none
    std::size_t next;  ///< what it did next in the execution, kNone if nothing
    const Operation* operation;
    std::uint32_t alternative;
    bool taken;  ///< it is what `next` did
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  void consider(const Target& target, std::size_t known);
  void candidate(const Target& target, std::size_t avoided);
  void emit(const Target& target, const Operation& operation, std::uint32_t alternative, std::size_t at);
  /// Keeps of H only the causes of a step of `target` that performs `operation`.
  void keep_causes(const Target& target, const Operation& operation, std::size_t at);
  bool consequence(std::size_t of, std::size_t event) const;

  Executor& executor_;
  History history_;
  const Execution* execution_ = nullptr;
  const std::function<void(const Reversal&)>* visit_ = nullptr;
  HappensBefore order_;
  std::vector<std::size_t> last_of_;  // per process, while walking over the execution
  std::vector<std::size_t> next_of_;  // per event: the next event of its process
  std::vector<char> inside_;          // per event: in H
  std::vector<char> kept_;            // per event: in the sequence
  std::vector<Step> prefix_;
  Reversal reversal_;
  std::optional<Execution> diverged_;
  std::uint64_t races_ = 0;
  std::uint64_t probes_ = 0;
};

}  // namespace mazurka::dpor
