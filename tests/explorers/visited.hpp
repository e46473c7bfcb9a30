// What an exploration of a system has visited, in terms that every explorer must agree on.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/dependence.hpp"
#include "core/foata.hpp"
#include "support/failure_key.hpp"
#include "support/forwarding.hpp"

namespace mazurka::testing {

/// An execution up to observer equivalence (*Optimal DPOR with Observers*, §6), by definition and without haste: two
/// stores to the same bytes are ordered only if the later one is read.
inline std::vector<std::uint32_t> observer_class(const std::vector<Event>& events) {
  const auto is_store = [&](std::size_t i) { return events[i].operation.kind == OperationKind::Store; };
  const auto same_bytes = [&](std::size_t i, std::size_t j) {
    return events[i].operation.object == events[j].operation.object &&
           events[i].operation.size == events[j].operation.size;
  };
  const auto is_read = [&](std::size_t i) {
    using enum OperationKind;
    const OperationKind kind = events[i].operation.kind;
    return kind == Load || kind == ReadModifyWrite || kind == CompareExchange || kind == FutexWait;
  };
  const std::size_t n = events.size();
  std::vector<bool> observed(n, false);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; is_store(i) && j < n && !(is_store(j) && same_bytes(i, j)); ++j)
      if (interferes_with_everything(events[j].operation) ||
          (events[j].operation.kind == OperationKind::AtomicSection &&
           dependent(events[i].operation, events[j].operation)) ||
          detail::overwrites(events[i].operation, events[j].operation) ||  // what is used then is what was stored
          (is_read(j) && detail::overlap(events[i].operation, events[j].operation)))
        observed[i] = true;
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i-- > 0;) {
      const bool unseen = is_store(i) && is_store(j) && same_bytes(i, j) && !observed[j];
      const bool direct =
          events[i].process == events[j].process || (!unseen && dependent(events[i].operation, events[j].operation));
      if (!direct && !before[i][j]) continue;
      before[i][j] = true;
      for (std::size_t h = 0; h < i; ++h)
        if (before[h][i]) before[h][j] = true;
    }
  // Event by event, sorted by process: its step, and how many events of each process come before it.
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return events[a].process < events[b].process; });
  std::vector<std::uint32_t> form;
  for (const std::size_t j : order) {
    std::map<std::uint32_t, std::uint32_t> counts;
    for (std::size_t i = 0; i < j; ++i)
      if (before[i][j]) ++counts[events[i].process];
    form.insert(form.end(), {events[j].process, events[j].alternative, static_cast<std::uint32_t>(counts.size())});
    for (const auto& [process, count] : counts) form.insert(form.end(), {process, count});
  }
  return form;
}

struct Visited {
  std::set<FoataForm> classes;
  std::set<std::vector<std::uint32_t>> observer_classes;
  /// How an execution ended, and what each event of each process observed.
  std::set<std::pair<Outcome, std::vector<std::tuple<ProcessIndex, std::uint64_t, std::uint64_t>>>> ends;
  std::set<std::pair<std::string, std::string>> errors;
  std::size_t executions = 0;

  void add(const Execution& execution) {
    ++executions;
    if (execution.failure) errors.emplace(name(execution.failure.kind), failure_detail(execution));
    classes.insert(foata_normal_form(execution.events));
    observer_classes.insert(observer_class(execution.events));
    std::vector<std::tuple<ProcessIndex, std::uint64_t, std::uint64_t>> seen;
    for (const Event& event : execution.events) seen.emplace_back(event.process, event.site, event.observed());
    std::stable_sort(seen.begin(), seen.end(),
                     [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
    ends.emplace(execution.outcome, std::move(seen));
  }
};

/// Remembers what an explorer visits.
class Recorder final : public Forwarding {
 public:
  using Forwarding::Forwarding;

  Visited visited;

 private:
  void seen(const Job& job, Execution& execution) override {
    if (job.continuation != Continuation::Stop && execution.outcome != Outcome::SleepBlocked) visited.add(execution);
  }
};

}  // namespace mazurka::testing
