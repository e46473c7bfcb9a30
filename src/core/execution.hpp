// One execution: its events, the pending operation of every process, and its outcome.
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

/// Output of one process between two steps: a part of Execution::output.
struct PrintedPart {
  std::size_t after = 0;  ///< the number of steps before it
  ProcessIndex process = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Execution {
  std::vector<Event> events;
  std::vector<Offer> offers;  ///< the alternatives of events that had more than one
  std::vector<Offer>
      pending;  ///< the next operation of each process, by process and alternative; terminated processes are absent
  Outcome outcome = Outcome::Finished;
  /// Bits kStoppedBy…: why processes did not continue. May be set with outcomes other than Limit: after one process was
  /// stopped, another may have failed or ended the program.
  std::uint32_t stopped_by = 0;
  Failure failure;
  std::uint32_t warnings = 0;          ///< suspicious but no failure: bits kWarn…
  LeakedBlocks leak;                   ///< if kWarnLeak is set
  ProcessIndex unjoined = kNoProcess;  ///< if kWarnNotJoined is set: the first thread that nobody joined or detached
  std::uint32_t unjoined_count = 0;    ///< the number of such threads
  ProcessIndex left_running = kNoProcess;  ///< if kWarnMainReturned is set: a thread that had not terminated
  std::string output;                      ///< output of the program, standard output and standard error in order
  std::vector<PrintedPart> printed;        ///< the parts of `output`
  int exit_status = 0;                     ///< exit status of the program
  /// The heap blocks that its operations act on, by address. Filled only for executions that are run for a report.
  std::vector<HeapBlock> heap;
  /// The final state in the system's own encoding: equal exactly for equal states.
  std::vector<std::uint64_t> final_state;
  /// How each event changed the state, if the job asked for it: from event `first_delta` on. An event that ended the
  /// execution halfway has none.
  std::vector<StateHash> deltas;
  std::size_t first_delta = 0;
  /// For each of these, the part that other processes can observe. Programs only.
  std::vector<StateHash> shared_deltas;
  /// If the system reports exact changes instead of hashes: the differences of all events, concatenated;
  /// difference_ends has the end of each event's part.
  std::vector<StateDifference> differences;
  std::vector<std::uint32_t> difference_ends;
  /// Used by the executor that filled it. Clear it after changing the events, if the execution is to be filled again.
  AnswerMark mark;

  /// Whether its last step made the program fail although other processes could have continued.
  bool fatal() const {
    return outcome == Outcome::Error && !events.empty() && events.back().process == failure.process;
  }
  /// Whether the execution can be rerun. An endless loop would cost the watchdog's time-out each time, and after an
  /// execution has corrupted its own record, its end is unknown.
  bool can_be_repeated() const {
    return outcome != Outcome::Diverged && failure.kind != FailureKind::EndlessLoop &&
           !(outcome == Outcome::Unsupported && failure.kind == FailureKind::DamagedMemory);
  }

  /// How event `place` changed the state; null if unknown.
  const StateHash* delta(std::size_t place) const {
    return place >= first_delta && place - first_delta < deltas.size() ? &deltas[place - first_delta] : nullptr;
  }

  /// Its exact differences, in no particular order. \pre delta(place) is not null.
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
    if (failure || outcome != Outcome::Finished) failure = {};  // most executions do not fail
    outcome = Outcome::Finished;
    stopped_by = 0;
    if (warnings != 0) leak = {};
    warnings = 0;
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
