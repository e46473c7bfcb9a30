#include "walk/naive.hpp"

#include <algorithm>

#include "core/interrupt.hpp"
#include "core/record_outcome.hpp"

namespace mazurka::walk {

void NaiveSearch::add_siblings(const Execution& execution) {
  if (job_.prefix.empty() || execution.events.size() != job_.prefix.size()) return;
  const Event& last = execution.events.back();
  if (last.operation.kind != OperationKind::AtomicSection) return;
  std::vector<Step>& steps = stack_.back().steps;
  for (const Offer& offer : execution.offers_of(last))
    if (std::find(steps.begin(), steps.end(), offer.step()) == steps.end()) steps.push_back(offer.step());
}

NaiveResult explore_naive(Executor& executor, const NaiveOptions& options, Listener& listener) {
  NaiveResult result;
  std::uint64_t number = 0;
  NaiveSearch search(executor, options);
  const bool finished = search.run([&](const Execution& execution) {
    return record_outcome(execution, number++, result.statistics, listener) && number < options.max_executions &&
           !interrupted();
  });
  result.complete = finished && !result.statistics.is_cut();
  return result;
}

}  // namespace mazurka::walk
