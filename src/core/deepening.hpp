// Iterative deepening (Korf, Artificial Intelligence 1985): a program with endless executions is explored several
// times, under a growing bound (bound.hpp), so that shallow bugs are found before deep executions are tried.
//
// * The first exploration has a bound that a terminating program hardly ever reaches. If no execution reaches it,
//   this exploration was exhaustive and is the only one: terminating programs pay nothing.
// * Otherwise the first exploration is abandoned as soon as an execution reaches the bound. One execution is then run
//   to its end (up to kFar steps), since a program that always fails does so there. Then explorations follow with
//   bounds from kShallow steps per process upwards. The first of them in which no execution reaches its bound is
//   exhaustive, and the last.
// * Every execution within a bound is a prefix of at least one execution within the next. So no exploration has more
//   executions than its successor, and most have far fewer.
#pragma once

#include <cstdint>

#include "core/bound.hpp"
#include "core/executor.hpp"
#include "core/listener.hpp"

namespace mazurka {

/// Result of a series of explorations.
struct Depth {
  Bound bound;                     ///< of the last exploration
  bool deepened = false;           ///< there was more than one exploration
  Bound explored = {0, 0};         ///< the largest bound explored exhaustively; threads == kUnlimited: any number
  std::uint64_t explorations = 0;  ///< number of explorations
  std::uint64_t runs = 0;          ///< executions over all explorations
  std::uint64_t errors = 0;        ///< the largest number of failed executions in one exploration
};

/// The listener of each exploration in the series; forwards to the user's listener what remains valid across
/// explorations.
class Deepening final : public Listener {
 public:
  /// The user's limits; every exploration respects them.
  struct Limits {
    std::uint64_t steps = UINT64_MAX;       ///< length of one execution
    std::uint64_t executions = UINT64_MAX;  ///< over all explorations
    std::uint32_t threads = Bound::kUnlimited;
  };

  /// \pre `listener` outlives it.
  Deepening(const Limits& limits, Listener& listener);

  /// Where a series of explorations is.
  struct State {
    Depth depth;
    bool is_first = true;
    bool stopped_otherwise = false;
  };
  State state() const { return {depth_, is_first_, stopped_otherwise_}; }
  /// Goes on with a series.
  void resume(const State& state);

  /// The bound for the next exploration.
  const Bound& bound() const { return depth_.bound; }
  std::uint64_t executions_left() const { return limits_.executions - depth_.runs; }

  /// To be called after each exploration. `exhaustive`: it left out only what its bound excludes. Returns whether
  /// another exploration is needed, with bound().
  bool go_deeper(const Statistics& statistics, bool exhaustive);
  /// To be called between the first exploration and the second: runs one execution to its end. Returns false if that
  /// settles the matter.
  bool run_to_the_end(Executor& executor, Statistics& statistics);
  /// Whether the next exploration is the second.
  bool has_left_first() const { return depth_.deepened && depth_.bound.steps == kShallow; }

  const Depth& depth() const { return depth_; }

  bool on_error(const Execution& execution, std::uint64_t number) override;
  bool deadlocks_fail() const override { return listener_.deadlocks_fail(); }
  void on_cut(const Execution& execution) override;
  void on_new_beginning() override;
  bool on_progress(const Statistics& statistics) override;

  /// Steps per process in the first exploration. Higher than the number of steps after which the scheduler preempts a
  /// thread that waits in a loop.
  static constexpr std::uint32_t kFirstSteps = 2048;
  static constexpr std::uint32_t kFirstThreads = 128;  ///< likewise; far fewer than a program may create
  static constexpr std::uint32_t kFar = 1U << 17;      ///< step limit for the one execution that is run to its end
  static constexpr std::uint32_t kShallow = 2;         ///< steps per process in the second exploration

 private:
  void begin(std::uint32_t steps, std::uint32_t threads);
  /// Whether something was stopped that a larger bound would let continue.
  bool can_be_lifted(const Statistics& statistics) const;
  bool leaves_first(const Statistics& statistics) const;

  Limits limits_;
  Listener& listener_;
  Depth depth_;
  bool is_first_ = true;
  bool gives_up_ = false;           ///< abandon the current exploration; its results do not count
  bool begins_anew_ = false;        ///< restart the series with the first exploration
  bool stopped_otherwise_ = false;  ///< something other than the bound stopped it
  bool over_ = false;               ///< the listener asked to stop
};

template <typename Result>
struct OneExploration {
  Result result;
  bool exhaustive = true;  ///< it left out only what the bound excludes
};

/// Explores under growing bounds. `explore(bound, executions, listener)` runs one exploration of at most `executions`
/// executions and returns its result. Returns the result of the last exploration.
/// `from`: the series to go on with; null: a new one.
template <typename Explore>
auto explore_deeper(Executor& executor, const Deepening::Limits& limits, Listener& listener, Depth& depth,
                    Explore&& explore, const Deepening::State* from = nullptr) {
  Deepening deepening(limits, listener);
  if (from != nullptr) deepening.resume(*from);
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
