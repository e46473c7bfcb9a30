#include "core/foresight.hpp"

namespace mazurka {
namespace {

using enum OperationKind;

constexpr std::uint8_t kRecorded = 8;  // size of a value that an event can record

Operation with_outcome(const Operation& operation, bool failed) {
  Operation result = operation;
  result.flags = static_cast<std::uint8_t>(failed ? result.flags | kFailed : result.flags & ~kFailed);
  return result;
}

/// Whether the mutex was free before e; none if e does not tell.
std::optional<bool> was_free(const Event& e, std::uint64_t mutex) {
  const Operation& o = e.operation;
  if (family(o.kind) == Family::Mutex && o.object == mutex) {
    if (o.kind != MutexUnlock) return !o.failed();
  } else if (o.kind != ConditionWait || o.released_mutex() != mutex) {
    return std::nullopt;
  }
  if (e.value == kNotHeld) return std::nullopt;
  return false;
}

/// Whether the semaphore was above zero before e. Posts commute with each other, so a post does not tell.
std::optional<bool> was_available(const Operation& e, std::uint64_t semaphore) {
  if (e.object != semaphore || (e.kind != SemaphoreWait && e.kind != SemaphoreTryWait)) return std::nullopt;
  return !e.failed();
}

/// Whether the reader-writer lock had no holder before e (otherwise it had a writer). Readers commute with each other,
/// so they do not tell; nor does a failed try for writing.
std::optional<bool> had_no_holder(const Operation& e, std::uint64_t lock) {
  if (e.object != lock || e.failed()) return std::nullopt;
  if (e.kind == WriteLock || e.kind == TryWriteLock) return true;
  if (e.kind == WriteUnlock) return false;
  return std::nullopt;
}

}  // namespace

bool tells_value(const Operation& e, const Operation& f) {
  const bool looks =
      family(e.kind) == Family::Memory ? (e.flags & kPlain) == 0 || !writes_memory(e) : e.kind == FutexWait;
  return looks && e.object == f.object && e.size == f.size && e.size <= kRecorded;
}

std::optional<Operation> outcome_in_place_of(const Event& e, const Event& f) {
  const Operation& operation = f.operation;
  std::optional<bool> succeeds;
  switch (operation.kind) {
    case CompareExchange:
    case FutexWait:
      if (tells_value(e.operation, operation)) succeeds = e.value == (operation.failed() ? f.written : f.value);
      break;
    case Await:
    case AwaitModify:
      // It proceeds with the value it found. The other values with which it would proceed are not recorded.
      if (tells_value(e.operation, operation) && e.value == f.value) succeeds = true;
      break;
    case Synchronise:
      // The same action from the same location of the server.
      if (e.operation.kind == Synchronise && e.operation.object == operation.object && e.value == f.value)
        succeeds = true;
      break;
    case MutexTryLock: succeeds = was_free(e, operation.object); break;
    case SemaphoreTryWait: succeeds = was_available(e.operation, operation.object); break;
    case MailboxTryReceive:
      // Without the message that f took, no message matches: an older one would have been taken instead, and younger
      // ones depend on this one.
      if (!operation.failed() && e.operation.kind == MailboxSend && e.operation.object == operation.object &&
          e.operation.message() == operation.message())
        succeeds = false;
      break;
    case TryReadLock:
    case TryWriteLock: succeeds = had_no_holder(e.operation, operation.object); break;
    default: break;
  }
  if (!succeeds) return std::nullopt;
  Operation result = with_outcome(operation, !*succeeds);
  if (operation.kind == MailboxTryReceive) result.set_message(0);
  return result;
}

}  // namespace mazurka
