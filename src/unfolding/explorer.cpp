#include "unfolding/explorer.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/failure.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "core/record_outcome.hpp"
#include "core/stopwatch.hpp"

namespace mazurka::unfolding {

// Alg. 1 of *Quasi-Optimal POR* as a loop. C is the current branch, D the events that must not be added to it.
//
//   3  procedure Explore(C, D, A)                                here
//   4    U := U ∪ ex(C)                                          add_extensions(), once per maximal C
//   5    if en(C) ⊆ D return                                     the execution ends, or is sleep-set blocked
//   6–9  choose e from en(C) \ D, from A if A ≠ ∅                execute() replays A, then continues freely
//  10    Explore(C ∪ {e}, D, A \ {e})                            push(e)
//  11    if there is a k-partial alternative J to D ∪ {e}        Alternatives::find() at the parent of e
//  12      Explore(C, D ∪ {e}, J \ C)                            take_alternative() appends J to the branch
//  13    U := U ∩ Q(C, D)                                        Candidates::leave(), and clean_up() for the memory
//
// With cutoffs, an execution is judged before it counts: a cutoff in the alternative discards that alternative, a later
// one is put to sleep and the execution is rerun.

Explorer::Explorer(Executor& executor, Options options)
    : executor_(executor),
      options_(options),
      c_(events_),
      candidates_(events_),
      extensions_(executor, events_, poll_, [this] { follow_resources(); }),
      cutoffs_(events_, options.states),
      alternatives_(events_, candidates_, cutoffs_, options.alternatives, poll_),
      sleep_(1),
      cut_(1),
      clean_up_at_(options.clean_up_at),
      hangs_(executor) {}

Result Explorer::run(Listener& listener) {
  // Cutoffs work best if the smallest configuration for each state is known early. So smaller explorations come first,
  // limited to local configurations of `largest` events; they fill the cache of the last one.
  for (std::uint32_t largest = kFirstLargest; options_.cutoffs; largest *= 2) {
    Explorer part(executor_, options_);
    part.cutoffs_.limit(largest);
    part.cutoffs_.adopt(cutoffs_);
    const Result result = part.explore(listener);
    if (executor_.version() != version_) break;
    if (!part.finished_) return result;
    cutoffs_.adopt(part.cutoffs_);
    if (!part.cutoffs_.limited()) break;
  }
  if (executor_.version() == version_) {
    const Result result = explore(listener);
    if (executor_.version() == version_) return result;
  }
  listener.on_new_beginning();
  return Explorer(executor_, options_).run(listener);
}

Result Explorer::explore(Listener& listener) {
  job_.learns = true;
  std::uint64_t number = 0;
  bool finished = false;
  const TickScale scale;
  const Poll::GoOn go_on = [&] { return !interrupted() && listener.on_progress(result_.statistics); };
  poll_.begin(go_on);
  while (number < options_.max_executions && !interrupted()) {
    execute();  // lines 6 to 10, until line 5 holds
    if (executor_.version() != version_) break;
    const auto count = [&](const Execution& found) {
      return record_outcome(found, number++, result_.statistics, listener);
    };
    if (options_.cutoffs && follows_branch()) {
      failed_ = false;
      const bool is_kept = judge_branch();
      if (is_kept || varies_at_) further_ = must_go_on();
      if (failed_ && !count(execution_)) break;
      if (!is_kept && !varies_at_) {
        finished = !take_alternative() && !backtrack() && !poll_.stopped();
        if (finished || poll_.stopped()) break;
        continue;
      }
      if (poll_.stopped()) break;
      if (further_ && !varies_at_) continue;
    }
    if (varies_at_) {
      report_varying_state();
      record_outcome(execution_, number, result_.statistics, listener);
      break;
    }
    MZ_INVARIANT(options_.alternatives != Alternatives::kOptimal || execution_.outcome != Outcome::SleepBlocked,
                 "with optimal alternatives no execution is sleep-set blocked");
    if (listener.deadlocks_fail() && ends_in_hang() && !count(hang_)) break;
    if (!count(execution_)) break;
    if (!options_.cutoffs && failed_on_its_own(job_, execution_) &&
        !put_failure_last(executor_, job_, execution_, count))
      break;
    if (!follows_branch()) {
      execution_.outcome = Outcome::Diverged;
      execution_.failure.kind = FailureKind::Nondeterminism;
      execution_.failure.detail = {};
      record_outcome(execution_, number, result_.statistics, listener);
      break;
    }
    add_events();
    if (poll_.stopped()) break;
    if (options_.keep_events && execution_.outcome == Outcome::Finished) count_silent_ends();
    add_extensions();  // line 4
    if (executor_.version() != version_) break;
    if (extensions_.diverged()) {
      record_outcome(*extensions_.diverged(), number, result_.statistics, listener);
      break;
    }
    if (poll_.stopped()) break;
    finished = !backtrack() && !poll_.stopped();
    if (finished || poll_.stopped()) break;
    if (!options_.keep_events && events_.size() >= clean_up_at_) clean_up();
  }
  finished_ = finished;
  result_.seconds_executing = scale.seconds(ticks_.executing);
  result_.seconds_adding = scale.seconds(ticks_.adding);
  result_.seconds_extending = scale.seconds(ticks_.extending);
  result_.seconds_alternatives = scale.seconds(ticks_.alternatives);
  result_.complete = finished && !result_.statistics.is_cut();
  result_.events_added += events_.size();
  result_.probes = extensions_.probes();
  result_.comb = alternatives_.statistics();
  result_.cutoffs = cutoffs_.statistics();
  result_.statistics.cutoffs = result_.cutoffs.cutoffs;
  result_.causality_distances = extensions_.distances();
  result_.conflict_distances = c_.distances();
  return result_;
}

void Explorer::execute() {
  job_.prefix.resize(std::min(job_.prefix.size(), known_));
  for (std::size_t i = job_.prefix.size(); i < c_.size(); ++i) job_.prefix.push_back(events_.label_of(c_[i]).step);
  job_.sleep.clear();
  for (const EventId d : sleep_[c_.size()]) job_.sleep.push_back({events_.label_of(d).step, events_.operation(d)});
  job_.max_steps = options_.max_steps;
  if (options_.cutoffs) {
    for (const EventId d : cut_[c_.size()]) job_.sleep.push_back({events_.label_of(d).step, events_.operation(d)});
    job_.max_steps = std::min(job_.max_steps, c_.size() + more_steps_);
    job_.deltas = true;
    // The earlier events were judged after the previous run of this branch.
    job_.deltas_from = options_.all_deltas ? 0 : (further_ ? c_.size() : known_);
  }
  job_.bound = options_.bound;
  const Stopwatch stopwatch(ticks_.executing);
  executor_.run(job_, execution_);
}

bool Explorer::follows_branch() const {
  // A failure may end the execution before the whole branch was replayed.
  const std::size_t length = std::min(c_.size(), execution_.events.size());
  for (std::size_t i = known_; i < length; ++i)
    if (execution_.events[i].operation != events_.operation(c_[i])) return false;
  return length == c_.size() || execution_.outcome == Outcome::Error;
}

bool Explorer::judge_branch() {
  for (std::size_t i = known_; i < std::min(c_.size(), execution_.events.size()); ++i) {
    if (!is_cutoff(c_[i], i)) continue;
    MZ_INVARIANT(known_ < c_.size(), "a cutoff is part of the last alternative");
    while (c_.size() > known_) {
      c_.pop();
      candidates_.taken_back(c_.size());
    }
    return false;
  }
  return true;
}

bool Explorer::is_cutoff(EventId e, std::size_t place) {
  const StateHash* const delta = execution_.delta(place);
  const bool is_last = place + 1 == execution_.events.size();
  const bool fails = is_last && execution_.fatal() && !interferes_with_everything(execution_.events[place].operation);
  if (!cutoffs_.is_judged(e)) {
    MZ_INVARIANT(delta != nullptr || is_last, "an event is judged when it has been executed");
    failed_ = fails;
    if (fails || delta == nullptr || (is_last && execution_.fatal()))
      cutoffs_.judge_end(e, fails);
    else
      cutoffs_.judge(e, c_, *delta, execution_.differences_of(place));
  } else if (fails && !cutoffs_.has_failed(e)) {
    failed_ = true;
    varies_at_ = place;
  } else if (!fails && delta != nullptr && !cutoffs_.has_failed(e) &&
             !cutoffs_.has_delta(e, *delta, execution_.differences_of(place))) {
    varies_at_ = place;
  }
  return cutoffs_.is_cutoff(e);
}

void Explorer::report_varying_state() {
  const Event event = execution_.events[*varies_at_];
  execution_.events.resize(*varies_at_ + 1);
  execution_.mark = {};
  execution_.pending.clear();
  execution_.outcome = Outcome::Unsupported;
  execution_.failure = {};
  execution_.failure.kind = FailureKind::Unsupported;
  execution_.failure.process = event.process;
  execution_.failure.site = event.site;
  execution_.failure.detail = GivenWords(
      "the effect of the last step depends on steps that it should be independent of: threads share memory without "
      "synchronisation, or a library keeps state of its own; so cutoffs cannot be used for this program");
}

bool Explorer::must_go_on() {
  if (!add_events()) return true;
  const bool has_more = execution_.outcome == Outcome::Limit && execution_.events.size() >= job_.max_steps &&
                        c_.size() < options_.max_steps;
  more_steps_ = has_more ? 2 * more_steps_ : kFirstSteps;
  only_cutoffs_ = execution_.outcome == Outcome::SleepBlocked && sleep_[c_.size()].empty();
  if (only_cutoffs_) {
    execution_.outcome = Outcome::Cut;
    ++result_.statistics.by_cutoff;
  }
  return has_more;
}

bool Explorer::ends_in_hang() {
  if (!options_.cutoffs || !only_cutoffs_ || cutoffs_.has_limit()) return false;
  return hangs_.look(execution_, cutoffs_.state_of(c_), hang_);
}

bool Explorer::add_events() {
  const Stopwatch stopwatch(ticks_.adding);
  while (c_.size() > execution_.events.size()) {
    c_.pop();
    candidates_.taken_back(c_.size());
  }
  events_.widen(executor_.process_count());
  extensions_.remember(execution_);
  follow_resources();
  constexpr std::size_t kPerEvent = 16;  // work units: computing its causes
  for (std::size_t i = c_.size(); i < execution_.events.size() && poll_.spend(kPerEvent); ++i) {
    const EventId e = event_at_end(execution_.events[i]);
    if (options_.cutoffs && is_cutoff(e, i)) {
      cut_[i].push_back(e);
      return false;
    }
    push(e);
  }
  return true;
}

void Explorer::add_extensions() {
  const Stopwatch stopwatch(ticks_.extending);
  extensions_.add(c_, known_,
                  options_.cutoffs ? std::span<const EventId>(cut_[c_.size()]) : std::span<const EventId>());
  constexpr std::size_t kPerCandidate = 16;  // work units
  for (const EventId e : extensions_.found()) {
    if (!poll_.spend(kPerCandidate)) return;
    if (!candidates_.added(e) && !cutoffs_.is_cutoff(e)) add_candidate(e, c_.conflict(e));
  }
  result_.peak_events = std::max<std::uint64_t>(result_.peak_events, events_.size());
}

EventId Explorer::event_at_end(const Event& happened) {
  const EventId previous = c_.last(happened.process);
  // Executions are similar: a process usually continues as it did before.
  if (previous != kNoEvent) {
    const EventId usual = events_.follower(previous);
    if (usual != kNoEvent && events_.label_of(usual) == Label{happened.step(), happened.operation} &&
        c_.can_be_extended_by(usual))
      return usual;
  }
  const LabelId label = events_.labels().intern(happened.step(), happened.operation);
  follow_resources();
  c_.causes_at_end(label, causes_);
  return events_.intern(label, previous, causes_, c_);
}

void Explorer::follow_resources() {
  if (label_version_ == events_.labels().version()) return;
  label_version_ = events_.labels().version();
  events_.reindex();
  std::vector<EventId> sequence;
  for (std::size_t i = 0; i < c_.size(); ++i) sequence.push_back(c_[i]);
  c_.clear();
  for (const EventId e : sequence) c_.push(e);
}

void Explorer::count_silent_ends() {
  ends_.resize(events_.size(), 0);
  for (ProcessIndex process = 0; process < executor_.process_count(); ++process) {
    const EventId last = c_.last(process);
    if (last == kNoEvent || events_.operation(last).kind == OperationKind::ThreadExit || ends_[last] != 0) continue;
    ends_[last] = 1;
    ++result_.silent_ends;
  }
}

void Explorer::push(EventId e) {
  const std::size_t at = c_.size();
  if (sleep_.size() < at + 2) sleep_.resize(at + 2);
  sleep_[at + 1].clear();
  for (const EventId d : sleep_[at]) {
    MZ_INVARIANT(d != e, "C and D are disjoint");
    if (!events_.labels().dependent(events_.label(d), events_.label(e))) sleep_[at + 1].push_back(d);
  }
  if (options_.cutoffs) {
    if (cut_.size() < at + 2) cut_.resize(at + 2);
    cut_[at + 1].clear();
    for (const EventId d : cut_[at])
      if (!events_.labels().dependent(events_.label(d), events_.label(e))) cut_[at + 1].push_back(d);
  }
  add_candidate(e, at);
  c_.push(e);
}

void Explorer::add_candidate(EventId e, std::size_t place) {
  if (candidates_.added(e)) return;
  // It belongs to Q while an event it conflicts with is in C or D, and it is an extension of C while its causes are in
  // C.
  std::size_t until = 0;
  for (const EventId cause : events_.causes(e)) until = std::max<std::size_t>(until, c_.index(cause) + 1);
  until = std::min(until, place);
  for (Done& d : done_) {
    if (d.node >= until) break;
    const bool depends = events_.labels().dependent(events_.label(d.event), events_.label(e));
    if (d.event == e || (depends && !inherits_conflict(e, d))) until = d.node;
  }
  candidates_.add(e, place, until);
}

bool Explorer::inherits_conflict(EventId e, Done& d) {
  // An event of C behind the node of d that depends on d is in conflict with it, since d was possible without it.
  const auto makes_conflict = [&](std::size_t i) {
    const EventId f = c_[i];
    const bool is_cause = events_.seen(e, events_.process(f)) >= events_.position(f) &&
                          (events_.process(f) != events_.process(e) || events_.position(f) < events_.position(e));
    return is_cause && events_.labels().dependent(events_.label(d.event), events_.label(f));
  };
  if (d.rival >= d.node && d.rival < c_.size() && makes_conflict(d.rival)) return true;
  for (std::size_t i = d.node; i < c_.size(); ++i) {
    if (!makes_conflict(i)) continue;
    d.rival = i;
    return true;
  }
  return false;
}

bool Explorer::backtrack() {
  while (c_.size() > 0) {
    const EventId e = c_[c_.size() - 1];
    c_.pop();
    const std::size_t at = c_.size();
    candidates_.taken_back(at, e);
    sleep_[at].push_back(e);
    done_.push_back({e, at});
    known_ = at;
    if (take_alternative()) return true;
    if (poll_.stopped()) return false;
  }
  return false;
}

bool Explorer::take_alternative() {
  const Stopwatch stopwatch(ticks_.alternatives);
  const std::size_t at = c_.size();
  const bool found = alternatives_.find(c_, sleep_[at]);  // line 11
  if (poll_.stopped()) return false;
  if (!found) {
    candidates_.leave(at);  // line 13
    for (; !done_.empty() && done_.back().node == at; done_.pop_back()) candidates_.enabled(done_.back().event);
    return false;
  }
  // Line 12: continue the branch with J.
  way_.clear();
  for (; c_.size() > at; c_.pop()) way_.push_back(c_[c_.size() - 1]);
  for (; !way_.empty(); way_.pop_back()) push(way_.back());
  return true;
}

void Explorer::clean_up() {
  std::vector<char> keep(events_.size(), 0);
  candidates_.mark(keep);
  const std::size_t depth = c_.size();
  for (std::size_t i = 0; i < depth; ++i) keep[c_[i]] = 1;
  for (std::size_t node = 0; node <= depth; ++node) {
    for (const EventId d : sleep_[node]) keep[d] = 1;
    if (options_.cutoffs)
      for (const EventId d : cut_[node]) keep[d] = 1;
  }
  for (const Done& d : done_) keep[d.event] = 1;
  for (EventId e = static_cast<EventId>(events_.size()); e-- > 0;) {
    if (keep[e] == 0) continue;
    for (const EventId cause : events_.causes(e)) keep[cause] = 1;
    for (const Slot& slot : events_.slots(e))
      if (slot.anchor != kNoEvent) keep[slot.anchor] = 1;
  }
  const std::size_t before = events_.size();
  const std::vector<EventId> renumbered = events_.compact(keep);
  c_.renumber(renumbered);
  for (std::size_t node = 0; node <= depth; ++node) {
    for (EventId& d : sleep_[node]) d = renumbered[d];
    if (options_.cutoffs)
      for (EventId& d : cut_[node]) d = renumbered[d];
  }
  for (Done& d : done_) d.event = renumbered[d.event];
  candidates_.renumber(renumbered);
  cutoffs_.renumber(renumbered);
  result_.events_added += before - events_.size();
  ++result_.clean_ups;
  clean_up_at_ = std::max(options_.clean_up_at, 2 * events_.size());
}

}  // namespace mazurka::unfolding
