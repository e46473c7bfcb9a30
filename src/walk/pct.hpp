// Probabilistic concurrency testing: random priorities of processes, lowered at d-1 random steps (core/priorities.hpp).
// d is the bug depth of the guarantee: the number of ordering constraints between steps that suffice to trigger a bug.
//
// The paper assumes that the number k of steps of an execution is known. Here k is the length of the longest execution
// so far; the first execution has no change points.
#pragma once

#include <algorithm>

#include "core/random.hpp"
#include "walk/sampler.hpp"

namespace mazurka::walk {

class PctSampler final : public Sampler {
 public:
  static constexpr std::uint32_t kMaxDepth = Guidance::kMaxChanges + 1;

  /// \pre 1 <= depth <= kMaxDepth
  explicit PctSampler(std::uint32_t depth) : depth_(depth) {}

  void begin() override { longest_ = 0; }

  void prepare(Job& job) override {
    job.continuation = Continuation::Pct;
    job.guidance.change_count = longest_ == 0 ? 0 : depth_ - 1;
    SplitMix64 random(mixed(job.seed ^ kChanges));
    for (std::uint32_t i = 0; i < job.guidance.change_count; ++i)
      job.guidance.changes[i] = 1 + static_cast<std::uint32_t>(random.below(longest_));
  }

  void learn(const Execution& execution) override {
    longest_ = std::max<std::uint64_t>(longest_, execution.events.size());
  }

  /// k
  std::uint64_t longest() const { return longest_; }

 private:
  static constexpr std::uint64_t kChanges = 0x50435463;  // a random stream separate from that of the priorities

  std::uint32_t depth_;
  std::uint64_t longest_ = 0;
};

}  // namespace mazurka::walk
