// One explorer of a search: it has executions run to their end, sees what could have happened otherwise, plans it, and
// goes on with the longest prefixes after which something is planned. Several explorers may share a search; each goes
// on with what it has planned itself, and if there is nothing, takes the shortest prefix of another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/random.hpp"
#include "dpor/awaited.hpp"
#include "dpor/estimate.hpp"
#include "dpor/exploration.hpp"
#include "dpor/reversals.hpp"
#include "dpor/search_tree.hpp"

namespace mazurka::dpor {

class Explorer;

/// What the explorers of a search share.
struct Search {
  Search(const Options& wanted, std::size_t explorer_count, const Awaited& known)
      : options(wanted),
        tree(wanted.algorithm == Algorithm::Observers, explorer_count),
        awaited(known),
        explorers(explorer_count) {}

  const Options options;
  std::mutex mutex;  ///< of all that follows but what is atomic
  std::condition_variable changed;
  SearchTree tree;
  Awaited awaited;           ///< what was known when the search began; in the end, what is known then
  bool begins_anew = false;  ///< something was learnt that makes the search worthless
  bool finished = false;     ///< nothing is left to do
  std::vector<Explorer*> explorers;
  std::size_t idle = 0;  ///< so many of them have nothing to do
  std::atomic<bool> stops = false;
  std::atomic<std::uint64_t> executions = 0;
};

class Explorer {
 public:
  /// One of those that take part in the search.
  Explorer(Executor& executor, Search& search, std::uint32_t number);

  /// Explores until nothing is left to do, or the search is to stop.
  void run(Listener& listener);
  const Result& result() const { return result_; }

 private:
  using Index = SearchTree::Index;

  /// An execution that was asked for.
  struct Begun {
    Index leaf;
    std::uint32_t from;  ///< the length of the prefix that its sequence was planned after
    JobHandle handle;
  };

  /// Begins what is planned if it is time to. False where nothing is left to do.
  bool begin_batch();
  /// Begins the next sequence that is planned, if any can be begun now.
  bool begin_next();
  void submit(Index leaf, std::uint32_t from);
  Begun take_next();
  /// Whether the next sequence to look at has not been begun.
  bool lacks_next();
  std::size_t batch_size() const;

  /// Waits for the execution, and tells the listener. False where the exploration must stop.
  bool execute(const Begun& begun, Listener& listener);
  /// Makes nodes for the new part of the execution.
  void follow(const Begun& begun);
  /// Plans what could have happened otherwise, all of it unless the exploration must stop: then it returns false.
  bool plan_reversals(Listener& listener);
  Planned plan(Reversal& v);
  void leave(Index leaf);
  void forget_removed();
  void abandon_begun();
  Job job_of(Index leaf) const;
  bool account_for(const Execution& execution, Listener& listener);

  /// Holds back the other explorers, if there are any.
  std::unique_lock<std::mutex> guard() const;

  Executor& executor_;
  Search& search_;
  const Options& options_;
  SearchTree& tree_;  ///< of all explorers: only under guard()
  const std::uint32_t number_;
  std::size_t version_;  ///< of the executor
  Awaited awaited_;
  ReversalFinder finder_;
  Estimator estimator_;
  std::vector<Begun> begun_;
  std::size_t batch_ = 1;        ///< how many to begin at once
  Job job_;                      ///< the last that was submitted
  std::vector<Index> job_path_;  ///< the nodes of its prefix
  Execution execution_;          ///< what is looked at
  std::vector<Index> path_;      ///< the nodes of its prefixes, by their length
  std::size_t known_ = 0;        ///< events that it shares with the one looked at before
  SplitMix64 random_;
  struct {
    std::uint64_t executing = 0;
    std::uint64_t finding = 0;
    std::uint64_t planning = 0;  ///< while finding
  } ticks_;
  Result result_;
};

}  // namespace mazurka::dpor
