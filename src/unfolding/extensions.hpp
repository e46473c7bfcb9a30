// The conflicting extensions cex(C) of a configuration: every event ⟨f, H⟩ with H inside C that is in conflict with C.
//
// *Quasi-Optimal POR* computes them for locks (cexp in Alg. 1): a lock that C acquires somewhere could have been
// acquired earlier, before each acquisition that is not among its causes. Here the same is done for every kind of
// operation. A process p of C stands, after its event t, before an operation f. The events of C that f may depend on,
// that are not causes of t and do not follow from what p did next in C, are the events that f can come before or after:
// the histories of f are [t] and the closures of subsets of them. For a lock they form a chain, and each release in it
// ends a history; for a write the reads among them are free.
//
// Not every such history makes f possible. An event that f comes before, with nothing dependent between, can happen
// where f happens: so f is not possible if dependence.hpp says that the two are ordered. A lock that comes before
// another acquisition is possible, as is what never blocks. In the other cases (semaphores, conditions, servers, tries,
// whose outcome is part of the label) the executor is asked; answers are kept by the canonical name of the history.
//
// What an atomic section does, its label, is known once it was run after a history, and another history may make it
// touch other things, which it then depends on as well. So every label that a section turns out to have is looked at
// with all its histories in turn, together with its other alternatives, until nothing new comes up (docs/dpor.md).
//
// A history that was inside C when an earlier configuration shared a part with C was found then: only histories with a
// new event are looked at.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/executor.hpp"
#include "core/poll.hpp"
#include "core/prober.hpp"
#include "unfolding/configuration.hpp"

namespace mazurka::unfolding {

class Extensions {
 public:
  /// `relabelled` is called where the labels have changed in a way that the explorer must follow.
  Extensions(
      Executor& executor, EventStructure& events, Poll& poll, std::function<void()> relabelled = [] {})
      : events_(events), poll_(poll), prober_(executor, poll), relabelled_(std::move(relabelled)) {}

  /// Takes note of what the events of an execution do not say: every choice at an event, and what the processes would
  /// do next.
  void remember(const Execution& execution);
  /// Adds cex(C) to the structure, C being what was remembered; its first `known` events are old. Not all of it where
  /// the poll says to stop.
  void add(const Configuration& c, std::size_t known);

  /// What the last call found, known or not.
  const std::vector<EventId>& found() const { return found_; }

  /// An execution that could not be repeated in part: the system is nondeterministic.
  const std::optional<Execution>& diverged() const { return prober_.diverged(); }
  std::uint64_t probes() const { return prober_.count(); }
  /// Of causality queries.
  const Distances& distances() const { return distances_; }

 private:
  struct Choice {
    std::uint32_t index;  ///< of the event in the execution, or kPending
    LabelId label;
  };
  /// An event of C.
  struct Place {
    EventId event = kNoEvent;
    std::uint32_t index = 0;
  };
  static constexpr std::uint32_t kPending = UINT32_MAX;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  bool is_old(EventId previous) const;
  void consider(LabelId label, EventId previous, Place next, bool taken);
  /// Collects the events that the operation can come before or after, as they are in C.
  void collect_rivals(LabelId label, EventId previous, Place next, bool taken);
  void enumerate(LabelId label, EventId previous, bool full_allowed);
  void count_needed();
  void chain(LabelId label, EventId previous, bool full_allowed);
  void candidate(LabelId label, EventId previous, bool needs_probe);
  void probe(LabelId label, std::vector<LabelId>& possible);
  /// All labels that a section may have in C, of which one is known.
  void consider_section(LabelId label, EventId previous, Place next);
  /// A section that C stopped before: no label is known.
  void consider_pending_section(Step step);
  void add_section_label(LabelId label);
  LabelId run_section(Step step);
  void put_to_prober();

  struct NameHash {
    std::size_t operator()(const EventStructure::Name& name) const noexcept { return name[0]; }
  };

  EventStructure& events_;
  Poll& poll_;
  Prober prober_;
  const Configuration* c_ = nullptr;
  std::size_t known_ = 0;
  bool first_ = true;
  std::uint32_t fatal_ = kNone;               // of C, made the execution fail: nothing can come after it
  std::vector<Step> pending_sections_;        // that were not run
  std::vector<Choice> choices_;               // at events with more than one alternative, and of pending processes
  std::vector<std::uint32_t> undecided_;      // the places of C whose events might have had another outcome
  std::vector<Configuration::Entry> rivals_;  // in the order of C
  bool rivals_form_chain_ = false;
  std::vector<char> included_;                 // per rival
  std::vector<ProcessIndex> rival_processes_;  // that have rivals
  std::vector<std::uint32_t> rival_process_;   // per rival: which of these
  std::vector<std::uint32_t> needed_;          // per rival and process: how many rivals of the process come before it
  std::vector<std::vector<std::uint32_t>> positions_;  // of rivals, per process
  std::vector<std::vector<EventId>> last_included_;    // per process, as they came
  std::vector<EventId> causes_;
  std::vector<EventId> found_;
  std::vector<std::uint32_t> clock_;  // of the history looked at
  std::vector<Offer> offered_;
  std::unordered_map<EventStructure::Name, std::vector<LabelId>, NameHash> answers_;
  /// Labels that sections have had, or that stand for alternatives of theirs, by what the process did before.
  std::unordered_map<EventStructure::Name, std::vector<LabelId>, NameHash> sections_;
  std::vector<LabelId>* section_labels_ = nullptr;  // of the section that is looked at
  bool is_new_label_ = false;                       // no history of it was looked at before
  std::function<void()> relabelled_;
  Distances distances_{};
};

}  // namespace mazurka::unfolding
