// Probes. What is enabled after a history H, that is, a causally closed set of events of an execution? The explorers
// that move steps to an earlier point (dpor/histories.hpp, unfolding/extensions.hpp) know the answer in the common
// cases; otherwise the executor runs H and stops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/executor.hpp"
#include "core/poll.hpp"

namespace mazurka {

/// Whether a step of this kind is enabled in every state, always with the same label: no probe needed.
constexpr bool always_possible(const Operation& operation) {
  return never_blocks(operation.kind) && !outcome_varies(operation.kind);
}

/// Whether a step is certainly enabled, with the same label, at the point where `other` was executed, with nothing in
/// between that depends on either: no probe needed. For example a lock at the point of another acquisition: the mutex
/// was free.
constexpr bool possible_in_place_of(const Operation& other, const Operation& operation) {
  return always_possible(operation) || (is_plain_lock(operation) && acquires_mutex(other));
}

class Prober {
 public:
  /// \pre Both outlive it.
  Prober(Executor& executor, Poll& poll) : executor_(executor), poll_(poll) { job_.continuation = Continuation::Stop; }

  /// Clears the steps of H, for the caller of the next query to fill in.
  std::vector<Step>& new_history() {
    job_.prefix.clear();
    return job_.prefix;
  }

  // If H cannot be replayed, because the system is not deterministic, the queries below return null or false,
  // diverged() holds the execution that resulted instead, and the poll is stopped.

  /// The execution H, with its pending operations. Valid until the next query.
  const Execution* ask();
  /// Collects the steps of the wanted process that are enabled after H: the wanted alternative, or all if the state
  /// decides which alternatives there are.
  bool ask_for(Step wanted, std::vector<Offer>& possible);
  /// Executes an atomic section after H, since its effect is known only then. \pre the section is pending after H.
  bool run_section(Step section, Sleeper& label);

  const std::optional<Execution>& diverged() const { return diverged_; }
  std::uint64_t count() const { return count_; }
  std::uint64_t ticks() const { return ticks_; }

 private:
  Executor& executor_;
  Poll& poll_;
  Job job_;  ///< H
  Execution answer_;
  std::optional<Execution> diverged_;
  std::uint64_t count_ = 0;
  std::uint64_t ticks_ = 0;
};

}  // namespace mazurka
