// One execution: the events that happened, what every process would do next, and how it ended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer_mark.hpp"
#include "core/event.hpp"
#include "core/failure_record.hpp"
#include "core/heap_block.hpp"
#include "core/state_difference.hpp"
#include "core/state_hash.hpp"

namespace mazurka {

constexpr std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::Finished: return "finished";
    case Outcome::Deadlock: return "deadlock";
    case Outcome::SleepBlocked: return "blocked";
    case Outcome::Stopped: return "stopped";
    case Outcome::Cut: return "cut";
    case Outcome::Limit: return "limit";
    case Outcome::Error: return "error";
    case Outcome::Diverged: return "diverged";
    case Outcome::Unsupported: return "unsupported";
  }
  return "?";
}

/// What one process printed between two steps: a part of Execution::output.
struct PrintedPart {
  std::size_t after = 0;  ///< so many steps
  ProcessIndex process = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Execution {
  std::vector<Event> events;
  std::vector<Offer> offers;   ///< the alternatives of events that had more than one
  std::vector<Offer> pending;  ///< what each process would do next, by process and alternative; ended ones are absent
  Outcome outcome = Outcome::Finished;
  /// Bits kStoppedBy…: what kept processes from going on. With Outcome::Limit, but not only: others may have ended the
  /// execution meanwhile, by a failure or the end of the program.
  std::uint32_t stopped_by = 0;
  Failure failure;
  std::uint32_t warnings = 0;          ///< what is dubious but no failure: bits kWarn…
  LeakedBlocks leak;                   ///< where kWarnLeak is among them
  ProcessIndex unjoined = kNoProcess;  ///< where kWarnNotJoined is: the first of those that nobody joined or detached
  std::uint32_t unjoined_count = 0;    ///< and how many they are
  ProcessIndex left_running = kNoProcess;  ///< where kWarnMainReturned is: one that had not ended
  std::string output;                ///< what a program printed, standard output and standard error in their order
  std::vector<PrintedPart> printed;  ///< the parts of `output`
  int exit_status = 0;               ///< what a program would have returned to the shell
  /// Blocks of the heap that its operations act on, in the order of their addresses. Known only of executions that were
  /// prepared for a report.
  std::vector<HeapBlock> heap;
  /// The state at the end in the system's own encoding: equal for equal states.
  std::vector<std::uint64_t> final_state;
  /// What events changed in the state, if the job asked for that: those from `first_delta` on, up to one that ended the
  /// execution in its midst.
  std::vector<StateHash> deltas;
  std::size_t first_delta = 0;
  /// Of each of these, what others than its process may see. Of programs only.
  std::vector<StateHash> shared_deltas;
  /// If the system says what changed without hashing it: the differences of each event, up to where its own end.
  std::vector<StateDifference> differences;
  std::vector<std::uint32_t> difference_ends;
  /// For the executor that filled it. Whoever changes the events of an execution and has it filled again clears it
  /// first.
  AnswerMark mark;

  /// Whether its last step made it fail, while others might have gone on.
  bool fatal() const {
    return outcome == Outcome::Error && !events.empty() && events.back().process == failure.process;
  }
  /// Whether it makes sense to run it again: a loop without end costs the watchdog's patience every time, and of an
  /// execution that damaged its own record nobody knows the end.
  bool can_be_repeated() const {
    return outcome != Outcome::Diverged && failure.kind != FailureKind::EndlessLoop &&
           !(outcome == Outcome::Unsupported && failure.kind == FailureKind::DamagedMemory);
  }

  /// What the event at this place changed; null where that is not known.
  const StateHash* delta(std::size_t place) const {
    return place >= first_delta && place - first_delta < deltas.size() ? &deltas[place - first_delta] : nullptr;
  }

  /// Its differences, in any order; the event has a delta.
  std::span<const StateDifference> differences_of(std::size_t place) const {
    const std::size_t i = place - first_delta;
    if (i >= difference_ends.size()) return {};
    const std::size_t begin = i == 0 ? 0 : difference_ends[i - 1];
    return std::span(differences).subspan(begin, difference_ends[i] - begin);
  }

  std::span<const Offer> offers_of(const Event& event) const {
    return std::span(offers).subspan(event.offers_begin, event.offers_count);
  }
  void clear() {
    events.clear();
    offers.clear();
    pending.clear();
    outcome = Outcome::Finished;
    stopped_by = 0;
    failure = {};
    warnings = 0;
    leak = {};
    unjoined = left_running = kNoProcess;
    unjoined_count = 0;
    output.clear();
    printed.clear();
    exit_status = 0;
    heap.clear();
    final_state.clear();
    deltas.clear();
    first_delta = 0;
    shared_deltas.clear();
    differences.clear();
    difference_ends.clear();
    mark = {};
  }
};

}  // namespace mazurka
