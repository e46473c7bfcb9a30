#include "report/relate.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/dependence.hpp"
#include "core/happens_before.hpp"
#include "core/random.hpp"

namespace mazurka::report {
namespace {

/// A step without its place in the execution: a loop has few of them.
struct Action {
  ProcessIndex process;
  Operation operation;

  bool operator==(const Action&) const = default;
};
struct ActionHash {
  std::size_t operator()(const Action& action) const noexcept {
    const Operation& o = action.operation;
    const std::uint64_t what =
        static_cast<std::uint64_t>(o.kind) << 24U | o.flags << 16U | o.size << 8U | o.memory_order;
    return mixed(mixed(mixed(mixed(what) + action.process) ^ o.object) + o.second) ^ o.detail;
  }
};

class Relator {
 public:
  explicit Relator(const Execution& execution) : execution_(execution), events_(execution.events) {
    before_.assign(events_);
  }

  Relations run() {
    Relations result;
    for (EventIndex j = 0; j < events_.size(); ++j) result.causes.push_back(causes(j));
    find_lone_actions();
    for (const std::uint32_t action : action_of_) result.alone.push_back(alone_[action]);
    return result;
  }

 private:
  /// The latest first. What comes before another cause, or before what the process did last, is reached through that.
  std::vector<std::size_t> causes(EventIndex j) const {
    const auto direct = before_.direct(j);
    std::vector<std::size_t> result;
    for (const EventIndex i : direct)
      if (dependent(events_[i].operation, events_[j].operation)) result.push_back(i);
    std::sort(result.rbegin(), result.rend());
    const std::uint32_t position = before_.position(j);
    const auto is_reached = [&](std::size_t i) {
      const auto through = [&](std::size_t k) {
        return before_.before(static_cast<EventIndex>(i), static_cast<EventIndex>(k));
      };
      return (position > 1 && through(before_.history(events_[j].process)[position - 2])) ||
             std::any_of(result.begin(), result.end(), through);
    };
    std::vector<std::size_t> kept;
    std::copy_if(result.begin(), result.end(), std::back_inserter(kept), [&](std::size_t i) { return !is_reached(i); });
    return kept;
  }

  void find_lone_actions() {
    std::unordered_map<Action, std::uint32_t, ActionHash> numbers;
    std::vector<EventIndex> first;  // event of each action
    for (EventIndex i = 0; i < events_.size(); ++i) {
      const Action action{events_[i].process, events_[i].operation};
      const auto [place, is_new] = numbers.try_emplace(action, static_cast<std::uint32_t>(first.size()));
      if (is_new) first.push_back(i);
      action_of_.push_back(place->second);
    }
    alone_.assign(first.size(), 1);
    for (const EventIndex i : first) {
      for (const ObjectChains::ChainIndex chain : before_.chains_of(i))
        for (const EventIndex other : actions_on(chain)) compare(i, other);
      for (const EventIndex other : before_.world()) compare(i, other);
      for (const Offer& offer : execution_.pending)
        if (offer.process != events_[i].process && dependent(events_[i].operation, offer.operation))
          alone_[action_of_[i]] = 0;
    }
    if (before_.world().empty()) return;
    for (const EventIndex i : before_.world())
      for (const EventIndex other : first) compare(i, other);
  }

  void compare(EventIndex i, EventIndex j) {
    if (events_[i].process == events_[j].process || !dependent(events_[i].operation, events_[j].operation)) return;
    alone_[action_of_[i]] = 0;
    alone_[action_of_[j]] = 0;
  }

  /// One event on the chain for each action.
  const std::vector<EventIndex>& actions_on(ObjectChains::ChainIndex chain) {
    const auto [place, is_new] = on_chain_.try_emplace(chain);
    if (!is_new) return place->second;
    std::vector<std::uint32_t> actions;
    for (const EventIndex e : before_.chains().events(chain)) {
      if (std::find(actions.begin(), actions.end(), action_of_[e]) != actions.end()) continue;
      actions.push_back(action_of_[e]);
      place->second.push_back(e);
    }
    return place->second;
  }

  const Execution& execution_;
  const std::vector<Event>& events_;
  HappensBefore before_;
  std::vector<std::uint32_t> action_of_;  // per event
  std::vector<char> alone_;               // per action
  std::unordered_map<ObjectChains::ChainIndex, std::vector<EventIndex>> on_chain_;
};

}  // namespace

Relations relate(const Execution& execution) { return Relator(execution).run(); }

}  // namespace mazurka::report
