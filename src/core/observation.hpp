// Observers (§4 and §6 of *Optimal DPOR with Observers*): the order of two stores to the same bytes matters only if
// some event reads the value of the second. From that read on it matters, also for everything before the read.
//
// This applies only to stores to exactly the same bytes: accesses that overlap partially are always ordered (end of
// §4). A read-modify-write also reads, so its order is always observed.
//
// The order of two deliveries to one mailbox matters only if a receive takes the first and could have taken the second:
// it matches too, and no earlier receive has taken it (dpor/deliveries.hpp).
#pragma once

#include "core/dependence.hpp"

namespace mazurka {

/// Whether both operations are deliveries to one mailbox, and neither makes the program fail. (A failure observes
/// whether the other came before it.)
constexpr bool are_deliveries(const Operation& first, const Operation& second) {
  return first.kind == OperationKind::MailboxSend && second.kind == OperationKind::MailboxSend &&
         first.object == second.object && ((first.flags | second.flags) & kFatal) == 0;
}

/// Whether the order of these operations of different processes matters only to an observer. If one of them makes the
/// program fail, the failure itself is an observer; so is a process that waits for the location.
constexpr bool needs_observer(const Operation& first, const Operation& second) {
  if (first.kind != OperationKind::Store) return are_deliveries(first, second);
  return second.kind == OperationKind::Store && first.object == second.object && first.size == second.size &&
         ((first.flags | second.flags) & (kFatal | kAwaited)) == 0;
}

/// Whether `second` depends on the earlier operation `first`, given that `second` is observed or not.
constexpr bool depends(const Operation& first, const Operation& second, bool unobserved) {
  return dependent(first, second) && !(unobserved && needs_observer(first, second));
}

/// Whether an operation reads any of the bytes that `store` writes.
constexpr bool observes(const Operation& reader, const Operation& store) {
  if (reads_memory(reader)) return detail::overlap(reader, store);
  if (reader.kind == OperationKind::AtomicSection) return dependent(reader, store);  // its stores are always ordered
  // Using a synchronisation object observes what it was overwritten with. Freeing its bytes observes nothing.
  return family(reader.kind) == Family::World || detail::overwrites(store, reader);
}

/// What happens to the value of a store in the events after it.
enum class Fate { Unread, Observed, Overwritten };
constexpr Fate fate_of(const Operation& store, const Operation& later) {
  if (observes(later, store)) return Fate::Observed;
  return needs_observer(store, later) ? Fate::Overwritten : Fate::Unread;
}

}  // namespace mazurka
