// What the explorers of a search share, and nothing else: the tree of prefixes above what each of them explores by
// itself (search_tree.hpp), and who is looking for something to do. An explorer takes a prefix, explores all that comes
// after it, and plans here what it finds for shorter prefixes. If somebody has nothing to do, it hands over the
// shortest of its own prefixes with something planned.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "dpor/handed_over.hpp"
#include "dpor/histories.hpp"
#include "dpor/search_path.hpp"
#include "dpor/search_state.hpp"
#include "dpor/search_tree.hpp"

namespace mazurka::dpor {

class Frontier {
 public:
  /// Goes on with a search.
  Frontier(bool observers, const SearchState& state);

  /// A prefix that an explorer explores everything after.
  struct Subtree {
    std::vector<SearchTree::Index> nodes;  ///< of its prefixes, by their length
    SearchPath::Prefix prefix;
    std::size_t length() const { return nodes.size() - 1; }
  };

  /// Waits until there is something to do. None where there will be nothing, or the search stops.
  std::optional<Subtree> take();
  /// The same without waiting: none where there is nothing now, or `over`.
  std::optional<Subtree> try_take(bool& over);
  /// Somebody waits for something to do, or does so no longer.
  void begin_idling();
  void end_idling();
  /// All after its prefix has been explored, but for what was handed over.
  void finish(const Subtree& subtree);
  /// It was taken, but somebody else is to explore it.
  void give_back(const Subtree& subtree);
  /// Seconds in which explorers had nothing to do so far, together.
  double idle_seconds();
  /// About how many prefixes could be taken now.
  std::size_t stock();

  /// Plans v after a prefix that is shorter than the subtree's. Older steps do not make it redundant.
  Planned insert(const Subtree& subtree, Reversal& v);
  /// The same for Source-DPOR.
  Planned insert_initial(const Subtree& subtree, const Reversal& v, Initial initial);

  /// Whether somebody has nothing to do.
  bool is_short_of_work() const { return short_of_work_.load(std::memory_order_relaxed); }
  /// Hands over what is planned after prefixes, the subtree's first; what comes after the last of them, with its next
  /// step, is the subtree now.
  void hand_over(Subtree& subtree, const HandedOver& all);

  /// Waits until whoever explores something has come here, and has handed over everything but the next execution; one
  /// of them calls `met`, with what is left to do.
  void meet(const std::function<void(SearchState&)>& met);
  /// The same without waiting: somebody has come, and try_meet() says whether the meeting is over.
  /// `subtrees`: how many it has taken.
  std::size_t arrive(std::size_t subtrees);
  bool try_meet(std::size_t meeting, const std::function<void(SearchState&)>& met);

  /// An execution has taken the steps of this length of the subtree's prefix; `fatal`: the last of them made it fail.
  void mark_executed(const Subtree& subtree, std::size_t length, bool fatal);

  /// Ends the search: whoever explores sees it before long.
  void stop();
  bool stops() const { return stops_.load(std::memory_order_relaxed); }
  /// Whether everything has been explored.
  bool finished() const { return finished_; }

 private:
  // \pre The mutex is locked.
  std::optional<Subtree> next(bool& over);
  void count_idle(int change);
  bool is_over(std::size_t meeting, const std::function<void(SearchState&)>& met);

  std::mutex mutex_;  ///< of all that follows but what is atomic
  std::condition_variable changed_;
  SearchTree tree_;
  std::vector<SearchTree::Index> ready_;  ///< prefixes after which everything is to be explored
  std::size_t held_ = 0;                  ///< prefixes that explorers have taken
  bool finished_ = false;
  std::size_t met_ = 0;       ///< of `held_`, those of explorers that wait in meet()
  std::size_t meetings_ = 0;  ///< how many there were
  std::size_t idle_ = 0;      ///< explorers that have nothing to do
  double idle_seconds_ = 0;   ///< of them all, until idle_changed_
  std::chrono::steady_clock::time_point idle_changed_ = std::chrono::steady_clock::now();
  std::atomic<bool> short_of_work_ = false;
  std::atomic<bool> stops_ = false;
};

}  // namespace mazurka::dpor
