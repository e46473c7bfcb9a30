#include "dpor/exploration.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "core/interrupt.hpp"
#include "dpor/explorer.hpp"

namespace mazurka::dpor {
namespace {

/// What the explorers count, as one.
void add(const Statistics& one, Statistics& all) {
  all.executions += one.executions;
  all.blocked += one.blocked;
  all.cut += one.cut;
  all.limited += one.limited;
  all.stopped_by_length += one.stopped_by_length;
  all.stopped_by_steps += one.stopped_by_steps;
  all.stopped_by_threads += one.stopped_by_threads;
  all.stopped_by_table += one.stopped_by_table;
  all.stopped_by_loop += one.stopped_by_loop;
  all.errors += one.errors;
  all.events += one.events;
  all.max_depth = std::max(all.max_depth, one.max_depth);
}

/// The estimate of one explorer for all: it has seen its share of the same tree.
void scale_estimate(const Statistics& one, Statistics& all) {
  if (one.executions == 0) return;
  const double share = static_cast<double>(all.executions) / static_cast<double>(one.executions);
  all.estimate = std::max(one.estimate, static_cast<double>(all.executions));
  all.estimate_deviation = one.estimate_deviation * std::min(share, 1.0);
}

/// The listener of several explorers.
class Joint {
 public:
  Joint(Listener& listener, std::size_t explorers) : listener_(listener), statistics_(explorers) {}

  /// One explorer's.
  class Part final : public Listener {
   public:
    Part(Joint& joint, std::size_t number) : joint_(joint), number_(number) {}
    void on_execution(const Execution& execution) override {
      const std::lock_guard lock(joint_.mutex_);
      joint_.listener_.on_execution(execution);
    }
    bool on_error(const Execution& execution, std::uint64_t number) override {
      const std::lock_guard lock(joint_.mutex_);
      return joint_.listener_.on_error(execution, number);
    }
    void on_cut(const Execution& execution) override {
      const std::lock_guard lock(joint_.mutex_);
      joint_.listener_.on_cut(execution);
    }
    bool on_progress(const Statistics& statistics) override {
      const std::lock_guard lock(joint_.mutex_);
      joint_.statistics_[number_] = statistics;
      Statistics all;
      for (const Statistics& one : joint_.statistics_) add(one, all);
      scale_estimate(joint_.statistics_[0], all);
      return joint_.listener_.on_progress(all);
    }

   private:
    Joint& joint_;
    std::size_t number_;
  };

 private:
  std::mutex mutex_;
  Listener& listener_;
  std::vector<Statistics> statistics_;
};

void run_together(std::vector<std::unique_ptr<Explorer>>& explorers, Search& search, Listener& listener) {
  Joint joint(listener, explorers.size());
  std::vector<std::exception_ptr> failures(explorers.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < explorers.size(); ++i)
    threads.emplace_back([&, i] {
      Joint::Part part(joint, i);
      try {
        explorers[i]->run(part);
      } catch (...) {
        failures[i] = std::current_exception();
        search.stops = true;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

void add(const Result& one, Result& all) {
  add(one.statistics, all.statistics);
  all.races += one.races;
  all.probes += one.probes;
  all.skipped += one.skipped;
  all.seconds.executor += one.seconds.executor;
  all.seconds.races += one.seconds.races;
  all.seconds.probes += one.seconds.probes;
  all.seconds.insertion += one.seconds.insertion;
  all.explorers.push_back(one.statistics);
}

}  // namespace

Result Exploration::run(Listener& listener) {
  Awaited awaited;
  for (;;) {
    Search search(options_, executors_.size(), awaited);
    std::vector<std::unique_ptr<Explorer>> explorers;
    for (Executor* const executor : executors_)
      explorers.push_back(std::make_unique<Explorer>(*executor, search, static_cast<std::uint32_t>(explorers.size())));
    if (explorers.size() == 1)
      explorers[0]->run(listener);
    else
      run_together(explorers, search, listener);
    if (search.begins_anew) {
      awaited = search.awaited;
      for (Executor* const executor : executors_)
        for (const Executor* const other : executors_)
          if (other != executor) executor->learn_from(*other);
      listener.on_new_beginning();
      continue;
    }
    Result result;
    for (const auto& explorer : explorers) add(explorer->result(), result);
    scale_estimate(explorers[0]->result().statistics, result.statistics);
    result.planned = search.tree.trees.added();
    // Whoever is interrupted may have left something unplanned.
    result.complete = search.finished && !interrupted() && !result.statistics.is_cut() && result.skipped == 0;
    return result;
  }
}

}  // namespace mazurka::dpor
