// A search as simple as can be, for tests: every step of every state is tried, by replaying the whole schedule, with
// sleep sets so that it ends. Sleep sets keep every class of executions, so every outcome is found.
#pragma once

#include <algorithm>
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
    const Execution execution = executor_.run(job);
    if (execution.outcome != Outcome::Stopped) {
      ++executions_;
      visit_(execution);
      return;
    }
    std::vector<Offer> pending = execution.pending;
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (!pending[i].enabled) continue;
      if (pending[i].operation.kind == OperationKind::AtomicSection) run_section(pending, i);
      const Offer offer = pending[i];
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

  /// What a section does, and which other alternatives it has, is known when it is done.
  void run_section(std::vector<Offer>& pending, std::size_t i) {
    prefix_.push_back(pending[i].step());
    Job job;
    job.prefix = prefix_;
    job.continuation = Continuation::Stop;
    const Execution execution = executor_.run(job);
    prefix_.pop_back();
    if (execution.events.size() != prefix_.size() + 1) return;
    pending[i].operation = execution.events.back().operation;
    for (const Offer& sibling : execution.offers_of(execution.events.back()))
      if (std::none_of(pending.begin(), pending.end(), [&](const Offer& o) { return o.step() == sibling.step(); }))
        pending.push_back(sibling);
  }

  Executor& executor_;
  Visit visit_;
  bool reduce_;
  std::vector<Step> prefix_;
  std::size_t executions_ = 0;
};

}  // namespace mazurka::testing
