// One execution: the events that happened, what every process would do next, and how it ended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer_mark.hpp"
#include "core/event.hpp"

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

struct Execution {
  std::vector<Event> events;
  std::vector<Offer> offers;   ///< the alternatives of events that had more than one
  std::vector<Offer> pending;  ///< what each process would do next, by process and alternative; ended ones are absent
  Outcome outcome = Outcome::Finished;
  std::string error_kind;  ///< `assertion`, `abort`, `deadlock`, …: empty unless something is wrong
  std::string message;
  ProcessIndex error_process = kNoProcess;  ///< who failed, where it was one process
  std::uint64_t error_site = 0;             ///< where in the code, 0 where that is not known
  std::vector<std::string_view> warnings;   ///< what is dubious but no error; the executor keeps the texts
  /// The state at the end in the system's own encoding: equal for equal states.
  std::vector<std::uint64_t> final_state;
  /// For the executor that filled it. Whoever changes the events of an execution and has it filled again clears it
  /// first.
  AnswerMark mark;

  /// Whether its last step made it fail, while others might have gone on.
  bool fatal() const { return outcome == Outcome::Error && !events.empty() && events.back().process == error_process; }
  /// Whether it makes sense to run it again: a loop without end costs the watchdog's patience every time.
  bool can_be_repeated() const { return outcome != Outcome::Diverged && error_kind != "endless-loop"; }

  std::span<const Offer> offers_of(const Event& event) const {
    return std::span(offers).subspan(event.offers_begin, event.offers_count);
  }
  void clear() {
    events.clear();
    offers.clear();
    pending.clear();
    outcome = Outcome::Finished;
    error_kind.clear();
    message.clear();
    error_process = kNoProcess;
    error_site = 0;
    warnings.clear();
    final_state.clear();
    mark = {};
  }
};

}  // namespace mazurka
