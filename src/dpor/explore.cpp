#include "dpor/explore.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "core/interrupt.hpp"
#include "core/joint_listener.hpp"
#include "dpor/explorer.hpp"
#include "dpor/search.hpp"
#include "dpor/team.hpp"

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

/// A keeper that explorers and the server of other ranks may use at the same time.
class SharedKeeper final : public SearchKeeper {
 public:
  explicit SharedKeeper(SearchKeeper& inner) : inner_(inner) {}
  bool is_due() override {
    const std::lock_guard lock(mutex_);
    return inner_.is_due();
  }
  void keep(const SearchState& state) override {
    const std::lock_guard lock(mutex_);
    inner_.keep(state);
  }

 private:
  std::mutex mutex_;
  SearchKeeper& inner_;
};

/// Tells how busy several explorers are.
class Watched final : public Listener {
 public:
  Watched(Listener& inner, Frontier& frontier, std::size_t explorers)
      : inner_(inner), frontier_(frontier), explorers_(static_cast<double>(explorers)) {}
  void on_execution(const Execution& execution) override { inner_.on_execution(execution); }
  bool on_error(const Execution& execution, std::uint64_t number) override {
    return inner_.on_error(execution, number);
  }
  bool deadlocks_fail() const override { return inner_.deadlocks_fail(); }
  void on_cut(const Execution& execution) override { inner_.on_cut(execution); }
  void on_new_beginning() override { inner_.on_new_beginning(); }
  void on_bound(const Bound& bound) override { inner_.on_bound(bound); }
  bool on_progress(const Statistics& statistics) override {
    Statistics all = statistics;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    all.busy = 1 - frontier_.idle_seconds() / (explorers_ * seconds);
    return inner_.on_progress(all);
  }

 private:
  Listener& inner_;
  Frontier& frontier_;
  double explorers_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// The results of one search, by each of its explorers: those here, then those in other processes.
std::vector<Result> run_explorers(const std::vector<Executor*>& executors, Search& search, Listener& told) {
  Team* const team = search.options.team;
  std::vector<Result> results(search.counted.size());
  const Awaited awaited = search.awaited;  // which changes as soon as one of them learns something
  Watched listener(told, search.frontier, results.size());
  const auto explore_with = [&](std::size_t i, Listener& part) {
    LocalCoordinator coordinator(search, i);
    Explorer explorer(*executors[i], search.options, awaited, search.counted[i], coordinator, part);
    explorer.run();
    results[i] = explorer.result();
  };
  if (team != nullptr) {
    team->begin(search, executors.size());
    const auto explore_or_serve = [&](std::size_t i, Listener& part) {
      if (i < executors.size())
        explore_with(i, part);
      else
        team->serve(part, std::span(results).subspan(executors.size()));
    };
    run_jointly(listener, executors.size() + 1, explore_or_serve, [&] { search.frontier.stop(); });
  } else if (executors.size() == 1)
    explore_with(0, told);
  else
    run_jointly(listener, executors.size(), explore_with, [&] { search.frontier.stop(); });
  return results;
}

}  // namespace

Result explore(const std::vector<Executor*>& executors, const Options& wanted, Listener& listener) {
  SearchState start;
  start.is_new = true;
  if (wanted.from != nullptr) start = *wanted.from;
  Options options = wanted;
  std::optional<SharedKeeper> keeper;
  if (options.team != nullptr && options.keeper != nullptr) options.keeper = &keeper.emplace(*options.keeper);
  const std::size_t elsewhere = options.team != nullptr ? options.team->size() : 0;
  for (;;) {
    share_knowledge(executors);
    Search search(options, executors.size() + elsewhere, start);
    const std::vector<Result> results = run_explorers(executors, search, listener);
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

Result explore(Executor& executor, const Options& options, Listener& listener) {
  return explore(std::vector{&executor}, options, listener);
}

}  // namespace mazurka::dpor
