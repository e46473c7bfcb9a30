// Every row of dependence.hpp against a reference semantics of its objects: all reachable states of a small machine
// with three processes, all pairs of operations of two of them.
//
// Two labelled operations a, b of different processes are dependent if in some state one order is possible and the
// other is not, or both are and end differently, or both are enabled but one disables the other. They race if moreover,
// in some state where they happen in one order, the second could have come first, perhaps with another outcome.
#include "core/dependence.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/footprints.hpp"

namespace mazurka {
namespace {

using enum OperationKind;

constexpr int kProcesses = 3;
using State = std::array<int, 8>;

/// An operation of a process with the outcome it claims: `apply` is false where the state does not allow it, or not
/// with this outcome.
struct Act {
  int process;
  Operation operation;
};
struct Machine {
  State initial;
  std::vector<Act> acts;
  std::function<bool(State&, const Act&)> apply;
  int largest = 9;  ///< states with a larger first entry only keep the machine finite
};

Operation on(OperationKind kind, std::uint8_t flags = 0, std::uint32_t detail = 0) {
  Operation operation;
  operation.kind = kind;
  operation.flags = flags;
  operation.detail = detail;
  operation.object = 64;
  operation.size = 4;
  return operation;
}

std::string text(const Act& act) {
  return fmt::format("{}{}{}:{}", name(act.operation.kind), act.operation.failed() ? "(failed)" : "",
                     act.operation.detail == 0 ? "" : fmt::format("[{}]", act.operation.detail), act.process);
}

std::set<State> reachable(const Machine& machine) {
  std::set<State> states{machine.initial};
  std::vector<State> queue{machine.initial};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Act& act : machine.acts)
      if (State next = queue[i]; machine.apply(next, act) && states.insert(next).second) queue.push_back(next);
  std::erase_if(states, [&](const State& state) { return state[0] > machine.largest; });
  return states;
}

/// Whether a process can perform an operation of this kind in `state`, whatever its outcome or choice would be.
bool possible(const Machine& machine, const State& state, const Act& wanted) {
  for (const Act& act : machine.acts) {
    if (act.process != wanted.process || act.operation.kind != wanted.operation.kind) continue;
    if ((act.operation.flags & kReacquire) != (wanted.operation.flags & kReacquire)) continue;
    if (State next = state; machine.apply(next, act)) return true;
  }
  return false;
}

struct Pair {
  bool meets = false;  ///< in some state one order is possible, or both are enabled
  bool dependent = false;
  bool races = false;  ///< dependent, and where one order happened the second could have come first
};

Pair reference(const Machine& machine, const std::set<State>& states, const Act& a, const Act& b) {
  Pair pair;
  bool reversible = false;
  for (const State& state : states) {
    State sa = state;
    State sb = state;
    const bool a_enabled = machine.apply(sa, a);
    const bool b_enabled = machine.apply(sb, b);
    const bool ab = a_enabled && machine.apply(sa, b);
    const bool ba = b_enabled && machine.apply(sb, a);
    pair.meets |= ab || ba || (a_enabled && b_enabled);
    pair.dependent |= ab != ba || (ab && sa != sb) || (a_enabled && b_enabled && !ab);
    reversible |=
        (a_enabled && b_enabled) || (ab && possible(machine, state, b)) || (ba && possible(machine, state, a));
  }
  pair.races = pair.dependent && reversible;
  return pair;
}

/// Compares the rows of the kinds with the reference: what the others do to the operations of a process, in up to two
/// steps.
void check_rows(const Machine& machine, const std::set<State>& states) {
  struct Seen {
    bool disabled = false;  ///< another process made it impossible
    bool enabled = false;   ///< or possible
    bool changed = false;   ///< or gave it another outcome
  };
  const std::vector<Act>& acts = machine.acts;
  // What a section does is what its operations do: it has no row of its own to compare, and many states.
  if (std::any_of(acts.begin(), acts.end(), [](const Act& act) { return act.operation.kind == AtomicSection; })) return;
  const std::vector<State> all(states.begin(), states.end());
  constexpr std::size_t kUnexplored = SIZE_MAX;
  std::vector<std::vector<std::size_t>> after(all.size());  // each act, kUnexplored where that is not looked at
  std::vector<std::vector<bool>> allowed(all.size());
  for (std::size_t s = 0; s < all.size(); ++s)
    for (const Act& act : acts) {
      State next = all[s];
      allowed[s].push_back(machine.apply(next, act));
      const auto found = allowed[s].back() ? states.find(next) : states.end();
      after[s].push_back(found == states.end() ? kUnexplored : std::distance(states.begin(), found));
    }
  // What a process can do by an operation of this kind: the numbers of acts, one for each outcome and choice.
  const auto labels = [&](std::size_t s, const Act& wanted) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < acts.size(); ++i)
      if (allowed[s][i] && acts[i].process == wanted.process && acts[i].operation.kind == wanted.operation.kind &&
          acts[i].operation.reacquires() == wanted.operation.reacquires())
        found.push_back(i);
    return found;
  };
  std::map<OperationKind, Seen> seen;
  std::set<std::tuple<int, OperationKind, bool>> looked_at;
  for (const Act& mine : acts) {
    if (!looked_at.insert({mine.process, mine.operation.kind, mine.operation.reacquires()}).second) continue;
    std::vector<std::vector<std::size_t>> possible;
    for (std::size_t s = 0; s < all.size(); ++s) possible.push_back(labels(s, mine));
    Seen& kind = seen[mine.operation.kind];
    const auto compare = [&](std::size_t before, std::size_t now) {
      kind.disabled |= !possible[before].empty() && possible[now].empty();
      kind.enabled |= possible[before].empty() && !possible[now].empty();
      kind.changed |= !possible[before].empty() && !possible[now].empty() && possible[before] != possible[now];
    };
    const auto for_each_step_of_others = [&](std::size_t s, const auto& visit) {
      for (std::size_t i = 0; i < acts.size(); ++i)
        if (acts[i].process != mine.process && after[s][i] != kUnexplored) visit(after[s][i]);
    };
    for (std::size_t s = 0; s < all.size(); ++s)
      for_each_step_of_others(s, [&](std::size_t next) {
        compare(s, next);
        for_each_step_of_others(next, [&](std::size_t last) { compare(s, last); });
      });
  }
  for (const auto& [kind, by_others] : seen) {
    const KindFacts& row = facts(kind);
    if (row.possible == Possible::MayBlock) {
      EXPECT_TRUE(by_others.disabled || by_others.enabled) << name(kind) << " never blocks";
    } else {
      EXPECT_FALSE(by_others.disabled) << name(kind) << " may block";
    }
    EXPECT_EQ(by_others.changed, outcome_varies(kind)) << name(kind) << ": its outcome varies, or does not";
  }
  for (const Act& act : machine.acts) {
    const KindFacts& row = facts(act.operation.kind);
    EXPECT_TRUE(!act.operation.failed() || may_fail(row.kind)) << text(act);
    EXPECT_TRUE(act.operation.detail == 0 || row.carries == Carries::Message ||
                (row.carries != Carries::Nothing && row.carries < Carries::Released))
        << text(act);
    EXPECT_TRUE(act.operation.second == 0 || row.carries == Carries::Wait || row.carries >= Carries::Released)
        << text(act);
  }
}

/// Compares the table with the reference for all pairs of operations that ever meet. `coarse` lists pairs of kinds that
/// the table may call dependent without need.
void check(
    const Machine& machine, const std::set<std::pair<OperationKind, OperationKind>>& coarse = {},
    const std::function<bool(const Act&, const Act&)>& concerned = [](const Act&, const Act&) { return true; }) {
  const auto states = reachable(machine);
  check_rows(machine, states);
  int met = 0;
  for (const Act& a : machine.acts)
    for (const Act& b : machine.acts) {
      if (a.process == b.process || !concerned(a, b)) continue;
      const Relation actual = relation(a.operation, b.operation);
      EXPECT_EQ(actual, relation(b.operation, a.operation)) << text(a) << ' ' << text(b);
      const Pair pair = reference(machine, states, a, b);
      if (!pair.meets) continue;
      ++met;
      const bool may_be_coarse = coarse.contains({a.operation.kind, b.operation.kind}) ||
                                 coarse.contains({b.operation.kind, a.operation.kind});
      if (!pair.dependent && may_be_coarse) continue;
      EXPECT_EQ(actual != Relation::Independent, pair.dependent) << text(a) << " and " << text(b);
      EXPECT_EQ(actual == Relation::Racing, pair.races) << text(a) << " and " << text(b);
    }
  EXPECT_GT(met, 0);
}

std::vector<Act> by_all(const std::vector<Operation>& operations) {
  std::vector<Act> acts;
  for (int process = 0; process < kProcesses; ++process)
    for (const Operation& operation : operations) acts.push_back({process, operation});
  return acts;
}

TEST(Dependence, Mutex) {
  // state[0]: owner + 1, 0 if free
  check({{},
         by_all({on(MutexLock), on(MutexTryLock), on(MutexTryLock, kFailed), on(MutexUnlock)}),
         [](State& s, const Act& act) {
           const int me = act.process + 1;
           switch (act.operation.kind) {
             case MutexLock: return s[0] == 0 && (s[0] = me, true);
             case MutexTryLock:
               return act.operation.failed() ? s[0] != 0 && s[0] != me : s[0] == 0 && (s[0] = me, true);
             default: return s[0] == me && (s[0] = 0, true);
           }
         }});
}

TEST(Dependence, RwLock) {
  // state[0]: writer + 1; state[1 + p]: p reads
  check({{},
         by_all({on(ReadLock), on(WriteLock), on(TryReadLock), on(TryReadLock, kFailed), on(TryWriteLock),
                 on(TryWriteLock, kFailed), on(ReadUnlock), on(WriteUnlock)}),
         [](State& s, const Act& act) {
           const int me = act.process + 1;
           const bool read_free = s[0] == 0;
           const bool write_free = s[0] == 0 && s[1] + s[2] + s[3] == 0;
           const bool idle = s[0] != me && s[me] == 0;
           switch (act.operation.kind) {
             case ReadLock: return idle && read_free && (s[me] = 1, true);
             case WriteLock: return idle && write_free && (s[0] = me, true);
             case TryReadLock: return idle && (act.operation.failed() ? !read_free : read_free && (s[me] = 1, true));
             case TryWriteLock: return idle && (act.operation.failed() ? !write_free : write_free && (s[0] = me, true));
             case ReadUnlock: return s[me] == 1 && (s[me] = 0, true);
             default: return s[0] == me && (s[0] = 0, true);
           }
         }});
}

TEST(Dependence, Semaphore) {
  check({{1},
         by_all({on(SemaphoreWait), on(SemaphoreTryWait), on(SemaphoreTryWait, kFailed), on(SemaphorePost)}),
         [](State& s, const Act& act) {
           switch (act.operation.kind) {
             case SemaphorePost: return s[0] < 6 && (++s[0], true);
             case SemaphoreTryWait:
               if (act.operation.failed()) return s[0] == 0;
               [[fallthrough]];
             default: return s[0] > 0 && (--s[0], true);
           }
         },
         3});
}

TEST(Dependence, Barrier) {
  // Two places, two arrivals of each process. state[p]: -1 outside, 0 waiting, else released by that arrival;
  // state[3 + p]: how often p has arrived.
  const auto arrival = [](int process, int ordinal) { return static_cast<std::uint32_t>(10 * ordinal + process + 1); };
  std::vector<Act> acts;
  for (int p = 0; p < kProcesses; ++p)
    for (int ordinal = 0; ordinal < 2; ++ordinal) {
      acts.push_back({p, on(BarrierArrive, 0, arrival(p, ordinal))});
      for (int q = 0; q < kProcesses; ++q) acts.push_back({p, on(BarrierLeave, 0, arrival(q, ordinal))});
    }
  check({{-1, -1, -1}, acts, [&](State& s, const Act& act) {
           int& mine = s[act.process];
           const auto number = static_cast<int>(act.operation.arrival());
           if (act.operation.kind == BarrierLeave) return mine == number && (mine = -1, true);
           int& ordinal = s[3 + act.process];
           if (mine != -1 || ordinal > 1 || arrival(act.process, ordinal) != act.operation.arrival()) return false;
           ++ordinal;
           mine = 0;
           for (int other = 0; other < kProcesses; ++other)
             if (other != act.process && s[other] == 0) mine = s[other] = number;
           return true;
         }});
  EXPECT_EQ(relation(on(BarrierLeave), on(BarrierArrive, 0, 7)), Relation::Ordered) << "a round that is not complete";
}

TEST(Dependence, OnceWithItsGuard) {
  // state[0]: 0 fresh, p + 1 running, 9 done; state[1 + p]: what p last read from the guard
  check({{}, by_all({on(OnceEnter), on(OnceEnter, kFailed), on(OnceLeave), on(Load)}), [](State& s, const Act& act) {
           const int me = act.process + 1;
           switch (act.operation.kind) {
             case OnceLeave: return s[0] == me && (s[0] = 9, true);
             case Load: return s[1 + act.process] = s[0] == 9 ? 1 : 0, true;
             default: return act.operation.failed() ? s[0] == 9 : s[0] == 0 && (s[0] = me, true);
           }
         }});
  Operation leave = on(OnceLeave);
  leave.size = 0;
  EXPECT_FALSE(dependent(leave, on(Load))) << "nobody but pthread_once looks at its object";
}

TEST(Dependence, Memory) {
  // One word that the operations read into a register and write; a register shows the order.
  const auto apply = [](State& s, const Act& act) {
    int& mine = s[1 + act.process];
    const Operation& o = act.operation;
    switch (o.kind) {
      case Load: mine = s[0]; return true;
      case Store: s[0] = act.process + 1; return true;
      case ReadModifyWrite:
        mine = s[0];
        s[0] = (s[0] + 1) % 5;
        return true;
      default:  // expects its own number, writes 4
        if (o.failed()) return s[0] != act.process + 1 && (mine = s[0], true);
        return s[0] == act.process + 1 && (s[0] = 4, true);
    }
  };
  check({{},
         by_all({on(Load), on(Store), on(ReadModifyWrite), on(CompareExchange), on(CompareExchange, kFailed)}),
         apply});

  Operation byte = on(Store);
  byte.size = 1;
  Operation next = byte;
  next.object += 1;
  EXPECT_FALSE(dependent(byte, next)) << "adjacent bytes";
  EXPECT_TRUE(dependent(on(Store), next)) << "a byte inside a word";
}

TEST(Dependence, Awaits) {
  // One word, and for each process what it read last. Awaits wait for an even number; stores and additions of one can
  // make that true and false again.
  check({{},
         by_all({on(Load), on(Store), on(ReadModifyWrite), on(Await), on(AwaitModify), on(AwaitModify, kFailed)}),
         [](State& s, const Act& act) {
           int& mine = s[1 + act.process];
           switch (act.operation.kind) {
             case Load: mine = s[0]; return true;
             case Store: s[0] = act.process + 1; return true;
             case ReadModifyWrite: mine = s[0], s[0] = (s[0] + 1) % 5; return true;
             case Await: return s[0] % 2 == 0 && (mine = s[0], true);
             default:  // expects 2, and writes 3
               if (s[0] % 2 != 0 || (s[0] == 2) == act.operation.failed()) return false;
               mine = s[0];
               if (!act.operation.failed()) s[0] = 3;
               return true;
           }
         }});
}

TEST(Dependence, ConditionVariableWithItsMutex) {
  // state[0]: owner + 1 of the mutex; state[1 + p]: 0 running, 1 waiting, 2 woken
  const std::uint64_t mutex = 128;
  std::vector<Act> acts;
  for (int p = 0; p < kProcesses; ++p) {
    const auto add = [&](Operation operation, bool is_mutex) {
      if (is_mutex) operation.object = mutex;
      acts.push_back({p, operation});
    };
    add(on(MutexLock), true);
    add(on(MutexTryLock), true);
    add(on(MutexTryLock, kFailed), true);
    add(on(MutexUnlock), true);
    Operation wait = on(ConditionWait);
    wait.set_released_mutex(mutex);
    add(wait, false);
    add(on(ConditionTimeout), false);
    for (std::uint32_t woken = 0; woken <= kProcesses; ++woken) add(on(ConditionSignal, 0, woken), false);
    add(on(ConditionBroadcast), false);
    Operation reacquire = on(MutexLock, kReacquire, static_cast<std::uint32_t>(p + 1));
    reacquire.set_awaited_condition(64);
    add(reacquire, true);
  }
  check({{},
         acts,
         [](State& s, const Act& act) {
           const int me = act.process + 1;
           const Operation& o = act.operation;
           if (o.kind == MutexLock && o.reacquires()) return s[me] == 2 && s[0] == 0 && (s[0] = me, s[me] = 0, true);
           if (o.kind == ConditionTimeout) return s[me] == 1 && (s[me] = 2, true);
           if (s[me] != 0) return false;
           switch (o.kind) {
             case MutexLock: return s[0] == 0 && (s[0] = me, true);
             case MutexTryLock: return o.failed() ? s[0] != 0 && s[0] != me : s[0] == 0 && (s[0] = me, true);
             case MutexUnlock: return s[0] == me && (s[0] = 0, true);
             case ConditionWait: return s[0] == me && (s[0] = 0, s[me] = 1, true);
             case ConditionBroadcast:
               for (int other = 1; other <= kProcesses; ++other)
                 if (s[other] == 1) s[other] = 2;
               return true;
             default:
               if (o.woken() == Operation::kNobody) return s[1] != 1 && s[2] != 1 && s[3] != 1;
               return s[1 + o.woken()] == 1 && (s[1 + o.woken()] = 2, true);
           }
         }},
        // Coarser than the labelled operations need: the choices of a signal depend on who else waits.
        {{ConditionSignal, ConditionTimeout},
         {ConditionSignal, ConditionWait},
         {ConditionSignal, ConditionSignal},
         {ConditionSignal, ConditionBroadcast}});
}

TEST(Dependence, FutexWithItsWord) {
  // state[0]: the word; state[1 + p]: 0 running, 1 waiting, 2 woken
  std::vector<Act> acts;
  for (int p = 0; p < kProcesses; ++p) {
    acts.push_back({p, on(Load)});
    acts.push_back({p, on(ReadModifyWrite)});
    acts.push_back({p, on(FutexWait)});
    acts.push_back({p, on(FutexWait, kFailed)});
    acts.push_back({p, on(FutexTimeout)});
    for (std::uint32_t woken = 0; woken <= kProcesses; ++woken) acts.push_back({p, on(FutexWake, 0, woken)});
    acts.push_back({p, on(FutexWake, kAll)});
    acts.push_back({p, on(FutexResume, 0, static_cast<std::uint32_t>(p + 1))});
  }
  check({{},
         acts,
         [](State& s, const Act& act) {
           const int me = act.process + 1;
           const Operation& o = act.operation;
           if (o.kind == FutexResume) return s[me] == 2 && (s[me] = 0, true);
           if (o.kind == FutexTimeout) return s[me] == 1 && (s[me] = 2, true);
           if (s[me] != 0) return false;
           switch (o.kind) {
             case Load: return true;
             case ReadModifyWrite:
               s[0] ^= 1;
               s[4] = s[4] * 3 % 7 + act.process;
               return true;
             case FutexWait: return o.failed() ? s[0] != 0 : s[0] == 0 && (s[me] = 1, true);
             default:
               if (o.wakes_all()) {
                 for (int other = 1; other <= kProcesses; ++other)
                   if (s[other] == 1) s[other] = 2;
                 return true;
               }
               if (o.woken() == Operation::kNobody) return s[1] != 1 && s[2] != 1 && s[3] != 1;
               return s[1 + o.woken()] == 1 && (s[1 + o.woken()] = 2, true);
           }
         }},
        {{FutexWake, FutexTimeout}, {FutexWake, FutexWait}, {FutexWake, FutexWake}, {Load, ReadModifyWrite}});
}

/// A mailbox of process 0, to which the others send two messages each, once, in any order. The pattern takes all of
/// them or those with one of two tags.
void check_mailbox(std::uint32_t mask, std::uint32_t value) {
  constexpr int kMessages = 4;
  const auto tag = [](std::uint32_t message) { return message % 2; };
  std::vector<Act> acts;
  for (std::uint32_t message = 1; message <= kMessages; ++message) {
    Operation send = on(MailboxSend, 0, message);
    send.set_tag(tag(message));
    acts.push_back({message <= 2 ? 1 : 2, send});
  }
  for (const OperationKind kind : {MailboxReceive, MailboxTryReceive})
    for (std::uint32_t message = 0; message <= kMessages; ++message) {
      if (kind == MailboxReceive && message == 0) continue;
      Operation receive = on(kind, message == 0 ? kFailed : std::uint8_t{0}, message);
      receive.set_pattern(mask, value);
      acts.push_back({0, receive});
    }
  // state[0 … 3]: the messages in the mailbox, oldest first; state[4]: those sent, as bits; state[5]: the last one
  // taken
  check({{}, acts, [&](State& s, const Act& act) {
           const Operation& o = act.operation;
           const auto number = static_cast<int>(o.message());
           auto* const end = std::find(s.begin(), s.begin() + kMessages, 0);
           if (o.kind == MailboxSend) return (s[4] >> number & 1) == 0 && (*end = number, s[4] |= 1 << number, true);
           auto* const first = std::find_if(
               s.begin(), end, [&](int message) { return o.matches(tag(static_cast<std::uint32_t>(message))); });
           if (first == end) return o.failed();
           if (*first != number) return false;
           std::copy(first + 1, s.begin() + kMessages, first);
           s[kMessages - 1] = 0;
           s[5] = number;
           return true;
         }});
}

TEST(Dependence, Mailbox) { check_mailbox(0, 0); }
TEST(Dependence, MailboxWithSelectiveReceives) {
  check_mailbox(1, 0);
  check_mailbox(UINT32_MAX, 1);
  Operation one = on(MailboxTryReceive, 0, 1);
  Operation other = on(MailboxReceive, 0, 2);
  EXPECT_EQ(relation(one, other), Relation::Racing) << "two receivers of one mailbox";
  EXPECT_EQ(second_object(one), 0U) << "a pattern is not an object";
}

TEST(Dependence, Descriptors) {
  // state[0]: what is in a pipe; state[1 + p]: what p read last
  check({{}, by_all({on(DescriptorUse), on(DescriptorWait)}), [](State& s, const Act& act) {
           if (act.operation.kind == DescriptorUse) return s[0] = (2 * s[0] + act.process + 1) % 7, true;
           return s[0] != 0 && (s[1 + act.process] = s[0], s[0] = 0, true);
         }});
}

TEST(Dependence, LookupsOfDescriptors) {
  // state[0]: what the number 5 stands for; state[1]: 6; state[2]: their flags; state[3]: what all other calls share;
  // state[4 + p]: what p found last
  std::vector<Act> acts;
  const auto add = [&](std::initializer_list<int> processes, OperationKind kind, DescriptorCall call,
                       std::uint32_t number) {
    for (const int process : processes) {
      acts.push_back({process, on(kind)});
      acts.back().operation.set_call(call, number);
    }
  };
  add({0, 1}, DescriptorLookup, DescriptorCall::Read, 5);
  add({0}, DescriptorLookup, DescriptorCall::Poll, Operation::kNoDescriptor);
  add({1, 2}, DescriptorUse, DescriptorCall::Create, 5);
  add({1, 2}, DescriptorUse, DescriptorCall::Close, 5);
  add({2}, DescriptorUse, DescriptorCall::Close, 6);
  add({2}, DescriptorUse, DescriptorCall::SetFlags, 6);
  add({2}, DescriptorWait, DescriptorCall::Write, 6);
  check({{1, 1}, acts, [](State& s, const Act& act) {
           const Operation& o = act.operation;
           if (o.kind == DescriptorLookup)
             return s[static_cast<std::size_t>(4 + act.process)] =
                        s[0] + 2 * s[2] + (o.descriptor() == 5 ? 0 : 4 * s[1]),
                                                   true;
           if (o.kind == DescriptorWait && s[3] == 0) return false;
           s[3] = (2 * s[3] + act.process + 1) % 3;
           if (o.call() == DescriptorCall::Create) s[0] = 1;
           if (o.call() == DescriptorCall::Close) s[o.descriptor() - 5] = 0;
           if (o.call() == DescriptorCall::SetFlags) s[2] = 1 - s[2];
           return true;
         }});
}

TEST(Dependence, TimePasses) {
  // Processes 1 and 2 do their work, which is none of the other's business; when both have done it, process 0 lets time
  // pass, and there is work again. state[p]: what p has to do
  std::vector<Act> acts = {{0, on(TimePasses)}};
  for (int p = 1; p < kProcesses; ++p)
    for (const OperationKind kind : {Yield, Store}) {
      acts.push_back({p, on(kind)});
      acts.back().operation.object = static_cast<std::uint64_t>(64 * p);
    }
  check({{0, 2, 1}, acts, [](State& s, const Act& act) {
           if (act.process == 0) return s[1] == 0 && s[2] == 0 && (s[1] = 1, s[2] = 2, true);
           return s[act.process] == (act.operation.kind == Yield ? 1 : 2) && (--s[act.process], true);
         }});
  EXPECT_EQ(relation(on(TimePasses), on(Exit)), Relation::Ordered);
}

TEST(Dependence, Annotation) {
  // state[p]: whose releases p knows, as bits; state[3]: what was released at the address
  check({{1, 2, 4}, by_all({on(AnnotateAcquire), on(AnnotateRelease)}), [](State& s, const Act& act) {
           int& mine = s[act.process];
           if (act.operation.kind == AnnotateRelease)
             s[3] |= mine;
           else
             mine |= s[3];
           return true;
         }});
}

TEST(Dependence, Thread) {
  // Process 0 creates thread 2, which starts and ends; processes 0 and 1 may join or detach it.
  // state[0]: 0 none, 1 created, 2 started, 3 ended; state[1]: who joined first
  Operation create = on(ThreadCreate);
  std::vector<Act> acts{{0, create},         {2, on(ThreadStart)},  {2, on(ThreadExit)},  {0, on(ThreadJoin)},
                        {1, on(ThreadJoin)}, {0, on(ThreadDetach)}, {1, on(ThreadDetach)}};
  check({{}, acts, [](State& s, const Act& act) {
           switch (act.operation.kind) {
             case ThreadCreate: return s[0] == 0 && (s[0] = 1, true);
             case ThreadStart: return s[0] == 1 && (s[0] = 2, true);
             case ThreadExit: return s[0] == 2 && (s[0] = 3, true);
             case ThreadDetach: return s[0] > 0 && ((s[1] = s[1] == 0 ? act.process + 1 : s[1]), true);
             default: return s[0] == 3 && ((s[1] = s[1] == 0 ? act.process + 1 : s[1]), true);
           }
         }});
}

/// What a section does is unknown until it was executed: even one that does nothing may then depend on it.
TEST(Dependence, SectionsThatWereNotExecutedRaceWithAll) {
  Operation unknown = on(AtomicSection);
  unknown.object = kUnknownFootprint;
  Operation empty = unknown;
  empty.object = intern_footprint({}, 0);
  EXPECT_EQ(relation(unknown, empty), Relation::Racing);
  EXPECT_EQ(relation(empty, unknown), Relation::Racing);
  EXPECT_EQ(relation(unknown, unknown), Relation::Racing);
  EXPECT_EQ(relation(empty, empty), Relation::Independent);
}

/// Sections over two words and a register each: what they touch, and how.
TEST(Dependence, AtomicSections) {
  const auto word = [](OperationKind kind, std::uint64_t which) {
    Operation operation = on(kind);
    operation.object = 64 + 8 * which;
    return operation;
  };
  const auto section = [](std::vector<Operation> inside) {
    Operation operation = on(AtomicSection);
    operation.object = intern_footprint(inside, 0);
    operation.size = 0;
    return operation;
  };
  // Bits of what an act reads and writes, by its operation.
  std::map<std::uint64_t, std::pair<int, int>> touches;
  std::vector<Operation> operations{word(Load, 0), word(Store, 0), word(ReadModifyWrite, 1)};
  for (int reads = 0; reads < 4; ++reads)
    for (int writes = 0; writes < 4; ++writes) {
      std::vector<Operation> inside;
      for (unsigned which = 0; which < 2; ++which) {
        if ((reads >> which & 1) != 0) inside.push_back(word(Load, which));
        if ((writes >> which & 1) != 0) inside.push_back(word(Store, which));
      }
      operations.push_back(section(inside));
      touches[operations.back().object] = {reads, writes};
    }
  // state[0], state[1]: the words; state[2 + p]: what p has read
  check({{}, by_all(operations), [&](State& s, const Act& act) {
           const Operation& o = act.operation;
           std::pair<int, int> touched;
           if (o.kind == AtomicSection)
             touched = touches.at(o.object);
           else if (o.kind == ReadModifyWrite)
             touched = {2, 2};
           else
             touched = o.kind == Load ? std::pair{1, 0} : std::pair{0, 1};
           int& mine = s[2 + static_cast<std::size_t>(act.process)];
           for (unsigned which = 0; which < 2; ++which)
             if ((touched.first >> which & 1) != 0) mine = (mine * 4 + s[which]) % 8;
           for (unsigned which = 0; which < 2; ++which)
             if ((touched.second >> which & 1) != 0) s[which] = act.process + 1;
           return true;
         }});
  EXPECT_EQ(relation(section({on(ThreadCreate)}), on(ThreadStart)), Relation::Ordered);
  EXPECT_EQ(relation(on(MutexUnlock), section({on(MutexLock)})), Relation::Racing) << "the lock would have blocked";
  EXPECT_EQ(relation(section({on(MutexUnlock)}), on(MutexLock)), Relation::Ordered);
  EXPECT_EQ(relation(section({on(Exit)}), on(Choose)), Relation::Racing) << "nothing comes after the end";
  EXPECT_EQ(relation(section({on(Store)}), on(Choose)), Relation::Independent);
  EXPECT_EQ(intern_footprint(std::vector{on(Load)}, 0), intern_footprint(std::vector{on(Load)}, 0));
  EXPECT_NE(intern_footprint(std::vector{on(Load)}, 0), intern_footprint(std::vector{on(Store)}, 0));
}

TEST(Dependence, SiblingsReachAllAlternatives) {
  Operation two = on(Choose, 0, 2);
  Operation three = on(Choose, 0, 3);
  Operation section = on(AtomicSection);
  section.object = intern_footprint(std::vector{two, three}, 2);
  std::vector<std::uint32_t> found{0};
  for (std::size_t i = 0; i < found.size(); ++i)
    for_each_sibling(section, found[i], [&](std::uint32_t sibling) {
      if (std::find(found.begin(), found.end(), sibling) == found.end()) found.push_back(sibling);
      return false;
    });
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Dependence, LifeOfAMutex) {
  // state[0]: owner + 1; state[1]: 0 alive, 1 destroyed, 2 freed; state[2 + p]: p has failed, and does nothing any more
  Operation release = on(Free);
  release.object = 32;
  release.set_length(64);
  release.size = 0;
  // A plain write over it, as by memset, makes it one that nobody holds.
  Operation overwrite = on(Store, kPlain);
  overwrite.object = 60;
  overwrite.size = 8;
  Operation beside = overwrite;
  beside.object = 56;
  const auto apply = [](State& s, const Act& act) {
    const int me = act.process + 1;
    int& failed = s[2 + act.process];
    if (failed != 0) return false;
    const auto is = [&](int life) { return s[1] == life || (failed = 1, false); };
    const auto renew = [&] {
      if (s[1] == 2) return failed = 1, true;
      s[0] = s[1] = 0;
      return true;
    };
    switch (act.operation.kind) {
      case Free:
        if (s[1] == 2) failed = 1;
        s[1] = 2;
        return true;
      case ObjectInit: return renew();
      case Store:
        if (act.operation.object == 60) return renew();
        if (s[1] == 2) failed = 1;
        return true;
      case ObjectDestroy:
        if (s[0] != 0) failed = 1;
        if (is(0) && failed == 0) s[1] = 1;
        return true;
      case MutexLock:
        if (!is(0)) return true;
        return s[0] == 0 && (s[0] = me, true);
      case MutexTryLock:
        if (!is(0)) return !act.operation.failed();
        return act.operation.failed() ? s[0] != 0 && s[0] != me : s[0] == 0 && (s[0] = me, true);
      default:
        if (!is(0)) return true;
        if (s[0] != me) return failed = 1, true;
        return s[0] = 0, true;
    }
  };
  // How uses depend on each other is told by the tables of their own families.
  const auto concerns_life = [](const Act& a, const Act& b) {
    const Family f = family(a.operation.kind);
    const Family g = family(b.operation.kind);
    return f == Family::Lifetime || g == Family::Lifetime || f != g;
  };
  check({{},
         by_all({on(MutexLock), on(MutexTryLock), on(MutexTryLock, kFailed), on(MutexUnlock), on(ObjectInit),
                 on(ObjectDestroy), release, overwrite, beside}),
         apply},
        // New is new, however often; other objects are initialised with a value. A try fails where somebody holds the
        // mutex, and so does destroying it.
        {{ObjectInit, ObjectInit}, {Store, ObjectInit}, {MutexTryLock, ObjectDestroy}}, concerns_life);
}

TEST(Dependence, WhatIsFreedMeetsEverythingInIt) {
  Operation release = on(Free);
  release.object = 32;
  release.set_length(64);
  for (int i = 0; i < static_cast<int>(Count); ++i) {
    Operation inside = on(static_cast<OperationKind>(i));
    if (inside.kind == AtomicSection) continue;  // it depends on what its operations depend on
    if (inside.kind == TimePasses) continue;     // it is ordered with everything
    inside.set_length(inside.kind == Free ? 8 : 0);
    const Family f = family(inside.kind);
    const bool meets = lies_in_memory(f) || f == Family::World;
    EXPECT_EQ(relation(inside, release), meets ? Relation::Racing : Relation::Independent) << name(inside.kind);
    EXPECT_EQ(dependent(release, inside), meets) << name(inside.kind);
    for (const std::uint64_t outside : {std::uint64_t{16}, std::uint64_t{96}}) {
      inside.object = outside;
      inside.size = 16;
      EXPECT_EQ(dependent(release, inside), f == Family::World) << name(inside.kind) << " at " << outside;
    }
  }
  Operation wait = on(ConditionWait);
  wait.object = 128;
  wait.set_released_mutex(64);
  EXPECT_EQ(relation(wait, release), Relation::Racing) << "the mutex of a wait";
  Operation destroy = on(ObjectDestroy);
  EXPECT_EQ(relation(wait, destroy), Relation::Racing);
  destroy.object = 128;
  Operation reacquire = on(MutexLock, kReacquire, 1);
  reacquire.set_awaited_condition(128);
  EXPECT_EQ(relation(reacquire, destroy), Relation::Independent) << "who is woken does not need the condition variable";
}

TEST(Dependence, ObjectsAndFamiliesAreSeparate) {
  for (int i = 0; i < static_cast<int>(Count); ++i)
    for (int j = 0; j < static_cast<int>(Count); ++j) {
      Operation a = on(static_cast<OperationKind>(i));
      Operation b = on(static_cast<OperationKind>(j));
      for (Operation* o : {&a, &b})
        if (o->kind == AtomicSection) o->object = kUnknownFootprint;
      EXPECT_EQ(relation(a, b), relation(b, a)) << name(a.kind) << ' ' << name(b.kind);
      const bool world = interferes_with_everything(a) || interferes_with_everything(b);
      const bool none = a.kind == None || b.kind == None;
      a.second = 1;
      b.second = 2;
      if (b.kind != AtomicSection) b.object = 1 << 20;
      EXPECT_EQ(dependent(a, b), world && !none) << name(a.kind) << ' ' << name(b.kind) << " on different objects";
    }
}

}  // namespace
}  // namespace mazurka
