#include "support/oracle.hpp"

#include <map>
#include <numeric>
#include <utility>

#include "core/dependence.hpp"
#include "core/invariant.hpp"
#include "support/failure_key.hpp"
#include "walk/naive.hpp"

namespace mazurka::testing {

OracleResult brute_force(Executor& executor, std::uint64_t max_interleavings) {
  OracleResult result;
  walk::NaiveSearch search(executor, {});
  result.complete = search.run([&](const Execution& execution) {
    if (++result.interleavings > max_interleavings) return false;
    result.classes.insert(foata_normal_form(execution.events));
    result.final_states.insert(execution.final_state);
    if (execution.outcome == Outcome::Deadlock) result.deadlocks.insert(execution.final_state);
    if (execution.failure) result.errors.emplace(name(execution.failure.kind), failure_detail(execution));
    return true;
  });
  return result;
}

std::uint64_t classes_by_swapping(Executor& executor, std::uint64_t max_interleavings) {
  using Schedule = std::vector<Step>;
  std::map<Schedule, std::size_t> index;
  std::vector<std::pair<std::size_t, Schedule>> neighbours;  // of the interleaving with this number
  walk::NaiveSearch search(executor, {});
  const bool complete = search.run([&](const Execution& execution) {
    if (index.size() >= max_interleavings) return false;
    Schedule schedule;
    for (const Event& event : execution.events) schedule.push_back(event.step());
    const std::size_t number = index.size();
    index.emplace(schedule, number);
    for (std::size_t i = 0; i + 1 < schedule.size(); ++i) {
      const Event& a = execution.events[i];
      const Event& b = execution.events[i + 1];
      if (a.process == b.process || dependent(a.operation, b.operation)) continue;
      Schedule swapped = schedule;
      std::swap(swapped[i], swapped[i + 1]);
      neighbours.emplace_back(number, std::move(swapped));
    }
    return true;
  });
  if (!complete) return 0;

  std::vector<std::size_t> parent(index.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto find = [&](std::size_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  };
  std::uint64_t classes = index.size();
  for (const auto& [number, schedule] : neighbours) {
    const auto neighbour = index.find(schedule);
    MZ_INVARIANT(neighbour != index.end(), "swapping independent steps of an execution gives an execution");
    const std::size_t a = find(number);
    const std::size_t b = find(neighbour->second);
    if (a == b) continue;
    parent[a] = b;
    --classes;
  }
  return classes;
}

}  // namespace mazurka::testing
