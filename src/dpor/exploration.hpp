// The exploration loop that the DPOR algorithms share: run an execution to its end, see what could have happened
// otherwise, plan it, go back to the deepest prefix with something planned. What an algorithm does with a reversal is
// all that tells it from the others: source.cpp, optimal.cpp.
//
// Papers: Abdulla, Aronis, Jonsson, Sagonas: *Source Sets* (J. ACM 2017); Aronis, Jonsson, Lång, Sagonas: *Optimal
// Dynamic Partial Order Reduction with Observers* (TACAS 2018).
//
// Where we deviate: races are found as conflicting extensions of complete executions (reversals.hpp), so that blocking
// operations and choices are first-class; steps are (process, alternative).
#pragma once

#include <cstdint>
#include <vector>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/statistics.hpp"
#include "dpor/reversals.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

/// What is known at a prefix E of the current execution.
struct Node {
  std::vector<LabelledStep> sleep;  ///< sleep(E), and done(E): the steps already explored from E
  LabelledStep current;             ///< the step that the current execution takes
  WakeupTree planned;               ///< wut(E) without the current step; for source sets, a tree of depth one
};

enum class Algorithm { Source, Optimal };

struct Options {
  Algorithm algorithm = Algorithm::Optimal;
  std::uint64_t max_executions = UINT64_MAX;  ///< blocked and cut ones count too
  std::uint64_t max_steps = UINT64_MAX;
};

struct Result {
  Statistics statistics;
  std::uint64_t races = 0;    ///< pairs looked at
  std::uint64_t probes = 0;   ///< runs that only asked whether a step is possible
  std::uint64_t planned = 0;  ///< nodes added to wakeup trees
  bool complete = false;      ///< every class of executions was explored, and none was cut by the step limit
};

/// Source sets (source.cpp) and wakeup trees (optimal.cpp): plan to explore v after the prefix of `node`, unless that
/// is redundant. Return the number of steps added to the plan.
std::size_t plan_source(Node& node, std::span<const LabelledStep> v);
std::size_t plan_optimal(Node& node, std::span<const LabelledStep> v);

class Exploration {
 public:
  Exploration(Executor& executor, Options options);

  Result run(Listener& listener);

 private:
  /// Runs the current prefix to the end and makes nodes for the new part.
  void execute();
  /// Goes back to the deepest node with something planned, and follows its first sequence to its leaf. False where
  /// nothing is left.
  bool backtrack();

  Executor& executor_;
  Options options_;
  ReversalFinder finder_;
  Execution execution_;
  std::vector<Node> nodes_;
  std::vector<Step> prefix_;
  std::size_t known_ = 0;  ///< events that the current execution shares with the one before it
};

}  // namespace mazurka::dpor
