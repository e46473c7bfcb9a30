// A search as simple as can be, for tests: every step of every state is tried, by replaying the whole schedule, with
// sleep sets so that it ends. Sleep sets keep every class of executions, so every outcome is found.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/dependence.hpp"
#include "core/executor.hpp"

namespace mazurka::testing {

/// Calls `visit(execution)` for every execution that ends; `reduce` false tries all interleavings.
template <class Visit>
class Exhaustive {
 public:
  Exhaustive(Executor& executor, Visit visit, bool reduce = true)
      : executor_(executor), visit_(visit), reduce_(reduce) {}

  void run() { explore({}); }
  std::size_t executions() const { return executions_; }

 private:
  void explore(std::vector<Sleeper> sleep) {
    Job job;
    job.prefix = prefix_;
    job.continuation = Continuation::Stop;
    const Execution& execution = executor_.run(job);
    if (execution.outcome != Outcome::Stopped) {
      ++executions_;
      visit_(execution);
      return;
    }
    const std::vector<Offer> pending = execution.pending;
    for (const Offer& offer : pending) {
      if (!offer.enabled) continue;
      bool asleep = false;
      std::vector<Sleeper> below;
      for (const Sleeper& sleeper : sleep) {
        asleep |= sleeper.step == offer.step();
        if (sleeper.step.process != offer.process && !dependent(sleeper.operation, offer.operation))
          below.push_back(sleeper);
      }
      if (asleep) continue;
      prefix_.push_back(offer.step());
      explore(std::move(below));
      prefix_.pop_back();
      if (reduce_) sleep.push_back({offer.step(), offer.operation});
    }
  }

  Executor& executor_;
  Visit visit_;
  bool reduce_;
  std::vector<Step> prefix_;
  std::size_t executions_ = 0;
};

}  // namespace mazurka::testing
