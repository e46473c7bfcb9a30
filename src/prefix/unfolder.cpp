#include "prefix/unfolder.hpp"

#include <algorithm>

#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "prefix/concurrency.hpp"
#include "prefix/cutoffs.hpp"
#include "prefix/effects.hpp"
#include "prefix/event_index.hpp"
#include "prefix/extension_search.hpp"

namespace mazurka::prefix {
namespace {

// Algorithm 1 with the data structures of §3. A history ⟨e, H⟩ passes through these stages:
//
//   extend()      found as a possible extension; its marking is computed and Cutoffs judges it
//      │ cutoff: recorded in the prefix, never continued
//      ▼
//   waiting_      queued by |H|
//      │ beaten by a smaller history in the meantime: a cutoff after all
//      ▼
//   integrate()   its enriched conditions are added (Concurrency::add), and the extensions that they
//                 induce are searched for (ExtensionSearch::run), each of which goes to extend()

class Unfolder {
 public:
  Unfolder(const net::Net& net, Order order)
      : net_(net),
        unfolding_{Prefix(net), false, std::nullopt},
        prefix_(unfolding_.prefix),
        concurrency_(prefix_),
        search_(prefix_, concurrency_, [this](TransitionId t, std::span<const EnrichedId> links) { extend(t, links); }),
        graph_(prefix_),
        cutoffs_(prefix_, graph_, order),
        index_(prefix_),
        effects_(net),
        initial_(net::Simulator(net).initial()) {}

  /// The main loop of Algorithm 1. Every extension of a history is larger than it, so the queue is one list per size.
  Unfolding run(const Watch& watch) {
    spontaneous();
    integrate(0);
    for (std::size_t size = 1; size < waiting_.size() && !unfolding_.unsafe; ++size) {
      for (std::size_t i = 0; i < waiting_[size].size() && !unfolding_.unsafe; ++i) {
        if (interrupted()) return std::move(unfolding_);
        const Waiting next = waiting_[size][i];
        if (cutoffs_.beaten(next.history, next.marking))
          prefix_.set_cutoff(next.history);
        else
          integrate(next.history);
        if (watch && !watch(prefix_)) return std::move(unfolding_);
      }
      std::vector<Waiting>().swap(waiting_[size]);
    }
    unfolding_.complete = !unfolding_.unsafe;
    return std::move(unfolding_);
  }

 private:
  struct Waiting {
    HistoryId history;
    std::uint32_t marking;
  };

  /// Transitions with empty preset and context are extensions of no particular history.
  void spontaneous() {
    for (TransitionId t = 0; t < net_.transitions().size(); ++t)
      if (net_.transition(t).pre.empty() && net_.transition(t).context.empty()) extend(t, {});
  }

  /// Adds a history that is not a cutoff to the prefix, and searches for the extensions it induces.
  void integrate(HistoryId history) {
    if (unfolding_.unsafe) return;
    const Frontier& frontier = concurrency_.add(history);
    const auto clash = search_.run(history, frontier);
    if (clash) report_clash(*clash);
  }

  /// A possible extension ⟨e, H⟩: H is new; e may exist already.
  void extend(TransitionId label, std::span<const EnrichedId> links) {
    if (unfolding_.unsafe) return;
    const net::Transition& transition = net_.transition(label);
    const std::vector<HistoryId>& below = graph_.below(links);
    marking_ = initial_;
    std::uint32_t level = 0;
    effects_.apply(graph_, below, marking_);
    for (EnrichedId link : links)
      prefix_.for_each_source(
          link, [&](HistoryId h) { level = std::max<std::uint32_t>(level, prefix_.histories()[h].level); });
    if (const auto place = second_token(transition)) return report_unsafe(*place, label, below);
    effects_.apply(label, marking_);
    const auto size = static_cast<std::uint32_t>(below.size() + 1);

    EventId event = index_.find(label, links);
    const bool known = event != kNoId;
    if (!known) event = prefix_.add_event(label);
    const HistoryId history = prefix_.add_history(event, links, size, level + 1);
    graph_.add(label);
    if (!known) index_.insert(event);

    const Cutoffs::Decision decision = cutoffs_.judge(history, marking_);
    if (decision.cutoff) {
      prefix_.set_cutoff(history);
      return;
    }
    if (waiting_.size() <= size) waiting_.resize(size + 1);
    waiting_[size].push_back({history, decision.marking});
  }

  /// A place that would get a second token if the transition, enabled in the current marking, fires. (A transition that
  /// consumes nothing can fire twice.)
  std::optional<PlaceId> second_token(const net::Transition& transition) const {
    for (PlaceId p : transition.post)
      if (net::holds(marking_, p) && !std::binary_search(transition.pre.begin(), transition.pre.end(), p)) return p;
    if (transition.pre.empty() && !transition.post.empty()) return transition.post.front();
    return std::nullopt;
  }

  void report_unsafe(PlaceId place, TransitionId label, const std::vector<HistoryId>& below) {
    net::Unsafe unsafe{place, firing_sequence(prefix_, below)};
    unsafe.sequence.push_back(label);
    if (net_.transition(label).pre.empty() && !net::holds(marking_, place)) unsafe.sequence.push_back(label);
    report(std::move(unsafe));
  }

  /// Two concurrent conditions of one place: the union of their histories is a run that puts two tokens there.
  void report_clash(const Clash& clash) {
    const PlaceId place = prefix_.enriched()[clash.older].place;
    const auto links = prefix_.links(clash.history);
    std::vector<EnrichedId> both(links.begin(), links.end());
    both.push_back(clash.older);
    net::Unsafe unsafe{place, firing_sequence(prefix_, graph_.below(both))};
    unsafe.sequence.push_back(prefix_.events()[prefix_.histories()[clash.history].event].label);
    report(std::move(unsafe));
  }

  /// Replays the run before it is reported.
  void report(net::Unsafe unsafe) {
    const net::Simulator simulator(net_);
    std::vector<net::Word> marking = simulator.initial();
    bool overflow = false;
    for (TransitionId t : unsafe.sequence) {
      MZ_INVARIANT(!overflow && simulator.enabled(marking, t), "a configuration of the prefix is a run of the net");
      overflow = simulator.fire(marking, t).has_value();
    }
    MZ_INVARIANT(overflow, "two concurrent conditions of one place are two tokens on it");
    unfolding_.unsafe = std::move(unsafe);
  }

  const net::Net& net_;
  Unfolding unfolding_;
  Prefix& prefix_;
  Concurrency concurrency_;
  ExtensionSearch search_;
  HistoryGraph graph_;
  Cutoffs cutoffs_;
  EventIndex index_;
  Effects effects_;
  std::vector<net::Word> initial_;
  std::vector<net::Word> marking_;
  std::vector<std::vector<Waiting>> waiting_;
};

}  // namespace

Unfolding unfold(const net::Net& net, Order order, const Watch& watch) { return Unfolder(net, order).run(watch); }

}  // namespace mazurka::prefix
