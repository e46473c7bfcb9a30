// What tests put around an explorer: an executor that remembers the classes it visits, and a listener that goes on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/executor.hpp"
#include "core/foata.hpp"
#include "core/listener.hpp"

namespace mazurka::testing {

struct Silent final : Listener {
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return true; }
};

/// Stands between an explorer and a system, and remembers what the executions are that end.
class ClassRecorder final : public Executor {
 public:
  explicit ClassRecorder(Executor& inner) : inner_(inner) {}
  const Execution& run(const Job& job) override {
    const Execution& execution = inner_.run(job);
    if (job.continuation == Continuation::Stop || execution.outcome == Outcome::SleepBlocked) return execution;
    repeated |= !classes.insert(foata_normal_form(execution.events)).second;
    final_states.insert(execution.final_state);
    if (execution.outcome == Outcome::Deadlock) deadlocks.insert(execution.final_state);
    return execution;
  }
  void begin(const Job& job) override { inner_.begin(job); }
  std::size_t process_count() const override { return inner_.process_count(); }
  std::string process_name(ProcessIndex process) const override { return inner_.process_name(process); }
  std::string describe(const Operation& operation) const override { return inner_.describe(operation); }

  std::set<FoataForm> classes;
  std::set<std::vector<std::uint64_t>> deadlocks;
  std::set<std::vector<std::uint64_t>> final_states;
  bool repeated = false;  ///< a class was visited twice

 private:
  Executor& inner_;
};

}  // namespace mazurka::testing
