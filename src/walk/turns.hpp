// Several samplers in turn: each is blind to some bugs that another finds. Each learns from its own executions only.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "walk/sampler.hpp"

namespace mazurka::walk {

class Turns final : public Sampler {
 public:
  /// \pre There is at least one.
  explicit Turns(std::vector<std::unique_ptr<Sampler>> samplers) : samplers_(std::move(samplers)) {}

  void begin() override {
    for (const auto& sampler : samplers_) sampler->begin();
    next_ = 0;
  }
  void prepare(Job& job) override {
    last_ = next_;
    next_ = (next_ + 1) % samplers_.size();
    samplers_[last_]->prepare(job);
  }
  void learn(const Execution& execution) override { samplers_[last_]->learn(execution); }

 private:
  std::vector<std::unique_ptr<Sampler>> samplers_;
  std::size_t next_ = 0;
  std::size_t last_ = 0;
};

}  // namespace mazurka::walk
