// What the executions of a program show, in terms that do not depend on the order of independent steps.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/foata.hpp"
#include "core/listener.hpp"
#include "support/forwarding.hpp"

namespace mazurka::pairs {

struct Outcomes {
  /// Of executions that did not fail: how they ended, and what each thread has noted in its order.
  std::set<std::string> ends;
  /// The kinds of failures. An execution ends where it fails, whatever others had still to do, and whichever of two
  /// failures comes first hides the other: what else was noted is no part of a failure.
  std::set<std::string> errors;
  /// Of those that did not fail.
  std::set<FoataForm> classes;
  std::size_t executions = 0;  ///< of those that did not fail

  void add(const Execution& execution) {
    if (execution.outcome == Outcome::SleepBlocked) return;
    if (execution.failure && execution.outcome != Outcome::Deadlock) {
      errors.insert(name(execution.failure.kind));
      return;
    }
    ++executions;
    ends.insert(fmt::format("{} {}\n{}", mazurka::name(execution.outcome),
                            execution.outcome == Outcome::Finished ? execution.exit_status : 0,
                            by_thread(execution.output)));
    classes.insert(foata_normal_form(execution.events));
  }

 private:
  /// Each line begins with the thread that printed it.
  static std::string by_thread(std::string_view output) {
    std::vector<std::string_view> lines;
    while (!output.empty()) {
      const std::size_t end = std::min(output.find('\n'), output.size() - 1);
      lines.push_back(output.substr(0, end + 1));
      output.remove_prefix(end + 1);
    }
    std::stable_sort(lines.begin(), lines.end(), [](std::string_view a, std::string_view b) {
      return a.substr(0, a.find(':')) < b.substr(0, b.find(':'));
    });
    std::string text;
    for (const std::string_view line : lines) text += line;
    return text;
  }
};

/// Remembers what the executions show, from where the exploration last began anew.
class Watcher final : public testing::Forwarding {
 public:
  using Forwarding::Forwarding;

  Outcomes outcomes;

 private:
  void seen(const Job& job, Execution& execution) override {
    if (job.continuation != Continuation::Stop) outcomes.add(execution);
  }
};

/// Forgets what was seen before the exploration began anew: jobs that were under way when a wait was learnt are among
/// it.
class Forgetting final : public Listener {
 public:
  explicit Forgetting(Watcher& watcher) : watcher_(watcher) {}
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override { watcher_.outcomes = {}; }

 private:
  Watcher& watcher_;
};

}  // namespace mazurka::pairs
