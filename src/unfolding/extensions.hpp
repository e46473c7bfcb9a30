// The conflicting extensions cex(C) of a configuration: every event ⟨f, H⟩ with H ⊆ C that is in conflict with an event
// of C.
//
// *Quasi-Optimal POR* computes them for locks (cexp in Alg. 1): a lock acquired in C could have been acquired earlier,
// before each acquisition that is not among its causes. We do the same for every kind of operation. Let f be the next
// operation of process p after its event t. The *rivals* of f are the events of C that f may depend on, that are not
// causes of t, and that do not follow from what p did next in C. f can come before or after each rival: its histories
// are the closures of [t] and a subset of the rivals. For a lock the rivals form a chain, and each release in it ends a
// history. For a write, any subset of the reads among the rivals may come first.
//
// f is not enabled after every such history. A rival that f precedes, with nothing dependent in between, is itself
// enabled where f is; so f is not enabled if dependence.hpp says that the two are ordered. A lock in front of another
// acquisition is enabled, as is whatever never blocks. In the other cases (semaphores, conditions, servers, and tries,
// whose outcome is part of the label) we probe; answers are stored under the canonical name of the history.
//
// The operations of an atomic section, its label, are known only after it was executed. Another history may change what
// it accesses, and so its dependences. Therefore every label that a section turns out to have is considered with all
// its histories, together with its other alternatives, until nothing new is found (docs/dpor.md).
//
// A history inside the part that C shares with an earlier configuration was found then: only histories with a new event
// are considered.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/executor.hpp"
#include "core/poll.hpp"
#include "core/prober.hpp"
#include "unfolding/configuration.hpp"

namespace mazurka::unfolding {

class Extensions {
 public:
  /// `relabelled` is called after labels have changed in a way that the explorer must follow.
  Extensions(
      Executor& executor, EventStructure& events, Poll& poll, std::function<void()> relabelled = [] {})
      : events_(events), poll_(poll), prober_(executor, poll), relabelled_(std::move(relabelled)) {}

  /// Records what the events of C do not say: the alternatives at each event, and the pending operations.
  void remember(const Execution& execution);
  /// Adds cex(C) to the structure. Incomplete if the poll was stopped. \pre C is the configuration of the last
  /// execution remembered; the extensions of its first `known` events are in the structure; `cutoffs` are the cutoffs
  /// enabled at C, which no execution contains.
  void add(const Configuration& c, std::size_t known, std::span<const EventId> cutoffs = {});

  /// The extensions that the last call found, new or not.
  const std::vector<EventId>& found() const { return found_; }

  /// An execution that could not be replayed: the system is nondeterministic.
  const std::optional<Execution>& diverged() const { return prober_.diverged(); }
  std::uint64_t probes() const { return prober_.count(); }
  /// Statistics of causality queries.
  const Distances& distances() const { return distances_; }

 private:
  struct Choice {
    std::uint32_t index;  ///< of the event in the execution, or kPending
    LabelId label;
  };
  /// An event of C.
  struct Occurrence {
    EventId event = kNoEvent;
    std::uint32_t index = 0;
  };
  static constexpr std::uint32_t kPending = UINT32_MAX;
  static constexpr std::uint32_t kNoIndex = UINT32_MAX;

  bool is_old(EventId previous) const;
  void consider(LabelId label, EventId previous, Occurrence next, bool taken);
  /// Collects the rivals of a label, in the order of C.
  void collect_rivals(LabelId label, EventId previous, Occurrence next, bool taken);
  void enumerate(LabelId label, EventId previous, bool full_allowed);
  void count_needed();
  void chain(LabelId label, EventId previous, bool full_allowed);
  void candidate(LabelId label, EventId previous, bool needs_probe);
  void probe(LabelId label, std::vector<LabelId>& possible);
  /// Considers all labels that a section may have in C, given one of them.
  void consider_section(LabelId label, EventId previous, Occurrence next);
  /// Considers a section that is still pending after C: no label is known.
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
  std::uint32_t fatal_ =
      kNoIndex;  // the index of the event of C that made the execution fail; nothing can come after it
  std::vector<Step> pending_sections_;        // sections not executed yet
  std::vector<Choice> choices_;               // alternatives not taken, at events and of pending processes
  std::vector<std::uint32_t> undecided_;      // indices of the events of C whose outcome varies
  std::vector<Configuration::Entry> rivals_;  // in the order of C
  bool rivals_form_chain_ = false;
  std::vector<char> included_;                 // per rival
  std::vector<ProcessIndex> rival_processes_;  // the processes that have rivals
  std::vector<std::uint32_t> rival_process_;   // per rival: index of its process among these
  std::vector<std::uint32_t> needed_;          // per rival and process: how many rivals of the process happen before it
  std::vector<std::vector<std::uint32_t>> positions_;  // of rivals, per process
  std::vector<std::vector<EventId>> last_included_;    // per process, in order
  std::vector<EventId> causes_;
  std::vector<EventId> found_;
  std::vector<std::uint32_t> clock_;  // of the current history
  std::vector<Offer> offered_;
  std::unordered_map<EventStructure::Name, std::vector<LabelId>, NameHash> answers_;
  /// Known labels of sections, or stand-ins for their alternatives, by the name of the preceding event.
  std::unordered_map<EventStructure::Name, std::vector<LabelId>, NameHash> sections_;
  std::vector<LabelId>* section_labels_ = nullptr;  // of the current section
  bool is_new_label_ = false;                       // no history with this label was considered before
  std::function<void()> relabelled_;
  Distances distances_{};
};

}  // namespace mazurka::unfolding
