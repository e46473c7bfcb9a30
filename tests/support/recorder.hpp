// What tests put around an explorer: an executor that remembers the classes it visits, and a listener that goes on.
#pragma once

#include <set>
#include <vector>

#include "core/foata.hpp"
#include "core/listener.hpp"
#include "support/forwarding.hpp"

namespace mazurka::testing {

struct Silent final : Listener {
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return true; }
};

/// Stands between an explorer and a system, and remembers what the executions are that end.
class ClassRecorder final : public Forwarding {
 public:
  using Forwarding::Forwarding;

  std::set<FoataForm> classes;
  std::set<std::vector<std::uint64_t>> deadlocks;
  std::set<std::vector<std::uint64_t>> final_states;
  bool repeated = false;  ///< a class was visited twice

 private:
  void seen(const Job& job, Execution& execution) override {
    if (job.continuation == Continuation::Stop || execution.outcome == Outcome::SleepBlocked) return;
    repeated |= !classes.insert(foata_normal_form(execution.events)).second;
    final_states.insert(execution.final_state);
    if (execution.outcome == Outcome::Deadlock) deadlocks.insert(execution.final_state);
  }
};

}  // namespace mazurka::testing
