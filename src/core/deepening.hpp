// Bugs first: a program that does not end is explored again and again, with a bound (bound.hpp) that grows, so that
// what is near the start is explored before what is far. (Iterative deepening: Korf, Artificial Intelligence 1985.)
//
// * A first exploration has a bound that hardly any program reaches which comes to an end. If no execution reaches it,
//   this exploration is all there is: nothing was lost, and nothing is slower than without.
// * Otherwise it is given up at once. One execution goes on to its end, if that is not too far: what always fails does
//   so there. Then others follow, from a few steps of each process on. The first that no execution was stopped in by
//   its bound is the last: it has explored everything.
// * Every execution within a bound is also one within the next, with at least one that extends it. So no exploration
//   has more executions than the one after it, and most have far fewer.
#pragma once

#include <cstdint>

#include "core/bound.hpp"
#include "core/executor.hpp"
#include "core/listener.hpp"

namespace mazurka {

/// What a series of explorations came to.
struct Depth {
  Bound bound;                     ///< of the last one
  bool deepened = false;           ///< there was more than the first
  Bound explored = {0, 0};         ///< everything within this one was explored; Bound::kNone threads: however many
  std::uint64_t explorations = 0;  ///< how many there were
  std::uint64_t runs = 0;          ///< executions of all of them
  std::uint64_t errors = 0;        ///< of them, the most that failed in one of them
};

/// Stands between an explorer and its listener while there may be another exploration.
class Deepening final : public Listener {
 public:
  /// What the user wants; no exploration goes further.
  struct Limits {
    std::uint64_t steps = UINT64_MAX;       ///< of an execution
    std::uint64_t executions = UINT64_MAX;  ///< of all explorations together
    std::uint32_t threads = Bound::kNone;
  };

  /// \pre `listener` outlives it.
  Deepening(const Limits& limits, Listener& listener);

  /// What the next exploration is to be told.
  const Bound& bound() const { return depth_.bound; }
  std::uint64_t executions_left() const { return limits_.executions - depth_.runs; }

  /// An exploration has ended; `exhaustive`: it left nothing out but what was beyond its bound. Whether another one is
  /// to follow.
  bool go_deeper(const Statistics& statistics, bool exhaustive);
  /// Between the first exploration and the next: runs one execution to its end. False where that was enough.
  bool run_to_the_end(Executor& executor, Statistics& statistics);
  /// Whether the next exploration comes after the first.
  bool has_left_first() const { return depth_.deepened && depth_.bound.steps == kShallow; }

  const Depth& depth() const { return depth_; }

  bool on_error(const Execution& execution, std::uint64_t number) override;
  bool deadlocks_fail() const override { return listener_.deadlocks_fail(); }
  void on_cut(const Execution& execution) override;
  void on_new_beginning() override;
  bool on_progress(const Statistics& statistics) override;

  /// Of each process, in the first exploration: a thread that waits in a loop lets others go first sooner.
  static constexpr std::uint32_t kFirstSteps = 2048;
  static constexpr std::uint32_t kFirstThreads = 128;  ///< likewise; far fewer than a program can have
  static constexpr std::uint32_t kFar = 1U << 17;      ///< steps of the one execution that is run to its end
  static constexpr std::uint32_t kShallow = 2;         ///< steps of each process in the one after that

 private:
  void begin(std::uint32_t steps, std::uint32_t threads);
  /// Whether a larger bound would let something go on that was stopped.
  bool can_be_lifted(const Statistics& statistics) const;
  bool leaves_first(const Statistics& statistics) const;

  Limits limits_;
  Listener& listener_;
  Depth depth_;
  bool is_first_ = true;
  bool gives_up_ = false;           ///< the exploration under way is worth nothing
  bool begins_anew_ = false;        ///< with the first one
  bool stopped_otherwise_ = false;  ///< by something else than its bound
  bool over_ = false;               ///< the listener has heard enough
};

template <typename Result>
struct OneExploration {
  Result result;
  bool exhaustive = true;  ///< nothing was left out but what was beyond the bound
};

/// Explores deeper and deeper: `explore(bound, executions, listener)` makes one exploration, of at most so many
/// executions, and returns it. Returns the result of the last one.
template <typename Explore>
auto explore_deeper(Executor& executor, const Deepening::Limits& limits, Listener& listener, Depth& depth,
                    Explore&& explore) {
  Deepening deepening(limits, listener);
  for (;;) {
    auto [result, exhaustive] = explore(deepening.bound(), deepening.executions_left(), deepening);
    bool goes_on = deepening.go_deeper(result.statistics, exhaustive);
    if (goes_on && deepening.has_left_first()) goes_on = deepening.run_to_the_end(executor, result.statistics);
    if (goes_on) continue;
    depth = deepening.depth();
    result.statistics.errors = depth.errors;
    return result;
  }
}

}  // namespace mazurka
