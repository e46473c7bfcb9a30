// Observers (§4 and §6 of *Optimal DPOR with Observers*): the order of two stores to the same bytes matters only if
// somebody reads what the second of them stored. Then it does, from that read on, for everything before the read too.
//
// Only stores to exactly the same bytes are treated so: an access to some of the bytes of another is ordered with it
// always (end of §4). A read-modify-write is a read too, so its order is always seen.
//
// The order of two deliveries to one mailbox matters only if a receive takes the first of them and could have taken the
// second: it matches too, and no receive before has taken it (deliveries.hpp in dpor/).
#pragma once

#include "core/dependence.hpp"

namespace mazurka {

/// Whether the operations are deliveries to one mailbox. If one of them makes the program fail, everybody sees whether
/// the other came before it.
constexpr bool are_deliveries(const Operation& first, const Operation& second) {
  return first.kind == OperationKind::MailboxSend && second.kind == OperationKind::MailboxSend &&
         first.object == second.object && ((first.flags | second.flags) & kFatal) == 0;
}

/// Whether the order of these two operations of different processes matters only to an observer. If one of them makes
/// the program fail, everybody sees whether the other came before it; so does who waits for the location.
constexpr bool needs_observer(const Operation& first, const Operation& second) {
  if (first.kind != OperationKind::Store) return are_deliveries(first, second);
  return second.kind == OperationKind::Store && first.object == second.object && first.size == second.size &&
         ((first.flags | second.flags) & (kFatal | kAwaited)) == 0;
}

/// Dependence of `second` on an earlier operation, where `second` is known to be unobserved or not.
constexpr bool depends(const Operation& first, const Operation& second, bool unobserved) {
  return dependent(first, second) && !(unobserved && needs_observer(first, second));
}

/// Whether an operation reads any of the bytes that `store` writes.
constexpr bool observes(const Operation& reader, const Operation& store) {
  if (reads_memory(reader)) return detail::overlap(reader, store);
  if (reader.kind == OperationKind::AtomicSection) return dependent(reader, store);  // what it stores is ordered always
  // Using a synchronisation object shows what it was overwritten with. Freeing its bytes shows nothing.
  return family(reader.kind) == Family::World || detail::overwrites(store, reader);
}

/// What becomes of the value of a store, as seen by the operations after it.
enum class Fate { Unread, Observed, Overwritten };
constexpr Fate fate_of(const Operation& store, const Operation& later) {
  if (observes(later, store)) return Fate::Observed;
  return needs_observer(store, later) ? Fate::Overwritten : Fate::Unread;
}

}  // namespace mazurka
