// The relations of event structures and the extensions of configurations, against their definitions, on the whole
// unfoldings of small random networks. The reference is built from all interleavings and knows no index, no clock and
// no incremental step: an event is a label and the set of events that happen before it.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "network/executor.hpp"
#include "support/property.hpp"
#include "support/random_network.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"
#include "walk/naive.hpp"

namespace mazurka::unfolding {
namespace {

using network::Network;
using network::NetworkExecutor;
using testing::Silent;
using Set = std::set<std::size_t>;

struct ReferenceEvent {
  Step step;
  Operation operation;
  Set history;
};

bool depend(const ReferenceEvent& a, const ReferenceEvent& b) {
  return a.step.process == b.step.process || dependent(a.operation, b.operation);
}

class Reference {
 public:
  /// False where there are too many interleavings.
  bool build(Executor& executor) {
    configurations.insert(Set{});
    std::size_t interleavings = 0;
    walk::NaiveSearch search(executor, {});
    return search.run([&](const Execution& execution) {
      std::vector<std::size_t> run;
      for (const Event& event : execution.events) {
        ReferenceEvent e{event.step(), event.operation, {}};
        for (const std::size_t before : run) {
          if (!depend(events[before], e)) continue;
          e.history.insert(before);
          e.history.insert(events[before].history.begin(), events[before].history.end());
        }
        run.push_back(number(e));
        configurations.insert(Set(run.begin(), run.end()));
      }
      return ++interleavings < 300;
    });
  }

  std::size_t number(const ReferenceEvent& e) {
    const auto [place, is_new] = numbers_.try_emplace({e.step, e.operation.detail, e.history}, events.size());
    if (is_new) events.push_back(e);
    return place->second;
  }

  bool before(std::size_t a, std::size_t b) const { return events[b].history.contains(a); }
  bool direct_conflict(std::size_t a, std::size_t b) const {
    return a != b && !before(a, b) && !before(b, a) && depend(events[a], events[b]);
  }
  Set closure(std::size_t e) const {
    Set result = events[e].history;
    result.insert(e);
    return result;
  }
  bool conflict_free(const Set& set) const {
    for (const std::size_t a : set)
      for (const std::size_t b : set)
        if (direct_conflict(a, b)) return false;
    return true;
  }
  bool conflict(std::size_t a, std::size_t b) const {
    Set both = closure(a);
    both.merge(closure(b));
    return !conflict_free(both);
  }
  /// "both [e] ∪ [e') and [e) ∪ [e'] are free of conflict" (App. A).
  bool immediate_conflict(std::size_t a, std::size_t b) const {
    Set without_b = closure(a);
    without_b.insert(events[b].history.begin(), events[b].history.end());
    Set without_a = closure(b);
    without_a.insert(events[a].history.begin(), events[a].history.end());
    return conflict(a, b) && conflict_free(without_a) && conflict_free(without_b);
  }
  Set extensions(const Set& c, bool enabled) const {
    Set result;
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (c.contains(e) || !std::includes(c.begin(), c.end(), events[e].history.begin(), events[e].history.end()))
        continue;
      Set with = c;
      with.insert(e);
      if (conflict_free(with) == enabled) result.insert(e);
    }
    return result;
  }

  std::vector<ReferenceEvent> events;
  std::set<Set> configurations;

 private:
  std::map<std::tuple<Step, std::uint32_t, Set>, std::size_t> numbers_;
};

/// The number that an event of ours has in the reference.
std::size_t number_of(Reference& reference, const EventStructure& events, EventId e) {
  ReferenceEvent event{events.label_of(e).step, events.operation(e), {}};
  for (const EventId member : events.local_configuration(e))
    if (member != e) event.history.insert(number_of(reference, events, member));
  return reference.number(event);
}

/// What ex(C) is by our means, in numbers of the reference.
void compare_extensions(Reference& reference, Executor& executor, const Set& configuration) {
  EventStructure events;
  Configuration c(events);
  Poll poll;
  Extensions extensions(executor, events, poll);
  // Numbers of the reference grow along an interleaving but not along every other one: sort by the size of histories.
  std::vector<std::size_t> order(configuration.begin(), configuration.end());
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return reference.events[a].history.size() < reference.events[b].history.size();
  });
  std::vector<Step> prefix;
  for (const std::size_t e : order) prefix.push_back(reference.events[e].step);
  Job job;
  job.prefix = prefix;
  job.continuation = Continuation::Stop;
  const Execution execution = executor.run(job);
  RC_ASSERT(execution.outcome != Outcome::Diverged);
  extensions.remember(execution);
  std::vector<EventId> causes;
  for (const Event& event : execution.events) {
    const LabelId label = events.labels().intern(event.step(), event.operation);
    c.causes_at_end(label, causes);
    c.push(events.intern(label, c.last(event.process), causes, c));
  }
  extensions.add(c, 0);
  Set found;
  for (const EventId e : extensions.found()) {
    found.insert(number_of(reference, events, e));
    RC_ASSERT(!c.enables(e));
    RC_ASSERT(c.conflict(e) < c.size());
  }
  RC_ASSERT(found == reference.extensions(configuration, false));
  Set enabled;
  for (const Offer& offer : execution.pending) {
    if (!offer.enabled) continue;
    const LabelId label = events.labels().intern(offer.step(), offer.operation);
    c.causes_at_end(label, causes);
    const EventId e = events.intern(label, c.last(offer.process), causes, c);
    RC_ASSERT(c.enables(e));
    enabled.insert(number_of(reference, events, e));
  }
  RC_ASSERT(enabled == reference.extensions(configuration, true));
}

TEST(Relations, EqualTheirDefinitions) {
  constexpr int kCases = 4'500;
  int compared = 0;
  EXPECT_TRUE(testing::property("relations = definitions", kCases, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    NetworkExecutor executor(network);
    Reference reference;
    if (!reference.build(executor) || reference.events.size() > 60) return;
    ++compared;
    const std::size_t size = reference.events.size();
    Options options;
    options.keep_events = true;
    Explorer explorer(executor, options);
    Silent listener;
    explorer.run(listener);
    const EventStructure& events = explorer.events();
    RC_ASSERT(events.size() == size);
    std::vector<std::size_t> to(events.size());
    for (EventId e = 0; e < events.size(); ++e) to[e] = number_of(reference, events, e);
    RC_ASSERT(reference.events.size() == size);
    for (EventId a = 0; a < events.size(); ++a)
      for (EventId b = 0; b < events.size(); ++b) {
        if (a == b) continue;
        RC_ASSERT(events.before(a, b) == reference.before(to[a], to[b]));
        RC_ASSERT(events.conflict(a, b) == reference.conflict(to[a], to[b]));
        RC_ASSERT(events.immediate_conflict(a, b) == reference.immediate_conflict(to[a], to[b]));
      }
    Configuration c(events);
    for (const Set& configuration : reference.configurations) {
      RC_ASSERT(reference.conflict_free(configuration));
      compare_extensions(reference, executor, configuration);
      // From the last configuration to this one, by way of what they share.
      std::vector<EventId> sequence;
      for (EventId e = 0; e < events.size(); ++e)
        if (configuration.contains(to[e])) sequence.push_back(e);
      std::size_t shared = 0;
      while (shared < std::min(sequence.size(), c.size()) && sequence[shared] == c[shared]) ++shared;
      while (c.size() > shared) c.pop();
      while (c.size() < sequence.size()) c.push(sequence[c.size()]);
      // An event goes with it iff nothing in it is in conflict with the event.
      for (EventId e = 0; e < events.size(); ++e) {
        if (c.contains(e)) continue;
        std::size_t first = 0;
        while (first < c.size() && !reference.conflict(to[e], to[c[first]])) ++first;
        const std::size_t found = c.conflict(e);
        RC_ASSERT((found == c.size()) == (first == c.size()));
        if (found < c.size()) RC_ASSERT(reference.conflict(to[e], to[c[found]]));
        const auto causes = events.causes(e);
        if (std::all_of(causes.begin(), causes.end(), [&](EventId cause) { return c.contains(cause); }))
          RC_ASSERT(found == first);
      }
    }
    RC_ASSERT(reference.events.size() == size);
  }));
  EXPECT_GE(compared, testing::property_cases(kCases) * 4 / 9);
}

}  // namespace
}  // namespace mazurka::unfolding
