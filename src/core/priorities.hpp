// The scheduler of sampling by priorities: of the enabled processes, the one with the highest priority moves. Plain
// code, shared with the runtime.
//
// * Pct (Burckhardt, Kothari, Musuvathi, Nagarakatte: *A Randomized Scheduler with Probabilistic Guarantees of Finding
//   Bugs*, 2010, Fig. 4): each process has a random priority, above all lowered ones. At the i-th of the d-1 priority
//   change points that the job names, the process that took the step gets priority i. A bug of depth d is found with
//   probability at least 1/(n k^(d-1)), for n processes and k steps. Two deviations keep a waiting loop from starving
//   the others, as it may under strict priorities: a process that yields, or takes kLongRun steps in a row, falls below
//   all others. The guarantee is for programs that do neither.
// * Pos (Yuan, Yang, Gu: *Partial Order Aware Concurrency Sampling*, 2018, Alg. 2): each pending step has a random
//   priority, which is drawn anew when a dependent step is taken.
#pragma once

#include <cstdint>

#include "core/guidance.hpp"
#include "core/process.hpp"
#include "core/random.hpp"
#include "core/step.hpp"

namespace mazurka {

class Priorities {
 public:
  static constexpr std::uint32_t kLongRun = 1U << 14;

  /// `storage` has an entry per process and outlives the execution.
  constexpr void begin(Continuation policy, std::uint64_t seed, const Guidance& guidance, std::uint64_t* storage) {
    policy_ = policy;
    random_ = SplitMix64(mixed(seed + 1));
    guidance_ = &guidance;
    priorities_ = storage;
    known_ = 0;
    lowest_ = kBelowChanges;
    last_ = kNoProcess;
    run_ = 0;
  }

  /// The priority of a process; drawn at the first call, so in the order of process indices.
  constexpr std::uint64_t of(ProcessIndex process) {
    while (known_ <= process) priorities_[known_++] = draw();
    return priorities_[process];
  }

  /// A number below `bound`, for the alternatives of a process.
  constexpr std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }

  /// Whether to redraw the priorities of pending steps that depend on the one just taken.
  constexpr bool redraws() const { return policy_ != Continuation::Pct; }
  constexpr void redraw(ProcessIndex process) {
    of(process);
    priorities_[process] = draw();
  }

  /// `process` takes step number `count` of the execution, from 1.
  constexpr void take(ProcessIndex process, const Operation& operation, std::uint64_t count) {
    if (redraws()) return redraw(process);
    run_ = process == last_ ? run_ + 1 : 1;
    last_ = process;
    of(process);
    if (operation.kind == OperationKind::Yield || run_ == kLongRun) {
      priorities_[process] = --lowest_;
      run_ = 0;
    }
    for (std::uint32_t i = 0; i < guidance_->change_count; ++i)
      if (guidance_->changes[i] == count) priorities_[process] = kBelowChanges + i;
  }

 private:
  static constexpr std::uint64_t kBelowChanges = std::uint64_t{1} << 62;

  constexpr std::uint64_t draw() { return random_.next() | std::uint64_t{1} << 63; }

  Continuation policy_ = Continuation::Pos;
  SplitMix64 random_{0};
  const Guidance* guidance_ = nullptr;
  std::uint64_t* priorities_ = nullptr;
  ProcessIndex known_ = 0;
  std::uint64_t lowest_ = kBelowChanges;
  ProcessIndex last_ = kNoProcess;  ///< the process that moved last
  std::uint32_t run_ = 0;           ///< and how many times in a row
};

}  // namespace mazurka
