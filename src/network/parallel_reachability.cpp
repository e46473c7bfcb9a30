#include "network/parallel_reachability.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/interrupt.hpp"
#include "network/recent_states.hpp"

namespace mazurka::network {
namespace {

constexpr std::size_t kMarksPerWord = 64;
constexpr std::size_t kAtOnce = 256;  // states whose memory accesses overlap

}  // namespace

struct ParallelReachability::Explorer {
  Explorer(const std::vector<std::uint64_t>& initial, std::uint32_t explorers)
      : states(static_cast<std::uint32_t>(initial.size())), recent(initial), outgoing(explorers) {}

  StateStore states;
  std::vector<Place> parents;  ///< beside `states`, but for those found in this level
  std::vector<Found> found;    ///< in this level: beside the last of `states`
  std::uint64_t next = 0;      ///< of its share of the level: those before it were expanded
  std::uint64_t end = 0;       ///< of its share
  std::uint64_t children = 0;  ///< of its share, while these are numbered
  std::uint64_t transitions = 0;
  std::vector<Deadlock> deadlocks;
  RecentStates recent;
  Batch made;                   ///< successors that have not been sent
  std::vector<Batch> outgoing;  ///< to each explorer
};

/// What all explorers do, one step after the other.
class ParallelReachability::Turns {
 public:
  enum class Step { Expand, Number, End };

  explicit Turns(std::size_t explorers) : explorers_(explorers) {}

  /// Performs an explorer's part of a step, and waits until all have performed theirs. False if one of them threw.
  template <typename Part>
  bool perform(const Part& part) {
    try {
      part();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    const std::uint64_t meeting = meetings_;
    if (++arrived_ == explorers_) {
      end_meeting();
    } else {
      all_arrived_.wait(lock, [&] { return meetings_ != meeting; });
    }
    return goes_on_;
  }
  /// Only so many explorers could be started.
  void abandon(std::size_t started) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    explorers_ = started;
    if (started != 0 && arrived_ == started) end_meeting();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  Step next = Step::Expand;  ///< decided by one explorer while all others wait

 private:
  void end_meeting() {
    goes_on_ = failure_ == nullptr;  // for all of them, even if one throws before another has looked
    arrived_ = 0;
    ++meetings_;
    all_arrived_.notify_all();
  }

  std::size_t explorers_;
  std::mutex mutex_;
  std::condition_variable all_arrived_;
  std::size_t arrived_ = 0;
  std::uint64_t meetings_ = 0;
  bool goes_on_ = true;
  std::exception_ptr failure_;
};

ParallelReachability::ParallelReachability(const Product& product, ReachabilityLimits limits, std::uint32_t explorers,
                                           std::size_t batch)
    : product_(&product),
      limits_(limits),
      batch_(batch),
      words_per_parent_((product.most_enabled() + kMarksPerWord - 1) / kMarksPerWord) {
  const std::vector<std::uint64_t> initial = product.initial();
  for (std::uint32_t i = 0; i < explorers; ++i) explorers_.push_back(std::make_unique<Explorer>(initial, explorers));
}

ParallelReachability::~ParallelReachability() = default;

std::uint32_t ParallelReachability::owner(std::uint64_t hash) const {
  constexpr unsigned kHalf = 32;  // the other half is the place in the owner's table
  return static_cast<std::uint32_t>((hash >> kHalf) * explorers_.size() >> kHalf);
}

void ParallelReachability::run(const std::function<void(const ReachabilityProgress&)>& progress) {
  const std::vector<std::uint64_t> initial = product_->initial();
  Explorer& first = *explorers_[owner(explorers_[0]->states.hash(initial.data()))];
  first.states.insert(initial.data());
  first.parents.emplace_back();
  level_.push_back({owner(first.states.hash(initial.data())), 0});
  explorers_.back()->end = 1;

  Turns turns(explorers_.size());
  std::vector<std::jthread> others;
  try {
    for (std::uint32_t i = 1; i < explorers_.size(); ++i)
      others.emplace_back([this, i, &turns] { explore(i, turns, {}); });
  } catch (...) {
    turns.abandon(others.size());
    throw;
  }
  explore(0, turns, progress);
  others.clear();  // waits for them
  turns.rethrow();
  for (const auto& explorer : explorers_)
    deadlocks_.insert(deadlocks_.end(), explorer->deadlocks.begin(), explorer->deadlocks.end());
  std::ranges::sort(deadlocks_, {}, &Deadlock::number);
}

void ParallelReachability::explore(std::uint32_t number, Turns& turns,
                                   const std::function<void(const ReachabilityProgress&)>& progress) {
  using Step = Turns::Step;
  const auto only_first = [&](const auto& part) {
    return [&] {
      if (number == 0) part();
    };
  };
  for (;;) {
    switch (turns.next) {
      case Step::Expand:
        if (!turns.perform([&] { expand(number); }) || !turns.perform([&] { receive(number); })) return;
        break;
      case Step::Number:
        if (!turns.perform(only_first([&] { prepare_marks(); })) || !turns.perform([&] { mark_children(number); }) ||
            !turns.perform([&] { count_children(number); }) || !turns.perform([&] { add_children_before(number); }) ||
            !turns.perform([&] { number_children(number); }))
          return;
        break;
      case Step::End: return;
    }
    if (!turns.perform(only_first([&] { decide(turns, progress); }))) return;
  }
}

/// \pre All other explorers wait.
void ParallelReachability::decide(Turns& turns, const std::function<void(const ReachabilityProgress&)>& progress) {
  using Step = Turns::Step;
  if (turns.next == Step::Number) begin_level();
  std::size_t waiting = 0;
  std::uint64_t found = 0;
  for (const auto& explorer : explorers_) {
    waiting += explorer->end - explorer->next;
    found += explorer->found.size();
  }
  if (progress) progress({states(), states() - waiting - found, transitions()});
  turns.next = Step::Expand;
  if (interrupted() || states() > limits_.max_states) {
    turns.next = Step::End;
  } else if (waiting == 0) {
    turns.next = found != 0 ? Step::Number : Step::End;
    complete_ = found == 0;
  }
}

/// Sends successors to their owners: those of the next states of its share, in the order of their numbers.
void ParallelReachability::expand(std::uint32_t number) {
  Explorer& me = *explorers_[number];
  const std::uint32_t words = product_->layout().words();
  me.made.resize(kAtOnce + product_->most_enabled(), words);
  for (Batch& batch : me.outgoing) {
    batch.size = 0;
    batch.resize(batch_ + kAtOnce + product_->most_enabled(), words);
  }
  for (std::size_t made = 0; me.next < me.end && made < batch_;) {
    make_successors(me);
    made += me.made.size;
    me.transitions += me.made.size;
    // A successor that it has made before was found earlier then.
    Batch& from = me.made;
    from.size = me.recent.drop(from.states.data(), from.hashes.data(), from.found.data(), from.size);
    for (std::size_t i = 0; i < from.size; ++i) {
      Batch& to = me.outgoing[owner(from.hashes[i])];
      for (std::uint32_t w = 0; w < words; ++w) to.states[to.size * words + w] = from.states[i * words + w];
      to.hashes[to.size] = from.hashes[i];
      to.found[to.size++] = from.found[i];
    }
  }
}

void ParallelReachability::make_successors(Explorer& me) {
  const std::uint32_t words = product_->layout().words();
  Batch& made = me.made;
  made.size = 0;
  for (; me.next < me.end && made.size < std::min(kAtOnce, batch_); ++me.next) {
    const Place from = level_[me.next - level_begin_];
    const std::uint64_t* const state = explorers_[from.owner]->states[from.id];
    std::uint32_t action = 0;
    product_->for_each_enabled(state, [&](const Transition& transition) {
      std::uint64_t* const successor = made.states.data() + made.size * words;
      for (std::uint32_t w = 0; w < words; ++w) successor[w] = state[w];
      transition.apply(successor);
      made.hashes[made.size] = me.states.hash(successor);
      me.recent.prefetch(made.hashes[made.size]);
      made.found[made.size++] = {me.next, action++, from};
    });
    if (action == 0 && !product_->finished(state)) me.deadlocks.push_back({me.next, from});
  }
}

/// Takes in what all explorers have sent to this one.
void ParallelReachability::receive(std::uint32_t number) {
  Explorer& me = *explorers_[number];
  const std::uint32_t words = product_->layout().words();
  for (const auto& explorer : explorers_) {
    const Batch& batch = explorer->outgoing[number];
    for (std::size_t begin = 0; begin < batch.size; begin += kAtOnce) {
      const std::size_t end = std::min(begin + kAtOnce, batch.size);
      for (std::size_t i = begin; i < end; ++i) me.states.prefetch(batch.hashes[i]);
      for (std::size_t i = begin; i < end; ++i) me.states.prefetch_state(batch.hashes[i]);
      for (std::size_t i = begin; i < end; ++i) {
        const auto [id, fresh] = me.states.insert(batch.states.data() + i * words, batch.hashes[i]);
        if (fresh)
          me.found.push_back(batch.found[i]);
        else if (id >= me.parents.size() && batch.found[i] < me.found[id - me.parents.size()])
          me.found[id - me.parents.size()] = batch.found[i];
      }
    }
  }
}

void ParallelReachability::prepare_marks() {
  const std::uint64_t parents = level_end_ - level_begin_;
  marks_.assign(parents * words_per_parent_, 0);
  children_before_.resize(parents);
  level_.resize(states() - level_end_);  // the next one: how this one was found is known
}

void ParallelReachability::mark_children(std::uint32_t number) {
  for (const Found& found : explorers_[number]->found) {
    std::uint64_t& word = marks_of(found.parent)[found.action / kMarksPerWord];
    std::atomic_ref(word).fetch_or(std::uint64_t{1} << found.action % kMarksPerWord, std::memory_order_relaxed);
  }
}

/// This explorer's share of the level's states: where it begins.
std::uint64_t ParallelReachability::share_begin(std::uint32_t number) const {
  return level_begin_ + (level_end_ - level_begin_) * number / explorers_.size();
}

void ParallelReachability::count_children(std::uint32_t number) {
  std::uint64_t children = 0;
  for (std::uint64_t parent = share_begin(number); parent < share_begin(number + 1); ++parent) {
    children_before_[parent - level_begin_] = children;
    const std::uint64_t* const marks = marks_of(parent);
    for (std::size_t w = 0; w < words_per_parent_; ++w) children += static_cast<unsigned>(std::popcount(marks[w]));
  }
  explorers_[number]->children = children;
}

void ParallelReachability::add_children_before(std::uint32_t number) {
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < number; ++i) before += explorers_[i]->children;
  for (std::uint64_t parent = share_begin(number); parent < share_begin(number + 1); ++parent)
    children_before_[parent - level_begin_] += before;
}

/// The states found in this level are numbered.
void ParallelReachability::number_children(std::uint32_t number) {
  Explorer& me = *explorers_[number];
  for (const Found& found : me.found) {
    const std::uint64_t* const marks = marks_of(found.parent);
    std::uint64_t place = children_before_[found.parent - level_begin_];
    std::size_t w = 0;
    for (; w < found.action / kMarksPerWord; ++w) place += static_cast<unsigned>(std::popcount(marks[w]));
    const std::uint64_t before = (std::uint64_t{1} << found.action % kMarksPerWord) - 1;
    place += static_cast<unsigned>(std::popcount(marks[w] & before));
    level_[place] = {number, static_cast<StateId>(me.parents.size())};
    me.parents.push_back(found.from);
  }
  me.found.clear();
}

/// They are the next level. \pre All other explorers wait.
void ParallelReachability::begin_level() {
  level_begin_ = std::exchange(level_end_, states());
  for (std::uint32_t i = 0; i < explorers_.size(); ++i) {
    explorers_[i]->next = share_begin(i);
    explorers_[i]->end = share_begin(i + 1);
  }
}

std::uint64_t ParallelReachability::states() const {
  std::uint64_t all = 0;
  for (const auto& explorer : explorers_) all += explorer->states.size();
  return all;
}

std::uint64_t ParallelReachability::transitions() const {
  std::uint64_t all = 0;
  for (const auto& explorer : explorers_) all += explorer->transitions;
  return all;
}

std::size_t ParallelReachability::bytes() const {
  std::size_t all = deadlocks_.capacity() * sizeof(Deadlock);
  for (const auto& explorer : explorers_)
    all += explorer->states.bytes() + explorer->parents.capacity() * sizeof(Place) +
           explorer->found.capacity() * sizeof(Found);
  return all + level_.capacity() * sizeof(Place);
}

std::vector<ActionId> ParallelReachability::run_to_deadlock(std::size_t i) const {
  std::vector<ActionId> run;
  const std::vector<std::uint64_t> initial = product_->initial();
  for (Place at = deadlocks_[i].place;;) {
    const std::uint64_t* const state = explorers_[at.owner]->states[at.id];
    if (std::equal(initial.begin(), initial.end(), state)) break;
    at = explorers_[at.owner]->parents[at.id];
    run.push_back(action_between(*product_, explorers_[at.owner]->states[at.id], state));
  }
  std::reverse(run.begin(), run.end());
  return run;
}

}  // namespace mazurka::network
