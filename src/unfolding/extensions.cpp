#include "unfolding/extensions.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka::unfolding {

// A picture of one candidate. p has executed t and is about to execute f; the rivals r1 … r4 belong to other processes,
// depend on f, and are not causes of t:
//
//     p   ──t──────────────f──▶          histories of f:  [t] plus any causally closed subset of the rivals
//     q      ──r1────r2──▶                                {}, {r1}, {r1,r2}, {r3}, …
//     s   ─────────r3──r4──▶             If the rivals are totally ordered, as for a lock, chain() tries each prefix;
//                                        otherwise enumerate() walks over all causally closed subsets.
//
// The history with all rivals gives the event that C has, or one enabled at C; every other one gives an event in
// conflict with C.

constexpr std::size_t kMostAnswers = std::size_t{1} << 16;

void Extensions::remember(const Execution& execution) {
  fatal_ = execution.fatal() ? static_cast<std::uint32_t>(execution.events.size() - 1) : kNoIndex;
  choices_.clear();
  pending_sections_.clear();
  for (std::uint32_t i = 0; i < execution.events.size() && !execution.offers.empty(); ++i) {
    const Event& event = execution.events[i];
    for (const Offer& offer : execution.offers_of(event))
      // The choices of a signal (whom to wake) and of a section are found together with the event itself.
      if (offer.alternative != event.alternative && !state_decides_alternatives(offer.operation.kind) &&
          offer.operation.kind != OperationKind::AtomicSection)
        choices_.push_back({i, events_.labels().intern(offer.step(), offer.operation)});
  }
  for (const Offer& offer : execution.pending)
    if (offer.stopped)
      continue;
    else if (has_unknown_footprint(offer.operation))
      pending_sections_.push_back(offer.step());
    else
      choices_.push_back({kPending, events_.labels().intern(offer.step(), offer.operation)});
}

void Extensions::add(const Configuration& c, std::size_t known, std::span<const EventId> cutoffs) {
  c_ = &c;
  known_ = known;
  found_.clear();
  clock_.resize(events_.width());
  // Events of C at other points. If an event is old, so are all its histories, since they end before it. But another
  // outcome may depend on more events.
  const auto elsewhere = [&](std::uint32_t place, bool another_outcome) {
    if (poll_.stopped()) return;
    if (events_.operation(c[place]).kind == OperationKind::AtomicSection)
      consider_section(events_.label(c[place]), events_.previous(c[place]), {c[place], place});
    else
      consider(events_.label(c[place]), events_.previous(c[place]), {c[place], place}, !another_outcome);
  };
  while (!undecided_.empty() && undecided_.back() >= known) undecided_.pop_back();
  for (const std::uint32_t place : undecided_) elsewhere(place, true);
  for (auto place = static_cast<std::uint32_t>(known); place < c.size(); ++place) {
    const bool another_outcome = outcome_varies(events_.operation(c[place]).kind);
    if (another_outcome) undecided_.push_back(place);
    elsewhere(place, another_outcome);
  }
  // Steps that C did not take.
  for (const Choice& choice : choices_) {
    if (poll_.stopped()) break;
    const ProcessIndex process = events_.labels()[choice.label].step.process;
    if (choice.index == kPending) {
      consider(choice.label, c.last(process), {}, false);
    } else {
      const EventId taken = c[choice.index];
      consider(choice.label, events_.previous(taken), {taken, choice.index}, false);
    }
  }
  for (const Step step : pending_sections_)
    if (!poll_.stopped()) consider_pending_section(step);
  // Of other operations that are cutoffs, the pending offers are among the choices.
  for (const EventId e : cutoffs)
    if (!poll_.stopped() && events_.operation(e).kind == OperationKind::AtomicSection)
      consider_section(events_.label(e), events_.previous(e), {});
  first_ = false;
}

void Extensions::consider_section(LabelId label, EventId previous, Occurrence next) {
  const std::vector<EventId> position(previous == kNoEvent ? 0 : 1, previous);
  section_labels_ = &sections_[events_.name_of(kNoLabel, position)];
  const std::size_t known = section_labels_->size();
  add_section_label(label);
  for (std::size_t i = 0; i < section_labels_->size() && !poll_.stopped(); ++i) {
    const LabelId one = (*section_labels_)[i];
    if (events_.labels()[one].step.process != events_.labels()[label].step.process) continue;
    is_new_label_ = i >= known;
    consider(one, previous, next, false);
  }
  is_new_label_ = false;
  section_labels_ = nullptr;
}

void Extensions::add_section_label(LabelId label) {
  const auto add = [this](LabelId one) {
    std::vector<LabelId>& all = *section_labels_;
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  add(label);
  const Label own = events_.labels()[label];
  if (own.operation.object == kUnknownFootprint) return;
  // Their operations are unknown, but agree with the known ones up to the choice in which the alternatives differ.
  for_each_sibling(own.operation, own.step.alternative, [&](std::uint32_t alternative) {
    add(events_.labels().intern({own.step.process, alternative}, own.operation));
    return false;
  });
  relabelled_();
}

void Extensions::consider_pending_section(Step step) {
  // Only if an event ended the execution could the section have come before it. Otherwise the section is asleep: its
  // event was considered in another configuration, or it is a cutoff.
  if (c_->size() == 0) return;
  const EventId last = (*c_)[c_->size() - 1];
  if (fatal_ == kNoIndex && !interferes_with_everything(events_.operation(last))) return;
  clock_.assign(events_.width(), 0);
  for (std::size_t i = 0; i + 1 < c_->size(); ++i) clock_[events_.process((*c_)[i])] = events_.position((*c_)[i]);
  const LabelId label = run_section(step);
  if (label == kNoLabel) return;
  relabelled_();
  consider_section(label, c_->last(step.process), {});
}

/// Whether extensions of the process after `previous` have been computed already, for the histories without a new
/// event.
bool Extensions::is_old(EventId previous) const {
  return !first_ && !is_new_label_ && (previous == kNoEvent || c_->index(previous) < known_);
}

void Extensions::consider(LabelId label, EventId previous, Occurrence next, bool taken) {
  collect_rivals(label, previous, next, taken);
  // The full history gives the event that C has, or one enabled at C; only another alternative can be in conflict
  // there. If all rivals precede the event of C, its outcome is known, unless the state decides which alternatives
  // there are.
  const bool is_shown = next.event != kNoEvent && label == events_.label(next.event) &&
                        (rivals_.empty() || rivals_.back().index < next.index) &&
                        !state_decides_alternatives(events_.labels()[label].operation.kind);
  const bool full_allowed = !taken && next.event != kNoEvent && !is_shown;
  if (rivals_.empty() && !full_allowed) return;
  const bool old = is_old(previous);
  if (old && (rivals_.empty() || rivals_.back().index < known_)) return;
  if (rivals_form_chain_) {
    chain(label, previous, full_allowed);
  } else {
    enumerate(label, previous, full_allowed);
  }
}

void Extensions::collect_rivals(LabelId label, EventId previous, Occurrence next, bool taken) {
  const ProcessIndex process = events_.labels()[label].step.process;
  rivals_.clear();
  rivals_form_chain_ = true;
  const auto uses = events_.labels().uses(label);
  for (const Use& use : uses) {
    std::size_t looked = 1;
    c_->backwards(
        use, label, Configuration::Depends::Undecided,
        [&](const Configuration::Entry& entry, std::uint32_t) __attribute__((always_inline)) {
          ++looked;
          const EventId a = entry.event;
          if (previous != kNoEvent && events_.seen(previous, entry.process) >= entry.position) {  // a cause
            count(distances_, events_.seen(previous, entry.process) - entry.position);
            return entry.total != 0;
          }
          if (entry.process == process) return false;  // what the process did next
          if (!taken && next.event != kNoEvent && events_.seen(a, process) >= events_.position(next.event))
            return false;
          if (!events_.labels().may_depend(label, entry.label)) return false;
          rivals_.push_back(entry);
          rivals_form_chain_ &= entry.total != 0;
          return false;
        },
        taken ? next.index : Configuration::kNotHere);
    poll_.spend(looked);
  }
  if (uses.size() > 1) {
    rivals_form_chain_ = rivals_form_chain_ && rivals_.size() < 2;
    std::sort(rivals_.begin(), rivals_.end(), [](const auto& a, const auto& b) { return a.index > b.index; });
    rivals_.erase(
        std::unique(rivals_.begin(), rivals_.end(), [](const auto& a, const auto& b) { return a.index == b.index; }),
        rivals_.end());
  }
  std::reverse(rivals_.begin(), rivals_.end());
}

/// The rivals form a chain: histories that end with one of them, or before all of them.
void Extensions::chain(LabelId label, EventId previous, bool full_allowed) {
  const Operation operation = events_.labels()[label].operation;
  const bool old = is_old(previous);
  const std::size_t n = rivals_.size();
  for (std::size_t m = 0; m < n + (full_allowed ? 1 : 0); ++m) {
    if (old && (m == 0 || rivals_[m - 1].index < known_)) continue;
    if (m > 0 && rivals_[m - 1].index == fatal_) continue;
    bool certain = always_possible(operation);
    if (m < n) {
      const Operation& first_after = events_.operation(rivals_[m].event);
      if (!outcome_varies(operation.kind) && relation(first_after, operation) == Relation::Ordered) continue;
      certain |= possible_in_place_of(first_after, operation);
    }
    causes_.clear();
    if (previous != kNoEvent) causes_.push_back(previous);
    if (m > 0) causes_.push_back(rivals_[m - 1].event);
    keep_maximal(events_, causes_);
    candidate(label, previous, !certain);
    if (poll_.stopped()) return;
  }
}

/// The general case: all causally closed subsets of the rivals.
void Extensions::enumerate(LabelId label, EventId previous, bool full_allowed) {
  const Operation operation = events_.labels()[label].operation;
  const bool old = is_old(previous);
  const std::size_t n = rivals_.size();
  included_.assign(n, 0);
  count_needed();
  // The rivals of one process are totally ordered, so a subset contains a prefix of them for each process, given by its
  // length.
  const std::size_t width = last_included_.size();
  const auto may_include = [&](std::size_t i) {
    if (rivals_[i].index == fatal_) return false;
    const std::uint32_t* const needed = needed_.data() + i * width;
    for (std::size_t p = 0; p < width; ++p)
      if (last_included_[p].size() < needed[p]) return false;
    return true;
  };
  std::size_t i = 0;  // rivals below i are decided
  while (poll_.spend(1 + n * width)) {
    for (; i < n; ++i)
      if (may_include(i)) {
        included_[i] = 1;
        last_included_[rival_process_[i]].push_back(rivals_[i].event);
      }
    bool fresh = !old;
    bool full = true;
    bool possible = true;
    bool certain = always_possible(operation);
    for (std::size_t j = 0; j < n; ++j) {
      if (included_[j] != 0) {
        fresh |= rivals_[j].index >= known_;
        continue;
      }
      full = false;
      if (!may_include(j)) continue;  // it comes after an excluded rival
      const Operation& first_after = events_.operation(rivals_[j].event);
      possible &= outcome_varies(operation.kind) || relation(first_after, operation) != Relation::Ordered;
      certain |= possible_in_place_of(first_after, operation);
    }
    if (fresh && possible && (!full || full_allowed)) {
      causes_.clear();
      if (previous != kNoEvent) causes_.push_back(previous);
      for (const std::vector<EventId>& of_process : last_included_)
        if (!of_process.empty()) causes_.push_back(of_process.back());
      keep_maximal(events_, causes_);
      candidate(label, previous, !certain);
      if (poll_.stopped()) return;
    }
    // The next subset: exclude the last included rival.
    while (i > 0 && included_[i - 1] == 0) --i;
    if (i == 0) return;
    included_[i - 1] = 0;
    last_included_[rival_process_[i - 1]].pop_back();
  }
}

/// For each rival, how many rivals of each process happen before it.
void Extensions::count_needed() {
  const std::size_t n = rivals_.size();
  rival_processes_.clear();
  rival_process_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    auto place = std::find(rival_processes_.begin(), rival_processes_.end(), rivals_[i].process);
    rival_process_[i] = static_cast<std::uint32_t>(place - rival_processes_.begin());
    if (place == rival_processes_.end()) rival_processes_.push_back(rivals_[i].process);
  }
  const std::size_t width = rival_processes_.size();
  last_included_.resize(width);
  for (auto& of_process : last_included_) of_process.clear();
  needed_.assign(n * width, 0);
  // Clocks grow along each process, but not along the sequence, so each process is searched from its own last rival.
  positions_.resize(width);
  for (auto& of_process : positions_) of_process.clear();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t p = 0; p < width; ++p) {
      const std::uint32_t seen = events_.seen(rivals_[i].event, rival_processes_[p]);
      const auto& known = positions_[p];
      needed_[i * width + p] =
          static_cast<std::uint32_t>(std::upper_bound(known.begin(), known.end(), seen) - known.begin());
    }
    positions_[rival_process_[i]].push_back(rivals_[i].position);
  }
}

/// Adds the step with the history whose maximal events are `causes_`, if it is enabled there.
void Extensions::candidate(LabelId label, EventId previous, bool needs_probe) {
  if (!needs_probe) {
    found_.push_back(events_.intern(label, previous, causes_, *c_));
    return;
  }
  clock_.assign(events_.width(), 0);
  for (const EventId cause : causes_)
    for (std::size_t p = 0; p < clock_.size(); ++p) clock_[p] = std::max(clock_[p], events_.clock(cause)[p]);
  if (answers_.size() >= kMostAnswers) answers_.clear();  // they are asked for again
  const auto [place, is_new] = answers_.try_emplace(events_.name_of(label, causes_));
  if (is_new) {
    probe(label, place->second);
    relabelled_();
  }
  for (const LabelId possible : place->second) {
    // With its actual outcome, the step may depend on fewer events.
    if (section_labels_ != nullptr) add_section_label(possible);
    const Label own = events_.labels()[possible];
    causes_.clear();
    if (previous != kNoEvent) causes_.push_back(previous);
    for (const Use& use : events_.labels().uses(possible))
      for (const Configuration::Entry& entry : c_->on(use.resource)) {
        if (clock_[entry.process] >= entry.position && entry.process != own.step.process &&
            events_.labels().dependent(entry.label, possible))
          causes_.push_back(entry.event);
      }
    keep_maximal(events_, causes_);
    found_.push_back(events_.intern(possible, previous, causes_, *c_));
  }
}

/// Hands the history with clock `clock_` to the prober.
void Extensions::put_to_prober() {
  std::vector<Step>& history = prober_.new_history();
  for (std::size_t i = 0; i < c_->size(); ++i) {
    const EventId e = (*c_)[i];
    if (clock_[events_.process(e)] >= events_.position(e)) history.push_back(events_.label_of(e).step);
  }
}

/// Executes a section after the history with clock `clock_`.
LabelId Extensions::run_section(Step step) {
  put_to_prober();
  Sleeper label;
  return prober_.run_section(step, label) ? events_.labels().intern(label.step, label.operation) : kNoLabel;
}

void Extensions::probe(LabelId label, std::vector<LabelId>& possible) {
  const Step step = events_.labels()[label].step;
  if (events_.labels()[label].operation.kind == OperationKind::AtomicSection) {
    if (const LabelId found = run_section(step); found != kNoLabel) possible.push_back(found);
    return;
  }
  put_to_prober();
  prober_.ask_for(step, offered_);
  for (const Offer& offer : offered_) possible.push_back(events_.labels().intern(offer.step(), offer.operation));
}

}  // namespace mazurka::unfolding
