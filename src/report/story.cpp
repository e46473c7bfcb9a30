#include "report/story.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "report/descriptors.hpp"
#include "report/failure_text.hpp"
#include "report/mailboxes.hpp"
#include "report/relate.hpp"
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
  Teller(const Names& names, const Execution& execution) : names_(names), execution_(execution) {}

  Story tell() {
    const Failure& failure = execution_.failure;
    story_.kind = !failure && execution_.outcome == Outcome::Diverged ? FailureKind::Nondeterminism : failure.kind;
    story_.message = failure_text(names_, execution_);
    story_.warnings = warning_texts(names_, execution_);
    story_.switches = context_switches(execution_.events);
    list_threads();
    for (const Event& event : execution_.events) add_step(event);
    Relations relations = relate(execution_);
    for (std::size_t i = 0; i < story_.steps.size(); ++i) {
      story_.steps[i].causes = std::move(relations.causes[i]);
      story_.steps[i].alone = relations.alone[i] != 0;
    }
    if (execution_.outcome == Outcome::Deadlock)
      for (const Offer& offer : execution_.pending)
        if (!offer.enabled) add_blocked(offer);
    if (execution_.outcome == Outcome::Deadlock) story_.mailboxes = mailboxes_of(names_, execution_);
    if (execution_.outcome == Outcome::Deadlock) story_.descriptors = descriptors_of(execution_);
    for (const auto& [key, entry] : held_) {
      story_.held.push_back(entry);
      story_.steps[entry.since].alone = false;
    }
    std::sort(story_.held.begin(), story_.held.end(),
              [](const Story::Held& a, const Story::Held& b) { return a.since < b.since; });
    for (Story::BlockedOn& blocked : story_.waiting) add_reader(blocked);
    if (failure.process != kNoProcess) story_.failing = columns_.at(failure.process);
    const auto* const clash = std::get_if<MemoryClash>(&failure.detail);
    story_.failure =
        spot(clash == nullptr || clash->now.stack.empty() ? failure.site : innermost_own(names_, clash->now.stack));
    for (const PrintedPart& part : execution_.printed)
      story_.printed.push_back(
          {part.after, columns_.at(part.process), execution_.output.substr(part.begin, part.end - part.begin)});
    return std::move(story_);
  }

 private:
  // To look something up in debug information takes long, and an execution may do the same many times.

  const Spot& spot(std::uint64_t site) {
    const auto [place, is_new] = spots_.try_emplace(site);
    if (is_new) {
      place->second = {names_.place(site), ""};
      place->second.text = sources_.line(place->second.place.path, place->second.place.line);
    }
    return place->second;
  }

  struct Words {
    std::string operation;
    std::string object;
  };
  const Words& words(const Operation& o) {
    const auto [place, is_new] =
        words_.try_emplace({o.kind, o.flags, o.size, o.memory_order, o.detail, o.object, o.second});
    if (is_new) place->second = {names_.describe(o, execution_.heap), names_.object(o, execution_.heap)};
    return place->second;
  }

  Values values(const Event& event) {
    const Operation& o = event.operation;
    const auto [place, is_new] = values_.try_emplace({o.kind, o.flags, o.size, o.object, event.value, event.written});
    if (is_new) place->second = values_of(names_, event, execution_.heap);
    return place->second;
  }

  /// Threads stand in the order of their names' indices, which is the order in which they were first met.
  void list_threads() {
    for (const Event& event : execution_.events) columns_.try_emplace(event.process, 0);
    if (execution_.outcome == Outcome::Deadlock)
      for (const Offer& offer : execution_.pending) columns_.try_emplace(offer.process, 0);
    // It may fail before its first step.
    if (execution_.failure.process != kNoProcess) columns_.try_emplace(execution_.failure.process, 0);
    for (const PrintedPart& part : execution_.printed) columns_.try_emplace(part.process, 0);
    for (auto& [process, column] : columns_) {
      column = story_.threads.size();
      story_.threads.push_back({names_.process_name(process)});
    }
  }

  void add_step(const Event& event) {
    const std::size_t number = story_.steps.size();
    Story::DescribedStep step;
    step.thread = columns_.at(event.process);
    step.kind = event.operation.kind;
    step.operation = words(event.operation).operation;
    step.object = words(event.operation).object;
    step.values = values(event);
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

  void add_blocked(const Offer& offer) {
    Story::BlockedOn blocked;
    blocked.thread = columns_.at(offer.process);
    blocked.kind = offer.operation.kind;
    blocked.operation = words(offer.operation).operation;
    blocked.object = words(offer.operation).object;
    blocked.spot = spot(offer.site);
    if (const auto holder = columns_.find(offer.holder); holder != columns_.end()) blocked.holder = holder->second;
    blocked.operation = blocking(offer, blocked);
    // One operation may have several outcomes, of which none is possible.
    const auto is_same = [&](const Story::BlockedOn& other) {
      return other.thread == blocked.thread && other.operation == blocked.operation &&
             other.spot.place.path == blocked.spot.place.path && other.spot.place.line == blocked.spot.place.line;
    };
    if (std::ranges::any_of(story_.waiting, is_same)) return;
    story_.threads[blocked.thread].waits = true;
    story_.waiting.push_back(std::move(blocked));
  }

  /// A single reader holds the lock that a writer waits for.
  void add_reader(Story::BlockedOn& blocked) const {
    if (blocked.kind != WriteLock || blocked.holder != kNowhere) return;
    const auto holds = [&](const Story::Held& held) { return held.object == blocked.object; };
    if (std::ranges::count_if(story_.held, holds) == 1)
      blocked.holder = std::ranges::find_if(story_.held, holds)->thread;
  }

  /// What a thread is blocked in, as the program has it: operations that end a wait, or stand for a loop, are ours.
  std::string blocking(const Offer& offer, const Story::BlockedOn& blocked) const {
    const std::size_t last = story_.threads[blocked.thread].last;
    const bool is_asleep = last != kNowhere && story_.steps[last].kind == ConditionWait;
    // Nobody has signalled yet: it is the wait that blocks, not the mutex that it would lock afterwards.
    if (offer.operation.reacquires() && blocked.holder == kNowhere && is_asleep)
      return fmt::format("{} {}", name(ConditionWait), story_.steps[last].object);
    switch (offer.operation.kind) {
      case FutexResume: {
        Operation wait = offer.operation;
        wait.kind = FutexWait;
        return names_.describe(wait, execution_.heap);
      }
      case Await:
      case AwaitModify: return fmt::format("{} on {}", name(Spin), blocked.object);
      default: return blocked.operation;
    }
  }

  const Names& names_;
  const Execution& execution_;
  Story story_;
  SourceFiles sources_;
  std::map<std::uint64_t, Spot> spots_;
  std::map<
      std::tuple<OperationKind, std::uint8_t, std::uint8_t, std::uint8_t, std::uint32_t, std::uint64_t, std::uint64_t>,
      Words>
      words_;
  std::map<std::tuple<OperationKind, std::uint8_t, std::uint8_t, std::uint64_t, std::uint64_t, std::uint64_t>, Values>
      values_;
  std::map<ProcessIndex, std::size_t> columns_;
  std::map<std::pair<std::size_t, Lock>, Story::Held> held_;
};

}  // namespace

bool Spot::known() const { return place.line > 0 && !place.file.empty() && !place.in_foreign_header(); }

Story tell(const Names& names, const Execution& execution) { return Teller(names, execution).tell(); }

std::size_t context_switches(const std::vector<Event>& events) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < events.size(); ++i) count += events[i].process != events[i - 1].process ? 1 : 0;
  return count;
}

}  // namespace mazurka::report
