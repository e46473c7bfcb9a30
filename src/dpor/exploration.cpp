#include "dpor/exploration.hpp"

#include <memory>

#include "core/interrupt.hpp"
#include "core/joint_listener.hpp"
#include "dpor/explorer.hpp"
#include "dpor/search.hpp"

namespace mazurka::dpor {
namespace {

void add(const Result& one, Result& all) {
  all.statistics.add(one.statistics);
  all.races += one.races;
  all.probes += one.probes;
  all.planned += one.planned;
  all.skipped += one.skipped;
  all.seconds.executor += one.seconds.executor;
  all.seconds.races += one.seconds.races;
  all.seconds.probes += one.seconds.probes;
  all.seconds.insertion += one.seconds.insertion;
  all.explorers.push_back(one.statistics);
}

/// The results of one search, by each of its explorers.
std::vector<Result> explore(const std::vector<Executor*>& executors, Search& search, Listener& listener) {
  std::vector<Result> results(executors.size());
  const Awaited awaited = search.awaited;  // which changes as soon as one of them learns something
  const auto explore_with = [&](std::size_t i, Listener& told) {
    LocalCoordinator coordinator(search, i);
    Explorer explorer(*executors[i], search.options, awaited, search.counted[i], coordinator, told);
    explorer.run();
    results[i] = explorer.result();
  };
  if (executors.size() == 1)
    explore_with(0, listener);
  else
    run_jointly(listener, executors.size(), explore_with, [&] { search.frontier.stop(); });
  return results;
}

}  // namespace

Result Exploration::run(Listener& listener) {
  SearchState start;
  start.is_new = true;
  if (options_.from != nullptr) start = *options_.from;
  for (;;) {
    share_knowledge(executors_);
    Search search(options_, executors_.size(), start);
    const std::vector<Result> results = explore(executors_, search, listener);
    if (search.begins_anew) {
      start = {};
      start.is_new = true;
      start.awaited = search.awaited.all();
      listener.on_new_beginning();
      continue;
    }
    Result result;
    for (const Result& one : results) add(one, result);
    // Whoever is interrupted may have left something unplanned.
    result.complete =
        search.frontier.finished() && !interrupted() && !result.statistics.is_cut() && result.skipped == 0;
    return result;
  }
}

}  // namespace mazurka::dpor
