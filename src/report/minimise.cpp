#include "report/minimise.hpp"

#include <algorithm>
#include <utility>

#include "core/happens_before.hpp"
#include "report/attempts.hpp"
#include "report/block_search.hpp"
#include "report/linearise.hpp"
#include "report/story.hpp"

namespace mazurka::report {
namespace {

class Minimiser {
 public:
  Minimiser(Executor& executor, const Names& names, const Execution& failing, const MinimiseOptions& options)
      : target_(failing), attempts_(executor, names, target_, options) {}

  Minimised run() {
    Minimised result;
    result.switches_before = context_switches(target_.events);
    best_ = target_;
    // What does not fail again as it is cannot be made simpler by trying.
    if (auto again = attempts_.failing(steps_of(target_.events))) {
      best_ = std::move(*again);
      leave_out();
      reorder(best_.events);
      while (bring_together()) {
      }
      // As many blocks as there are switches now: one less than now.
      const BlockSearchResult search = search_blocks(attempts_, context_switches(best_.events));
      result.minimal = search.exhausted;
      if (search.found) {
        best_ = *search.found;
        leave_out();
        reorder(best_.events);
      }
    }
    result.execution = std::move(best_);
    result.switches = context_switches(result.execution.events);
    result.runs = attempts_.runs();
    return result;
  }

 private:
  bool failed_in_last() const { return target_.outcome != Outcome::Deadlock; }

  static std::pair<std::size_t, std::size_t> size(const Execution& execution) {
    return {context_switches(execution.events), execution.events.size()};
  }

  bool try_schedule(const std::vector<Step>& schedule) {
    auto execution = attempts_.failing(schedule);
    if (!execution || size(*execution) >= size(best_)) return false;
    best_ = std::move(*execution);
    return true;
  }

  /// Keeps the events that `keep` accepts; they must contain their causes.
  template <typename Keep>
  bool try_only(Keep&& keep) {
    std::vector<Step> schedule;
    for (EventIndex i = 0; i < best_.events.size(); ++i)
      if (keep(i)) schedule.push_back(best_.events[i].step());
    return schedule.size() < best_.events.size() && try_schedule(schedule);
  }

  void leave_out() {
    if (!failed_in_last() || best_.events.empty()) return;
    HappensBefore before;
    before.assign(best_.events);
    auto last = static_cast<EventIndex>(best_.events.size() - 1);
    if (try_only([&](EventIndex i) { return i == last || before.before(i, last); })) return;
    // Of a data race, for one, the other access does not happen before the failure, but is needed. Each event that is
    // not a cause goes with all that depends on it, if it can.
    for (EventIndex e = 0; e + 1 < best_.events.size() && !attempts_.spent();) {
      last = static_cast<EventIndex>(best_.events.size() - 1);
      if (before.before(e, last) || !try_only([&](EventIndex i) { return i != e && !before.before(e, i); }))
        ++e;
      else
        before.assign(best_.events);
    }
  }

  void reorder(const std::vector<Event>& events) {
    const auto schedule = linearise(events, failed_in_last(), [this] { return attempts_.spent(); });
    if (!schedule.empty()) try_schedule(schedule);
  }

  /// Two blocks of one process with others between: moves one to the other, and reorders what comes of it.
  bool bring_together() {
    const std::vector<Event> events = best_.events;
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (i == 0 || events[i].process != events[i - 1].process) starts.push_back(i);
    starts.push_back(events.size());
    for (std::size_t a = 0; a + 1 < starts.size(); ++a)
      for (std::size_t b = a + 1; b + 1 < starts.size(); ++b) {
        if (events[starts[a]].process != events[starts[b]].process) continue;
        const auto at = [&](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
        std::vector<Step> earlier = steps_of(events);
        std::rotate(earlier.begin() + at(starts[a + 1]), earlier.begin() + at(starts[b]),
                    earlier.begin() + at(starts[b + 1]));
        std::vector<Step> later = steps_of(events);
        std::rotate(later.begin() + at(starts[a]), later.begin() + at(starts[a + 1]), later.begin() + at(starts[b]));
        for (const std::vector<Step>& candidate : {earlier, later}) {
          if (attempts_.spent()) return false;
          const std::size_t switches = context_switches(best_.events);
          const auto execution = attempts_.failing(candidate);
          if (!execution) continue;
          if (size(*execution) < size(best_)) best_ = *execution;
          reorder(execution->events);
          if (context_switches(best_.events) < switches) return true;
        }
        break;
      }
    return false;
  }

  const Execution target_;
  Attempts attempts_;
  Execution best_;
};

}  // namespace

Minimised minimise(Executor& executor, const Names& names, const Execution& failing, const MinimiseOptions& options) {
  return Minimiser(executor, names, failing, options).run();
}

}  // namespace mazurka::report
