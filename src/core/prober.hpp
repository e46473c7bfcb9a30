// Probes: what can a process do after a history H, a set of events of an execution that is closed under causes? The
// explorers that move steps to another place (dpor/histories.hpp, unfolding/extensions.hpp) know the answer in the
// common cases; else the executor runs H and stops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/executor.hpp"
#include "core/poll.hpp"

namespace mazurka {

/// Whether a step of this kind is possible in every state, always with the same label: no probe needed.
constexpr bool always_possible(const Operation& operation) {
  return never_blocks(operation.kind) && !outcome_varies(operation.kind);
}

/// Whether a step is certainly possible with the same label where `other` happened, with nothing between that depends
/// on them: no probe needed. A lock in place of another acquisition: the mutex was free then.
constexpr bool possible_in_place_of(const Operation& other, const Operation& operation) {
  return always_possible(operation) || (is_plain_lock(operation) && acquires_mutex(other));
}

class Prober {
 public:
  /// \pre both outlive it.
  Prober(Executor& executor, Poll& poll) : executor_(executor), poll_(poll) { job_.continuation = Continuation::Stop; }

  /// The steps of H, for whoever asks next to fill.
  std::vector<Step>& new_history() {
    job_.prefix.clear();
    return job_.prefix;
  }

  // If H cannot be repeated, because the system is not the same every time, the answers are null or false, diverged()
  // has what happened instead, and the poll is stopped.

  /// The execution H, with what is possible next. Valid until the next question.
  const Execution* ask();
  /// Collects the steps that are possible after H by which the process can move: of its alternatives the wanted one,
  /// but all of them where the state decides which there are.
  bool ask_for(Step wanted, std::vector<Offer>& possible);
  /// What an atomic section does after H, which is known once it is done.
  /// \pre the process stands before the section after H.
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
