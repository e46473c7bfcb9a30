// When two operations of different processes interfere. The whole relation stands here, one row per pair of kinds that
// may meet on one object, each with the argument why it commutes or why it does not. dependence_test.cpp checks every
// row against a reference semantics of the objects by brute force.
//
// A row must hold in every state, since the classes of executions are defined by it: where a pair commutes in some
// states only, it is dependent. Header-only: the runtime wakes sleeping threads by the same relation.
#pragma once

#include "core/footprint.hpp"
#include "core/operation.hpp"

namespace mazurka {

enum class Relation : std::uint8_t {
  Independent,  ///< in every state both orders are possible, with the same results and the same state at the end
  Ordered,      ///< dependent, but the second is possible only because of the first: no race
  Racing,       ///< dependent, and in some state the second could have come first, perhaps with another outcome
};

namespace detail {

using enum OperationKind;

constexpr bool overlap(const Operation& a, const Operation& b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

constexpr bool is_try(OperationKind kind) {
  return kind == MutexTryLock || kind == TryReadLock || kind == TryWriteLock || kind == SemaphoreTryWait;
}

constexpr Relation thread_relation(const Operation& first, const Operation& second) {
  // A thread starts after its creation and is joined after its end; the other order does not exist.
  if (first.kind == ThreadCreate && second.kind == ThreadStart) return Relation::Ordered;
  if (first.kind == ThreadExit && second.kind == ThreadJoin) return Relation::Ordered;
  // Two that join or detach one thread: an error, and which of them succeeds depends on the order.
  const auto claims = [](OperationKind kind) { return kind == ThreadJoin || kind == ThreadDetach; };
  if (claims(first.kind) && claims(second.kind)) return Relation::Racing;
  // Whether a thread is detached changes nothing for the thread itself.
  if (first.kind == ThreadDetach || second.kind == ThreadDetach)
    return first.kind == ThreadCreate || second.kind == ThreadCreate ? Relation::Ordered : Relation::Independent;
  // The remaining pairs (creation and end, start and join, …) are never adjacent without one of the above between.
  return Relation::Ordered;
}

constexpr Relation mutex_relation(const Operation& first, const Operation& second) {
  const bool try_involved = is_try(first.kind) || is_try(second.kind);
  // Two failed tries both found the mutex held and changed nothing.
  if (first.kind == MutexTryLock && second.kind == MutexTryLock && first.failed() && second.failed())
    return Relation::Independent;
  // A failed try changes nothing, but between a lock and an unlock of others its result depends on its place.
  // An unlock makes a lock possible that was not; a lock blocks every other: only acquisitions race, and tries, which
  // are possible at any time.
  if (first.kind == MutexUnlock || second.kind == MutexUnlock)
    return try_involved ? Relation::Racing : Relation::Ordered;
  // Acquisitions: whoever comes first gets the mutex.
  return Relation::Racing;
}

constexpr Relation condition_relation(const Operation& first, const Operation& second) {
  // Two waiters join a set, from which a signal chooses: the order of joining is not kept. (Both release a mutex; if it
  // is the same one, the mutex rules order them.)
  if (first.kind == ConditionWait && second.kind == ConditionWait) return Relation::Independent;
  // Two waiters that give up by themselves leave the set in either order.
  if (first.kind == ConditionTimeout && second.kind == ConditionTimeout) return Relation::Independent;
  // Joining and leaving by different threads concern different members of the set.
  if ((first.kind == ConditionWait && second.kind == ConditionTimeout) ||
      (first.kind == ConditionTimeout && second.kind == ConditionWait))
    return Relation::Independent;
  // After one broadcast the set is empty; a second one changes nothing, in either order.
  if (first.kind == ConditionBroadcast && second.kind == ConditionBroadcast) return Relation::Independent;
  // A signal and a wait, broadcast, time-out or other signal: who is in the set decides who wakes.
  return Relation::Racing;
}

constexpr Relation rwlock_relation(const Operation& first, const Operation& second) {
  const auto reads = [](OperationKind k) { return k == ReadLock || k == ReadUnlock || k == TryReadLock; };
  const auto unlocks = [](OperationKind k) { return k == ReadUnlock || k == WriteUnlock; };
  // Readers count up and down; a try for reading fails only because of a writer.
  if (reads(first.kind) && reads(second.kind)) return Relation::Independent;
  // Two failed tries change nothing. A failed try for writing cannot tell how many readers there are, but the last of
  // them to leave, or the first to come, does change its result: only tries commute with it.
  if (is_try(first.kind) && is_try(second.kind) && first.failed() && second.failed()) return Relation::Independent;
  // As for a mutex: an unlock enables what waits; only acquisitions and tries race.
  const bool try_involved = is_try(first.kind) || is_try(second.kind);
  if ((unlocks(first.kind) || unlocks(second.kind)) && !try_involved) return Relation::Ordered;
  return Relation::Racing;
}

constexpr Relation barrier_relation(const Operation& first, const Operation& second) {
  // Leaving is possible once the round is complete, and concerns the leaver alone.
  if (first.kind == BarrierLeave && second.kind == BarrierLeave) return Relation::Independent;
  // Two arrivals: who comes last is told so and, with more threads than places, who comes first decides who shares a
  // round.
  if (first.kind == second.kind) return Relation::Racing;
  // The last arrival of a round makes leaving it possible, which then stays so, whoever arrives for the next rounds.
  const Operation& arrive = first.kind == BarrierArrive ? first : second;
  const Operation& leave = first.kind == BarrierArrive ? second : first;
  return leave.arrival() == 0 || leave.arrival() == arrive.arrival() ? Relation::Ordered : Relation::Independent;
}

constexpr Relation semaphore_relation(const Operation& first, const Operation& second) {
  // Additions commute.
  if (first.kind == SemaphorePost && second.kind == SemaphorePost) return Relation::Independent;
  // Two failed tries change nothing.
  if (first.kind == SemaphoreTryWait && second.kind == SemaphoreTryWait && first.failed() && second.failed())
    return Relation::Independent;
  // At zero a post makes a wait possible; at one two waits compete; above, they would commute, but a row holds for
  // every state.
  return Relation::Racing;
}

constexpr Relation once_relation(const Operation& first, const Operation& second) {
  // Two that find the initialiser done change nothing.
  if (first.failed() && second.failed()) return Relation::Independent;
  // Whoever enters first runs the initialiser; the others can enter only after it has left.
  if (first.kind == OnceEnter && second.kind == OnceEnter) return Relation::Racing;
  return Relation::Ordered;
}

constexpr Relation memory_relation(const Operation& first, const Operation& second) {
  // Reads commute; a failed compare-exchange is a read; a write and any other access of a common byte do not.
  return writes_memory(first) || writes_memory(second) ? Relation::Racing : Relation::Independent;
}

constexpr Relation futex_relation(const Operation& first, const Operation& second) {
  // Waiters join and leave a set from which a wake chooses; resuming concerns the resumed alone.
  if (first.kind != FutexWake && second.kind != FutexWake) return Relation::Independent;
  // After one wake of all the set is empty; a second one changes nothing, in either order.
  if (first.kind == second.kind && first.wakes_all() && second.wakes_all()) return Relation::Independent;
  // A wait that only read the word never joined the set.
  if (first.failed() || second.failed()) return Relation::Independent;
  if (first.kind == FutexResume || second.kind == FutexResume) {
    // A wake of all may be what made this waiter go on, or come too late for it.
    if (first.wakes_all() || second.wakes_all()) return Relation::Racing;
    // A wake of one makes that one go on, who could not before, and does not concern the others.
    const Operation& wake = first.kind == FutexWake ? first : second;
    const Operation& resume = first.kind == FutexWake ? second : first;
    return wake.woken() == resume.waiter() ? Relation::Ordered : Relation::Independent;
  }
  // A wake and a wait or a time-out, or two wakes: who is in the set decides who goes on.
  return Relation::Racing;
}

constexpr Relation mailbox_relation(const Operation& first, const Operation& second) {
  // The order of messages is the order of their sending.
  if (first.kind == MailboxSend && second.kind == MailboxSend) return Relation::Racing;
  // A mailbox belongs to one thread: if two receive from it, whoever comes second is told that it is wrong. Two that
  // give up change nothing.
  if (first.kind != MailboxSend && second.kind != MailboxSend)
    return first.failed() && second.failed() ? Relation::Independent : Relation::Racing;
  const Operation& send = first.kind == MailboxSend ? first : second;
  const Operation& receive = first.kind == MailboxSend ? second : first;
  // A receive that gives up found no message that matches, which one that arrives earlier would change.
  if (receive.failed()) return receive.matches(send.tag()) ? Relation::Racing : Relation::Independent;
  // A message that arrives while an older one matches is not the one that is taken, before the receive or after it.
  if (receive.message() != send.message()) return Relation::Independent;
  // The message that is taken has arrived: without it the receive waits, or gives up if it can.
  return receive.kind == MailboxReceive ? Relation::Ordered : Relation::Racing;
}

constexpr Relation annotation_relation(const Operation& first, const Operation& second) {
  // What is released adds up, in either order, and acquiring changes nothing at the address. But what an acquisition
  // gets, and so which accesses are ordered, is what was released before it.
  return first.kind == second.kind ? Relation::Independent : Relation::Racing;
}

/// `a` begins or ends the life of what lies in its bytes, and races with every use of them: a use before or after that
/// is another one, if only because it is an error.
constexpr Relation lifetime_relation(const Operation& a, const Operation& b) {
  // Threads and servers have numbers, not addresses; that of an annotation is only a name.
  if (!lies_in_memory(family(b.kind))) return Relation::Independent;
  if (a.object < b.object + extent(b) && b.object < a.object + extent(a)) return Relation::Racing;
  // A wait gives up its mutex. That a woken waiter takes it again is no use of the condition variable: POSIX lets it be
  // destroyed as soon as nobody is blocked on it.
  if (b.kind != ConditionWait) return Relation::Independent;
  return a.object <= b.released_mutex() && b.released_mutex() < a.object + extent(a) ? Relation::Racing
                                                                                     : Relation::Independent;
}

/// Whether a write to memory hits a synchronisation object, which then is another one, as after an initialisation.
constexpr bool overwrites(const Operation& write, const Operation& use) {
  if (!writes_memory(write) || !is_synchronisation_object(family(use.kind))) return false;
  const auto hits = [&](std::uint64_t object) { return write.object <= object && object < write.object + write.size; };
  return hits(use.object) || (use.kind == ConditionWait && hits(use.released_mutex()));
}

/// Apart from the end of their life and from being overwritten, objects of different families meet in three places
/// only: futexes live in memory, compiled code reads the guards of function-local statics, and condition variables come
/// with a mutex. `a` is on the futex, guard or condition variable, `b` on the memory or mutex.
constexpr Relation cross_relation(const Operation& a, const Operation& b) {
  // Waiting on a futex reads its word.
  if (a.kind == FutexWait && family(b.kind) == Family::Memory)
    return writes_memory(b) && overlap(a, b) ? Relation::Racing : Relation::Independent;
  // Leaving the initialiser of a static sets its guard, which others read without entering.
  if (a.kind == OnceLeave && family(b.kind) == Family::Memory)
    return a.size != 0 && overlap(a, b) ? Relation::Racing : Relation::Independent;
  if (family(a.kind) != Family::Condition || family(b.kind) != Family::Mutex) return Relation::Independent;
  // A wait releases its mutex, as an unlock does.
  if (a.kind == ConditionWait && a.released_mutex() == b.object)
    return is_try(b.kind) ? Relation::Racing : Relation::Ordered;
  // A woken waiter takes its mutex again, which it could not before it was woken.
  if (!b.reacquires() || b.awaited_condition() != a.object) return Relation::Independent;
  if (a.kind == ConditionBroadcast)
    return Relation::Racing;  // it may be what woke this waiter, or come too late for it
  if (a.kind == ConditionSignal && a.woken() == b.waiter()) return Relation::Ordered;
  return Relation::Independent;
}

inline Relation section_relation(const Operation& section, const Operation& other);

}  // namespace detail

namespace detail {

/// Of two operations of one family on one object, or on bytes in common.
constexpr Relation same_object_relation(Family both, const Operation& first, const Operation& second) {
  switch (both) {
    case Family::Thread: return thread_relation(first, second);
    case Family::Mutex: return mutex_relation(first, second);
    case Family::Condition: return condition_relation(first, second);
    case Family::RwLock: return rwlock_relation(first, second);
    case Family::Barrier: return barrier_relation(first, second);
    case Family::Semaphore: return semaphore_relation(first, second);
    case Family::Once: return once_relation(first, second);
    case Family::Memory: return memory_relation(first, second);
    case Family::Futex: return futex_relation(first, second);
    case Family::Mailbox: return mailbox_relation(first, second);
    case Family::Annotation: return annotation_relation(first, second);
    // All descriptors are one object, so that poll and epoll, which look at several, are steps on it like all other
    // calls: what each of them finds may be what another one left. Actions with a common server are dependent by Def.
    // 10 of *Revisiting Stateful POR*.
    case Family::Descriptor:
    case Family::Server: return Relation::Racing;
    case Family::Lifetime:
    case Family::Local:
    case Family::World:
    case Family::Section: break;
  }
  return Relation::Racing;
}

/// Where at least one of the families is no set of objects, or they differ.
constexpr Relation mixed_relation(Family a, Family b, const Operation& first, const Operation& second) {
  if (first.kind == None || second.kind == None) return Relation::Independent;
  // Time passes where nothing else can move. So what came before it had to, and what comes after it could not before.
  if (first.kind == TimePasses || second.kind == TimePasses) return Relation::Ordered;
  // After the end of the program nothing is possible, not even what concerns a process alone.
  if (a == Family::World || b == Family::World) return Relation::Racing;
  // A section is possible at any time, if only to fail because something inside would block.
  if (b == Family::Section)
    return section_relation(second, first) == Relation::Independent ? Relation::Independent : Relation::Racing;
  if (a == Family::Section) return section_relation(first, second);
  if (a == Family::Local || b == Family::Local) return Relation::Independent;
  if (a == Family::Lifetime) return lifetime_relation(first, second);
  if (b == Family::Lifetime) return lifetime_relation(second, first);
  if (overwrites(first, second) || overwrites(second, first)) return Relation::Racing;
  return a == Family::Futex || a == Family::Condition || a == Family::Once ? cross_relation(first, second)
                                                                           : cross_relation(second, first);
}

}  // namespace detail

/// The relation of two operations of *different* processes, `first` having happened before `second`. Symmetric.
constexpr Relation relation(const Operation& first, const Operation& second) {
  const Family a = family(first.kind);
  const Family b = family(second.kind);
  if (a != b || a == Family::Lifetime || a == Family::Local || a >= Family::World)
    return detail::mixed_relation(a, b, first, second);
  if (a == Family::Memory)
    return detail::overlap(first, second) ? detail::memory_relation(first, second) : Relation::Independent;
  // Two waiters that release one mutex, whatever they wait for: one of them does not hold it.
  if (first.kind == OperationKind::ConditionWait && second.kind == OperationKind::ConditionWait &&
      first.released_mutex() == second.released_mutex())
    return Relation::Ordered;
  if (first.object != second.object) return Relation::Independent;
  return detail::same_object_relation(a, first, second);
}

/// Whether two operations of different processes are dependent. Symmetric. This is the innermost question of every
/// explorer, so what has nothing in common is sorted out before the table is asked.
constexpr bool dependent(const Operation& a, const Operation& b) {
  const std::uint64_t end_of_a = a.object + (a.size == 0 ? 1 : a.size);
  const std::uint64_t end_of_b = b.object + (b.size == 0 ? 1 : b.size);
  const bool apart = end_of_a <= b.object || end_of_b <= a.object;
  const bool one_object_each =
      (a.second | b.second) == 0 && family(a.kind) < Family::World && family(b.kind) < Family::World;
  return !(apart && one_object_each) && relation(a, b) != Relation::Independent;
}

/// The kinds of which some operation may race with one of this kind that sets no flags and comes after it. Events that
/// interfere with everything are left out.
constexpr KindSet racing_kinds(OperationKind kind) {
  constexpr std::uint64_t kObject = 64;
  const Operation later{kind, 0, 1, 0, 0, kObject, kObject};
  KindSet found = 0;
  for (int i = 0; i < static_cast<int>(OperationKind::Count); ++i) {
    Operation earlier = later;
    earlier.kind = static_cast<OperationKind>(i);
    if (family(earlier.kind) >= Family::World) continue;
    for (int flags = 0; flags < 2 * kAll; ++flags) {
      earlier.flags = static_cast<std::uint8_t>(flags);
      if (relation(earlier, later) == Relation::Racing) found |= set_of(earlier.kind);
    }
  }
  return found == 0 ? 0 : found | set_of(OperationKind::AtomicSection);  // which may contain it
}

/// A section takes place at once, so it interferes with whatever one of its operations interferes with. As long as
/// nothing interferes with these, a section does the same again: what it reads has not changed.
inline Relation detail::section_relation(const Operation& section, const Operation& other) {
  if (section.object == kUnknownFootprint) return Relation::Racing;
  Relation strongest = Relation::Independent;
  for (const Operation& inside : FootprintRange(section)) {
    if (family(other.kind) < Family::World && !dependent(inside, other)) continue;
    const Relation found = relation(inside, other);
    if (found > strongest) strongest = found;
    if (strongest == Relation::Racing) break;
  }
  return strongest;
}

}  // namespace mazurka
