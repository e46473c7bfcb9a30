// The search, in the process that has its frontier: what its explorers share, and how each of them reaches it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "dpor/coordinator.hpp"
#include "dpor/explore.hpp"
#include "dpor/frontier.hpp"

namespace mazurka::dpor {

/// What all explorers share.
struct Search {
  Search(const Options& wanted, std::size_t explorers, const SearchState& start)
      : options(wanted),
        frontier(wanted.algorithm == Algorithm::Observers, start),
        runs(start.statistics.runs()),
        awaited(start.awaited),
        counted(explorers) {
    counted[0] = {start.statistics, start.skipped};
  }

  /// Writes the search into `state`. \pre All explorers rest.
  void keep(SearchState& state);

  const Options options;
  Frontier frontier;
  std::atomic<std::uint64_t> runs;        ///< executions begun
  std::atomic<bool> begins_anew = false;  ///< something was learnt of the system
  std::mutex mutex;                       ///< of what follows, while they explore
  Awaited awaited;                        ///< what was known when the search began; in the end, what is known then
  std::vector<Counted> counted;           ///< by each explorer, when it last had nothing under way
};

class LocalCoordinator final : public Coordinator {
 public:
  /// Of explorer `number`. \pre The search outlives it.
  LocalCoordinator(Search& search, std::size_t number) : search_(search), number_(number) {}

  std::optional<SearchPath::Prefix> take() override;
  void finish(const Counted& counted) override;
  Planned insert(Reversal& v) override;
  bool is_short_of_work() const override { return search_.frontier.is_short_of_work(); }
  void hand_over(const HandedOver& all) override { search_.frontier.hand_over(subtrees_.front(), all); }
  void mark_executed(std::size_t length, bool fatal) override {
    search_.frontier.mark_executed(subtrees_.front(), length, fatal);
  }
  bool rest_is_due() override { return search_.options.keeper != nullptr && search_.options.keeper->is_due(); }
  void rest(const Counted& counted) override;
  bool count_execution() override {
    return search_.runs.fetch_add(1, std::memory_order_relaxed) < search_.options.max_executions;
  }
  std::uint64_t executions() const override { return search_.runs.load(std::memory_order_relaxed); }
  void begin_anew(const Awaited& awaited) override;
  void stop() override { search_.frontier.stop(); }
  bool stops() const override { return search_.frontier.stops(); }

  // For an explorer in another rank, on whose behalf this process must not block:

  // It may take several prefixes, and explores them in this order.
  /// take() without waiting: nullopt if there is nothing now, or `over`. \see Frontier::Taken
  std::optional<SearchPath::Prefix> try_take(bool& over);
  /// Others are to explore those from number `first` on, but before `end`. They are numbered as they were taken, from
  /// 0.
  void give_back(std::uint64_t first, std::uint64_t end);
  std::size_t held() const { return subtrees_.size(); }
  /// rest() without waiting: the explorer rests from now on, until is_resting() is false.
  void begin_rest(const Counted& counted);
  bool is_resting();

 private:
  SearchPath::Prefix add(Frontier::Subtree taken);
  void tell(const Counted& counted);

  Search& search_;
  std::size_t number_;
  std::deque<Frontier::Subtree> subtrees_;  ///< that were taken; it explores the first
  std::deque<std::uint64_t> numbers_;       ///< beside `subtrees_`
  std::uint64_t taken_ = 0;                 ///< how many so far
  std::optional<std::size_t> meeting_;      ///< that it waits for
  bool is_idle_ = false;
};

}  // namespace mazurka::dpor
