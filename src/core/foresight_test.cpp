// Random executions of small machines: what is computed from the values of two racing events is what happens when the
// history is run.
#include "core/foresight.hpp"

#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "core/happens_before.hpp"
#include "core/random.hpp"

namespace mazurka {
namespace {

using enum OperationKind;

constexpr ProcessIndex kThree = 3;
constexpr std::uint64_t kTheObject = 64;  // a word of four bytes, a lock or a semaphore
constexpr std::uint64_t kItsCondition = 128;

/// What a process is to do: the kind, and numbers whose meaning depends on it.
struct Intent {
  OperationKind kind;
  std::uint8_t number;  // expected or stored; of a memory access also which half, or none
};

/// One object with three processes, each of which follows its intents as far as it can.
class OneObject {
 public:
  explicit OneObject(const std::array<std::vector<Intent>, kThree>& program) : program_(program) {}

  /// The next step of a process, as it would take place now; none where it is blocked or has ended.
  std::optional<Event> next(ProcessIndex process) const {
    const Process& p = processes_[process];
    if (p.ended || p.position == program_[process].size()) return std::nullopt;
    Intent intent = program_[process][p.position];
    Event event;
    event.process = process;
    Operation& o = event.operation;
    if (p.holds != None) intent.kind = give_back(p.holds, intent);
    o.kind = intent.kind;
    o.object = intent.kind == ConditionWait ? kItsCondition : kTheObject;
    if (intent.kind == ConditionWait) o.set_released_mutex(kTheObject);
    const bool memory = family(o.kind) == Family::Memory || family(o.kind) == Family::Futex;
    if (memory) {
      o.size = 4;
      if (intent.number >= 8) o.size = 2, o.object += intent.number >= 12 ? 2 : 0;
      if (o.kind == Store && intent.number % 4 == 3) o.flags |= kPlain;
      event.value = read(o);
    }
    const std::uint64_t expected = intent.number % 3;
    const std::uint64_t stored = 1 + intent.number % 2;
    bool failed = false;
    switch (o.kind) {
      case Store: event.written = stored; break;
      case ReadModifyWrite: event.written = (event.value + 1) % 3; break;
      case CompareExchange:
        failed = event.value != expected;
        event.written = failed ? expected : stored;
        break;
      case FutexWait:
        failed = event.value != expected;
        event.written = expected;
        break;
      case Await:
      case AwaitModify:
        if (event.value % 2 == 0) return std::nullopt;
        event.written = o.kind == AwaitModify ? 0 : event.value;
        break;
      case MutexLock:
        if (holder_ != None) return std::nullopt;
        break;
      case MutexTryLock: failed = holder_ != None; break;
      case SemaphoreWait:
        if (count_ == 0) return std::nullopt;
        break;
      case SemaphoreTryWait: failed = count_ == 0; break;
      case ReadLock:
        if (holder_ != None) return std::nullopt;
        break;
      case WriteLock:
        if (holder_ != None || readers_ != 0) return std::nullopt;
        break;
      case TryReadLock: failed = holder_ != None; break;
      case TryWriteLock: failed = holder_ != None || readers_ != 0; break;
      default: break;
    }
    if (failed) o.flags |= kFailed;
    return event;
  }

  void take(const Event& event) {
    Process& p = processes_[event.process];
    const Operation& o = event.operation;
    ++p.position;
    if (writes_memory(o)) write(o, event.written);
    if (o.kind == SemaphorePost) ++count_;
    if ((o.kind == SemaphoreWait || o.kind == SemaphoreTryWait) && !o.failed()) --count_;
    const bool reads = o.kind == ReadLock || o.kind == TryReadLock || o.kind == ReadUnlock;
    if (takes_object(o)) {
      p.holds = o.kind;
      reads ? ++readers_ : (holder_ = o.kind, 0);
    } else if (releases_object(o) || o.kind == ConditionWait) {
      p.holds = None;
      reads ? --readers_ : (holder_ = None, 0);
    }
    p.ended = o.kind == ConditionWait;  // nobody signals
  }

 private:
  struct Process {
    std::size_t position = 0;
    OperationKind holds = None;  // by what it got its lock
    bool ended = false;
  };

  static OperationKind give_back(OperationKind taken, const Intent& intent) {
    if (family(taken) == Family::Mutex) return intent.number % 4 == 0 ? ConditionWait : MutexUnlock;
    return taken == ReadLock || taken == TryReadLock ? ReadUnlock : WriteUnlock;
  }
  std::uint64_t read(const Operation& o) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < o.size; ++i) value |= std::uint64_t{memory_[o.object - kTheObject + i]} << (8 * i);
    return value;
  }
  void write(const Operation& o, std::uint64_t value) {
    for (unsigned i = 0; i < o.size; ++i)
      memory_[o.object - kTheObject + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  const std::array<std::vector<Intent>, kThree>& program_;
  std::array<Process, kThree> processes_;
  std::array<std::uint8_t, 4> memory_{};
  OperationKind holder_ = None;
  unsigned readers_ = 0;
  unsigned count_ = 0;
};

struct Tally {
  int same = 0;
  int another = 0;
  int unknown = 0;
};

/// Compares for each race of random executions; the tally is about events f of the wanted kind.
Tally tally_races(const std::vector<OperationKind>& kinds, OperationKind wanted, bool halves = true) {
  Tally tally;
  const std::uint64_t numbers = halves ? 16 : 8;
  SplitMix64 random(static_cast<std::uint64_t>(wanted));
  for (int round = 0; round < 3000; ++round) {
    std::array<std::vector<Intent>, kThree> program;
    for (auto& intents : program)
      for (std::uint64_t i = 0; i < 2 + random.below(3); ++i)
        intents.push_back({kinds[random.below(kinds.size())], static_cast<std::uint8_t>(random.below(numbers))});
    std::vector<Event> events;
    for (OneObject machine(program); events.size() < 64;) {
      std::vector<Event> enabled;
      for (ProcessIndex p = 0; p < kThree; ++p)
        if (auto event = machine.next(p)) enabled.push_back(*event);
      if (enabled.empty()) break;
      events.push_back(enabled[random.below(enabled.size())]);
      machine.take(events.back());
    }
    HappensBefore order;
    order.assign(events);
    const auto follows = [&](EventIndex z, EventIndex from) { return z == from || order.before(from, z); };
    for (EventIndex f = 0; f < events.size(); ++f) {
      EventIndex last = f;  // of its process before it
      for (EventIndex i = 0; i < f; ++i)
        if (events[i].process == events[f].process) last = i;
      for (EventIndex e = 0; e < f; ++e) {
        if (events[e].process == events[f].process || (last != f && follows(last, e)) ||
            relation(events[e].operation, events[f].operation) != Relation::Racing)
          continue;
        const std::optional<Operation> known = outcome_in_place_of(events[e], events[f]);
        if (events[f].operation.kind == wanted)
          ++(!known ? tally.unknown : *known == events[f].operation ? tally.same : tally.another);
        if (!known) continue;
        OneObject machine(program);
        for (EventIndex z = 0; z < events.size(); ++z) {
          if (follows(z, e) || follows(z, f)) continue;
          const auto again = machine.next(events[z].process);
          EXPECT_TRUE(again && again->operation == events[z].operation)
              << "an event of the history has another outcome";
          machine.take(events[z]);
        }
        const auto then = machine.next(events[f].process);
        EXPECT_TRUE(then && then->operation == *known)
            << name(events[e].operation.kind) << " before " << name(events[f].operation.kind) << " in round " << round;
      }
    }
  }
  return tally;
}

void check_outcomes(const std::vector<OperationKind>& kinds, OperationKind wanted, bool both_outcomes) {
  const Tally tally = tally_races(kinds, wanted);
  EXPECT_GT(tally.same, 50) << name(wanted);
  if (both_outcomes) {
    EXPECT_GT(tally.another, 50) << name(wanted);
  }
}

TEST(Foresight, OutcomesOfAccesses) {
  const std::vector<OperationKind> kinds{Load, Store, ReadModifyWrite, CompareExchange, FutexWait, Await, AwaitModify};
  check_outcomes(kinds, CompareExchange, true);
  check_outcomes(kinds, FutexWait, true);
  check_outcomes(kinds, Await, false);
  check_outcomes(kinds, AwaitModify, false);
}

TEST(Foresight, OutcomesOfTries) {
  check_outcomes({MutexLock, MutexTryLock}, MutexTryLock, true);
  check_outcomes({SemaphoreWait, SemaphoreTryWait, SemaphorePost, SemaphorePost}, SemaphoreTryWait, true);
  check_outcomes({ReadLock, WriteLock, TryReadLock, TryWriteLock}, TryReadLock, true);
  check_outcomes({ReadLock, WriteLock, TryReadLock, TryWriteLock}, TryWriteLock, true);
}

TEST(Foresight, OutcomesAreKnownWhereAllAccessTheSameBytes) {
  EXPECT_EQ(tally_races({Load, ReadModifyWrite, CompareExchange}, CompareExchange, false).unknown, 0);
  EXPECT_EQ(tally_races({MutexLock, MutexTryLock}, MutexTryLock).unknown, 0);
}

TEST(Foresight, AMutexThatWasNotHeldTellsNothing) {
  Event unlock;
  unlock.operation.kind = MutexUnlock;
  unlock.operation.object = kTheObject;
  Event attempt = unlock;
  attempt.process = 1;
  attempt.operation.kind = MutexTryLock;
  EXPECT_TRUE(outcome_in_place_of(unlock, attempt).has_value());
  unlock.value = kNotHeld;
  EXPECT_FALSE(outcome_in_place_of(unlock, attempt).has_value());
}

TEST(Foresight, AServerAtTheSameLocationTakesTheSameStep) {
  Event e;
  e.operation.kind = Synchronise;
  e.operation.object = 3;
  e.value = 7;
  Event f = e;
  f.process = 1;
  f.operation.set_action(5);
  EXPECT_EQ(outcome_in_place_of(e, f), f.operation);
  f.value = 8;
  EXPECT_FALSE(outcome_in_place_of(e, f).has_value());
}

}  // namespace
}  // namespace mazurka
