#include "report/story.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/dependence.hpp"
#include "core/happens_before.hpp"
#include "report/source_files.hpp"

namespace mazurka::report {
namespace {

using enum OperationKind;

/// The lock that an operation takes or gives back, as (family, address); the family is Local where there is none.
using Lock = std::pair<Family, std::uint64_t>;
constexpr Lock kNoLock{Family::Local, 0};

Lock taken_by(const Operation& o) { return takes_object(o) ? Lock{family(o.kind), o.object} : kNoLock; }

Lock given_back_by(const Operation& o) {
  if (o.kind == ConditionWait) return {Family::Mutex, o.released_mutex()};
  return releases_object(o) ? Lock{family(o.kind), o.object} : kNoLock;
}

class Teller {
 public:
  Teller(const Executor& executor, const Execution& execution) : executor_(executor), execution_(execution) {}

  Story tell() {
    story_.kind = execution_.error_kind;
    story_.message = execution_.message;
    if (story_.kind.empty() && execution_.outcome == Outcome::Diverged) {
      story_.kind = "nondeterminism";
      if (story_.message.empty()) story_.message = "a schedule that was possible before is not possible any more";
    }
    story_.warnings.assign(execution_.warnings.begin(), execution_.warnings.end());
    story_.switches = context_switches(execution_.events);
    list_threads();
    for (const Event& event : execution_.events) add_step(event);
    relate();
    if (execution_.outcome == Outcome::Deadlock)
      for (const Offer& offer : execution_.pending)
        if (!offer.enabled) add_wish(offer);
    for (const auto& [key, entry] : held_) {
      story_.held.push_back(entry);
      story_.steps[entry.since].alone = false;
    }
    std::sort(story_.held.begin(), story_.held.end(),
              [](const Story::Held& a, const Story::Held& b) { return a.since < b.since; });
    if (execution_.error_process != kNoProcess && columns_.contains(execution_.error_process))
      story_.failing = columns_.at(execution_.error_process);
    story_.failure = spot(execution_.error_site);
    return std::move(story_);
  }

 private:
  Spot spot(std::uint64_t site) {
    Spot result{executor_.place(site), ""};
    result.text = sources_.line(result.place.path, result.place.line);
    return result;
  }

  /// Threads stand in the order of their names' indices, which is the order in which they were first met.
  void list_threads() {
    for (const Event& event : execution_.events) columns_.try_emplace(event.process, 0);
    if (execution_.outcome == Outcome::Deadlock)
      for (const Offer& offer : execution_.pending) columns_.try_emplace(offer.process, 0);
    for (auto& [process, column] : columns_) {
      column = story_.threads.size();
      story_.threads.push_back({executor_.process_name(process)});
    }
  }

  void add_step(const Event& event) {
    const std::size_t number = story_.steps.size();
    Story::Step step;
    step.thread = columns_.at(event.process);
    step.kind = name(event.operation.kind);
    step.operation = executor_.describe(event.operation);
    step.object = executor_.object(event.operation);
    step.alternative = event.alternative;
    step.spot = spot(event.site);
    Story::Thread& thread = story_.threads[step.thread];
    if (thread.first == kNowhere) thread.first = number;
    thread.last = number;
    if (event.operation.kind == ThreadCreate)
      if (const auto created = columns_.find(static_cast<ProcessIndex>(event.operation.object));
          created != columns_.end())
        story_.threads[created->second].created = number;
    if (const Lock lock = given_back_by(event.operation); lock != kNoLock) {
      const auto entry = held_.find({step.thread, lock});
      if (entry != held_.end()) {
        step.releases = entry->second.object;
        held_.erase(entry);
      }
    }
    if (const Lock lock = taken_by(event.operation); lock != kNoLock) {
      step.acquires = step.object;
      held_.try_emplace({step.thread, lock}, Story::Held{step.thread, step.object, number});
    }
    story_.steps.push_back(std::move(step));
  }

  void add_wish(const Offer& offer) {
    Story::Wish wish;
    wish.thread = columns_.at(offer.process);
    wish.kind = name(offer.operation.kind);
    wish.operation = executor_.describe(offer.operation);
    wish.object = executor_.object(offer.operation);
    wish.spot = spot(offer.site);
    if (const auto holder = columns_.find(offer.holder); holder != columns_.end()) wish.holder = holder->second;
    story_.threads[wish.thread].waits = true;
    story_.waiting.push_back(std::move(wish));
  }

  /// Which steps directly happen after which of other threads, and which concern nobody else.
  void relate() {
    const std::vector<Event>& events = execution_.events;
    HappensBefore before;
    before.assign(events);
    std::map<ProcessIndex, EventIndex> latest;  // of each process, before j
    for (EventIndex j = 0; j < events.size(); ++j) {
      std::vector<std::size_t>& causes = story_.steps[j].causes;
      const auto own = latest.find(events[j].process);
      // Backwards: whatever lies between i and j is reached through a later cause or the step before in this thread.
      for (EventIndex i = j; i-- > 0;) {
        if (events[i].process == events[j].process || !dependent(events[i].operation, events[j].operation)) continue;
        story_.steps[i].alone = false;
        story_.steps[j].alone = false;
        const auto through = [&](std::size_t k) { return before.before(i, static_cast<EventIndex>(k)); };
        if (own != latest.end() && through(own->second)) continue;
        if (std::none_of(causes.begin(), causes.end(), through)) causes.push_back(i);
      }
      latest[events[j].process] = j;
      for (const Offer& offer : execution_.pending)
        if (offer.process != events[j].process && dependent(events[j].operation, offer.operation))
          story_.steps[j].alone = false;
    }
  }

  const Executor& executor_;
  const Execution& execution_;
  Story story_;
  SourceFiles sources_;
  std::map<ProcessIndex, std::size_t> columns_;
  std::map<std::pair<std::size_t, Lock>, Story::Held> held_;
};

}  // namespace

bool Spot::known() const { return place.line > 0 && !place.file.empty() && !place.in_system_header(); }

Story tell(const Executor& executor, const Execution& execution) { return Teller(executor, execution).tell(); }

std::string signature(const Executor& executor, const Execution& execution) {
  std::string text = execution.error_kind + "\n" + execution.message;
  if (execution.outcome != Outcome::Deadlock) return text;
  for (const Offer& offer : execution.pending)
    text +=
        fmt::format("\n{} {} {}", executor.process_name(offer.process), executor.describe(offer.operation), offer.site);
  return text;
}

std::size_t context_switches(const std::vector<Event>& events) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < events.size(); ++i) count += events[i].process != events[i - 1].process ? 1 : 0;
  return count;
}

}  // namespace mazurka::report
