// The dependence relation: when do two operations of different processes interfere? The whole relation is here, one row
// per pair of kinds that can meet on an object, each with the argument why the pair commutes or does not.
// dependence_test.cpp checks every row by brute force against a reference semantics of the objects.
//
// A row must hold in every state, because the relation defines the equivalence classes of executions: a pair that
// commutes in some states only is dependent. Header-only, since the scheduler in the runtime wakes sleeping threads by
// the same relation.
#pragma once

#include "core/footprint.hpp"
#include "core/operation.hpp"

namespace mazurka {

enum class Relation : std::uint8_t {
  Independent,  ///< in every state: both orders are enabled, with the same results and the same final state
  Ordered,      ///< dependent, but only `first` enables `second`: the pair cannot be reversed, so it is no race
  Racing,       ///< dependent, and in some state `second` is enabled before `first`, perhaps with another outcome
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
  // Two threads that join or detach the same thread: an error, and the order decides which of them succeeds.
  const auto claims = [](OperationKind kind) { return kind == ThreadJoin || kind == ThreadDetach; };
  if (claims(first.kind) && claims(second.kind)) return Relation::Racing;
  // A thread does not notice that it is detached.
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
  // A failed try changes nothing, but its result depends on whether it comes before, between or after the lock and
  // unlock of others. An unlock enables a lock; a lock disables every other lock. So only acquisitions race, and tries,
  // which are always enabled.
  if (first.kind == MutexUnlock || second.kind == MutexUnlock)
    return try_involved ? Relation::Racing : Relation::Ordered;
  // Acquisitions: whoever comes first gets the mutex.
  return Relation::Racing;
}

constexpr Relation condition_relation(const Operation& first, const Operation& second) {
  // Two waiters join the set of waiters. A signal chooses from the set, which does not record the order of arrival.
  // (Both release a mutex; if it is the same one, the mutex rules order them.)
  if (first.kind == ConditionWait && second.kind == ConditionWait) return Relation::Independent;
  // Two waiters that time out leave the set in either order.
  if (first.kind == ConditionTimeout && second.kind == ConditionTimeout) return Relation::Independent;
  // Joining and leaving by different threads concern different members of the set.
  if ((first.kind == ConditionWait && second.kind == ConditionTimeout) ||
      (first.kind == ConditionTimeout && second.kind == ConditionWait))
    return Relation::Independent;
  // After one broadcast the set is empty; a second one changes nothing, in either order.
  if (first.kind == ConditionBroadcast && second.kind == ConditionBroadcast) return Relation::Independent;
  // A signal against a wait, broadcast, time-out or another signal: the set of waiters decides who wakes.
  return Relation::Racing;
}

constexpr Relation rwlock_relation(const Operation& first, const Operation& second) {
  const auto reads = [](OperationKind k) { return k == ReadLock || k == ReadUnlock || k == TryReadLock; };
  const auto unlocks = [](OperationKind k) { return k == ReadUnlock || k == WriteUnlock; };
  // Readers increment and decrement a count; a try for reading fails only because of a writer.
  if (reads(first.kind) && reads(second.kind)) return Relation::Independent;
  // Two failed tries change nothing. A failed try for writing cannot tell how many readers there are, but the first
  // reader to arrive and the last to leave change its result: only tries commute with it.
  if (is_try(first.kind) && is_try(second.kind) && first.failed() && second.failed()) return Relation::Independent;
  // As for a mutex: an unlock enables waiting acquisitions; only acquisitions and tries race.
  const bool try_involved = is_try(first.kind) || is_try(second.kind);
  if ((unlocks(first.kind) || unlocks(second.kind)) && !try_involved) return Relation::Ordered;
  return Relation::Racing;
}

constexpr Relation barrier_relation(const Operation& first, const Operation& second) {
  // Leaving is enabled once the round is complete, and affects nobody else.
  if (first.kind == BarrierLeave && second.kind == BarrierLeave) return Relation::Independent;
  // Two arrivals: the last of a round is told so. If there are more threads than the barrier's count, the order also
  // decides who shares a round.
  if (first.kind == second.kind) return Relation::Racing;
  // The last arrival of a round enables leaving it, for good: arrivals for later rounds do not matter.
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
  // At zero a post enables a wait. At one, two waits compete. Above one they commute, but a row must hold in every
  // state.
  return Relation::Racing;
}

constexpr Relation once_relation(const Operation& first, const Operation& second) {
  // Two that find the initialiser has run change nothing.
  if (first.failed() && second.failed()) return Relation::Independent;
  // The first to enter runs the initialiser; the others are enabled after it has left.
  if (first.kind == OnceEnter && second.kind == OnceEnter) return Relation::Racing;
  return Relation::Ordered;
}

constexpr Relation memory_relation(const Operation& first, const Operation& second) {
  // Reads commute, and a failed compare-exchange is a read. A write commutes with no access to a common byte.
  return writes_memory(first) || writes_memory(second) ? Relation::Racing : Relation::Independent;
}

constexpr Relation futex_relation(const Operation& first, const Operation& second) {
  // Waiters join and leave the set of waiters, from which a wake chooses; resuming affects only the resumed thread.
  if (first.kind != FutexWake && second.kind != FutexWake) return Relation::Independent;
  // After one wake of all the set is empty; a second one changes nothing, in either order.
  if (first.kind == second.kind && first.wakes_all() && second.wakes_all()) return Relation::Independent;
  // A wait that only read the word did not join the set.
  if (first.failed() || second.failed()) return Relation::Independent;
  if (first.kind == FutexResume || second.kind == FutexResume) {
    // A wake-all may be what woke this waiter, or may come too late to wake it.
    if (first.wakes_all() || second.wakes_all()) return Relation::Racing;
    // A wake of one waiter enables that waiter and no other.
    const Operation& wake = first.kind == FutexWake ? first : second;
    const Operation& resume = first.kind == FutexWake ? second : first;
    return wake.woken() == resume.waiter() ? Relation::Ordered : Relation::Independent;
  }
  // A wake against a wait or a time-out, or two wakes: the set of waiters decides who resumes.
  return Relation::Racing;
}

constexpr Relation mailbox_relation(const Operation& first, const Operation& second) {
  // Messages are queued in the order of their sends.
  if (first.kind == MailboxSend && second.kind == MailboxSend) return Relation::Racing;
  // A mailbox belongs to one thread: if two receive from it, the second is an error. Two receives that give up change
  // nothing.
  if (first.kind != MailboxSend && second.kind != MailboxSend)
    return first.failed() && second.failed() ? Relation::Independent : Relation::Racing;
  const Operation& send = first.kind == MailboxSend ? first : second;
  const Operation& receive = first.kind == MailboxSend ? second : first;
  // A receive that gives up found no matching message; a matching one sent earlier would change that.
  if (receive.failed()) return receive.matches(send.tag()) ? Relation::Racing : Relation::Independent;
  // Before or after the receive, this message is not the one taken: an older one matches.
  if (receive.message() != send.message()) return Relation::Independent;
  // The message that is taken has arrived. Without it the receive is disabled, or gives up if it may.
  return receive.kind == MailboxReceive ? Relation::Ordered : Relation::Racing;
}

constexpr Relation descriptor_relation(const Operation& first, const Operation& second) {
  const bool looks_up = first.kind == DescriptorLookup;
  // All descriptors are one object, so that poll and epoll, which examine several, are steps on it like all other
  // calls: the result of each call may depend on any other.
  if (!looks_up && second.kind != DescriptorLookup) return Relation::Racing;
  // A lookup changes nothing but the number of calls inside a description, and these are counted in any order.
  if (first.kind == second.kind) return Relation::Independent;
  const Operation& lookup = looks_up ? first : second;
  const Operation& other = looks_up ? second : first;
  switch (other.call()) {
    // A new number may be the one that is looked up; flags belong to a description, which may have several numbers.
    case DescriptorCall::Create:
    case DescriptorCall::Duplicate:
    case DescriptorCall::Open:
    case DescriptorCall::SetFlags: return Relation::Racing;
    case DescriptorCall::Close:
      return lookup.descriptor() == other.descriptor() || lookup.descriptor() == Operation::kNoDescriptor
                 ? Relation::Racing
                 : Relation::Independent;
    // The others change neither what a number stands for nor the flags.
    default: return Relation::Independent;
  }
}

constexpr Relation annotation_relation(const Operation& first, const Operation& second) {
  // Releases accumulate in any order, and acquires leave the address unchanged. But an acquire synchronises with the
  // releases before it, so the order decides which accesses are ordered.
  return first.kind == second.kind ? Relation::Independent : Relation::Racing;
}

/// `a` begins or ends the lifetime of the object in its bytes, so it races with every use of them: a use outside the
/// lifetime is an error.
constexpr Relation lifetime_relation(const Operation& a, const Operation& b) {
  // Threads and servers have numbers, not addresses; the address of an annotation is only a name.
  if (!lies_in_memory(family(b.kind))) return Relation::Independent;
  if (a.object < b.object + extent(b) && b.object < a.object + extent(a)) return Relation::Racing;
  // A wait uses the mutex it releases. The reacquisition after a wake-up does not use the condition variable: POSIX
  // allows its destruction as soon as no thread is blocked on it.
  if (b.kind != ConditionWait) return Relation::Independent;
  return a.object <= b.released_mutex() && b.released_mutex() < a.object + extent(a) ? Relation::Racing
                                                                                     : Relation::Independent;
}

/// Whether a write to memory overwrites a synchronisation object, which counts as a new initialisation.
constexpr bool overwrites(const Operation& write, const Operation& use) {
  if (!writes_memory(write) || !is_synchronisation_object(family(use.kind))) return false;
  const auto hits = [&](std::uint64_t object) { return write.object <= object && object < write.object + write.size; };
  return hits(use.object) || (use.kind == ConditionWait && hits(use.released_mutex()));
}

/// Apart from lifetimes and from being overwritten, objects of different families meet in three cases only: futexes
/// live in memory, compiled code reads the guards of function-local statics, and condition variables come with a mutex.
/// `a` acts on the futex, guard or condition variable, `b` on the memory or mutex.
constexpr Relation cross_relation(const Operation& a, const Operation& b) {
  // Waiting on a futex reads its word.
  if (a.kind == FutexWait && family(b.kind) == Family::Memory)
    return writes_memory(b) && overlap(a, b) ? Relation::Racing : Relation::Independent;
  // Leaving the initialiser of a static sets its guard, which other threads read without entering.
  if (a.kind == OnceLeave && family(b.kind) == Family::Memory)
    return a.size != 0 && overlap(a, b) ? Relation::Racing : Relation::Independent;
  if (family(a.kind) != Family::Condition || family(b.kind) != Family::Mutex) return Relation::Independent;
  // A wait releases its mutex, like an unlock.
  if (a.kind == ConditionWait && a.released_mutex() == b.object)
    return is_try(b.kind) ? Relation::Racing : Relation::Ordered;
  // A woken waiter reacquires its mutex; before the wake-up that is disabled.
  if (!b.reacquires() || b.awaited_condition() != a.object) return Relation::Independent;
  if (a.kind == ConditionBroadcast)
    return Relation::Racing;  // it may have woken this waiter, or come too late to wake it
  if (a.kind == ConditionSignal && a.woken() == b.waiter()) return Relation::Ordered;
  return Relation::Independent;
}

inline Relation section_relation(const Operation& section, const Operation& other);

}  // namespace detail

namespace detail {

/// For two operations of one family on the same object, or on a common byte.
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
    case Family::Descriptor: return descriptor_relation(first, second);
    // Actions with a common server are dependent by Def. 10 of *Revisiting Stateful POR*.
    case Family::Server: return Relation::Racing;
    case Family::Lifetime:
    case Family::Local:
    case Family::World:
    case Family::Section: break;
  }
  return Relation::Racing;
}

/// For operations of different families, or of a family that is not tied to an object.
constexpr Relation mixed_relation(Family a, Family b, const Operation& first, const Operation& second) {
  if (first.kind == None || second.kind == None) return Relation::Independent;
  // Time passes only if nothing else is enabled. So nothing before it could come after it, nor the other way round.
  if (first.kind == TimePasses || second.kind == TimePasses) return Relation::Ordered;
  // After the program has ended nothing is enabled, not even local steps.
  if (a == Family::World || b == Family::World) return Relation::Racing;
  // A section is always enabled: if an operation inside would block, that is a failure.
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

/// The relation of two operations of *different* processes. Symmetric; by convention `first` is the earlier one.
constexpr Relation relation(const Operation& first, const Operation& second) {
  const Family a = family(first.kind);
  const Family b = family(second.kind);
  if (a != b || a == Family::Lifetime || a == Family::Local || a >= Family::World)
    return detail::mixed_relation(a, b, first, second);
  if (a == Family::Memory)
    return detail::overlap(first, second) ? detail::memory_relation(first, second) : Relation::Independent;
  // Two condition waits that release the same mutex: one of the threads does not hold it.
  if (first.kind == OperationKind::ConditionWait && second.kind == OperationKind::ConditionWait &&
      first.released_mutex() == second.released_mutex())
    return Relation::Ordered;
  if (first.object != second.object) return Relation::Independent;
  return detail::same_object_relation(a, first, second);
}

/// Whether two operations of different processes are dependent. Symmetric. The innermost loop of every explorer asks
/// this, so pairs with nothing in common are rejected before the table is consulted.
constexpr bool dependent(const Operation& a, const Operation& b) {
  const std::uint64_t end_of_a = a.object + (a.size == 0 ? 1 : a.size);
  const std::uint64_t end_of_b = b.object + (b.size == 0 ? 1 : b.size);
  const bool apart = end_of_a <= b.object || end_of_b <= a.object;
  const bool one_object_each =
      (a.second | b.second) == 0 && family(a.kind) < Family::World && family(b.kind) < Family::World;
  return !(apart && one_object_each) && relation(a, b) != Relation::Independent;
}

/// The kinds that can race with a later operation of this kind that has no flags set. Operations that interfere with
/// everything are left out.
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
  return found == 0 ? 0 : found | set_of(OperationKind::AtomicSection);  // it may contain one of them
}

/// A section executes atomically, so it depends on whatever one of its operations depends on. If nothing dependent is
/// executed in between, it behaves the same again, because it reads the same values.
inline Relation detail::section_relation(const Operation& section, const Operation& other) {
  // Even a section that does nothing: an unknown one may turn out to end the program.
  if (section.object == kUnknownFootprint || has_unknown_footprint(other)) return Relation::Racing;
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
