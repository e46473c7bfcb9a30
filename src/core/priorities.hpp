// Who moves next in an execution that is sampled by priorities: of the processes that can, the one whose priority is
// greatest. Plain code, for the runtime too.
//
// * Pct (Burckhardt, Kothari, Musuvathi, Nagarakatte: *A Randomized Scheduler with Probabilistic Guarantees of Finding
//   Bugs*, 2010, Fig. 4): a process has a random priority, above all that are lowered; after the steps that the job
//   names, number i of d-1, the process that took the step falls to i. A bug that d-1 such changes bring about is
//   found with probability 1/(n k^(d-1)) at least, of n processes and k steps. Two deviations keep a process that waits
//   from waiting for ever, as it may under strict priorities: whoever yields, or takes kLongRun steps in a row, falls
//   below all others. The guarantee is that of programs which do neither.
// * Pos (Yuan, Yang, Gu: *Partial Order Aware Concurrency Sampling*, 2018, Alg. 2): each pending step has a random
//   priority, which is drawn anew if a step that it depends on is taken.
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

  /// `storage` has a place for each process and outlives the execution.
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

  /// A process that was not asked about before gets its priority now, after those with smaller indices.
  constexpr std::uint64_t of(ProcessIndex process) {
    while (known_ <= process) priorities_[known_++] = draw();
    return priorities_[process];
  }

  /// A number below `bound`, for the alternatives of a process.
  constexpr std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }

  /// Whether pending steps that depend on the one just taken are to be redrawn.
  constexpr bool redraws() const { return policy_ != Continuation::Pct; }
  constexpr void redraw(ProcessIndex process) {
    of(process);
    priorities_[process] = draw();
  }

  /// `process` takes an operation, which is step number `count` of the execution, counting from 1.
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
  ProcessIndex last_ = kNoProcess;  ///< who moved last,
  std::uint32_t run_ = 0;           ///< how often in a row
};

}  // namespace mazurka
