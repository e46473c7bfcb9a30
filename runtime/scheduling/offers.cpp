#include "runtime/scheduling/offers.hpp"

#include "runtime/detector/detector.hpp"
#include "runtime/detector/object_use.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/messages/mailbox.hpp"
#include "runtime/scheduling/operation_words.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/back_offs.hpp"
#include "runtime/waiting/waits.hpp"

namespace mazurka::runtime {

using enum OperationKind;

namespace {

template <class View>
const View& object(const Thread& thread) {
  return *reinterpret_cast<const View*>(thread.pending.object);
}

}  // namespace

bool memory_equals_expected(const Thread& thread, const Operation& operation) {
  const void* address = reinterpret_cast<const void*>(operation.object);
  switch (operation.size) {
    case 1: return *static_cast<const std::uint8_t*>(address) == static_cast<std::uint8_t>(thread.expected[0]);
    case 2: return *static_cast<const std::uint16_t*>(address) == static_cast<std::uint16_t>(thread.expected[0]);
    case 4: return *static_cast<const std::uint32_t*>(address) == static_cast<std::uint32_t>(thread.expected[0]);
    case 8: return *static_cast<const std::uint64_t*>(address) == thread.expected[0];
    default: {
      // Sixteen bytes. Other sizes go through the generic library calls, which compare for themselves.
      const auto* words = static_cast<const std::uint64_t*>(address);
      return words[0] == thread.expected[0] && words[1] == thread.expected[1];
    }
  }
}

bool enabled(const Thread& thread) {
  const std::uint32_t me = thread.index + 1;
  switch (thread.pending.kind) {
    case ThreadJoin: return threads.all[thread.pending.object].life == Life::Done;
    case MutexLock: {
      if (thread.queue != Queue::None && !thread.woken) return false;
      // A relock by the owner is enabled, to report the error. So is a lock of a destroyed spin lock.
      const std::uint32_t owner = object<Mutex>(thread).owner;
      return owner == 0 || owner == me || owner == kDestroyed;
    }
    case ReadLock: return object<RwLock>(thread).writer == 0 || object<RwLock>(thread).writer == me;
    case WriteLock: {
      const auto& lock = object<RwLock>(thread);
      return (lock.writer == 0 && lock.readers == 0) || lock.writer == me;
    }
    case BarrierLeave: return object<Barrier>(thread).round != thread.expected[0];
    case SemaphoreWait: return object<Semaphore>(thread).value > 0 || object<Semaphore>(thread).mark == kDestroyed;
    case OnceEnter: return (&object<std::uint8_t>(thread))[thread.pending.size] != kOnceRunning;
    case FutexResume: return thread.woken;
    case DescriptorWait: return thread.prospect(thread.prospect_of).ready;
    case MailboxReceive: return can_receive(thread.pending, thread.index);
    case Await:
    case AwaitModify: return !is_idle(thread);
    case Assume:  // only announced if it does not hold
    case Spin:
    case None: return false;
    default: return true;
  }
}

bool try_fails(const Operation& operation) {
  const auto* rwlock = reinterpret_cast<const RwLock*>(operation.object);
  switch (operation.kind) {
    case MutexTryLock: return reinterpret_cast<const Mutex*>(operation.object)->owner != 0;
    case TryReadLock: return rwlock->writer != 0;
    case TryWriteLock: return rwlock->writer != 0 || rwlock->readers != 0;
    case SemaphoreTryWait: return reinterpret_cast<const Semaphore*>(operation.object)->value == 0;
    default: return false;
  }
}

Operation resolved(const Thread& thread) {
  Operation result;
  copy_words(result, thread.pending);
  bool failed = false;
  switch (result.kind) {
    case MutexTryLock:
    case TryReadLock:
    case TryWriteLock:
    case SemaphoreTryWait: failed = try_fails(thread.pending); break;
    case OnceEnter: failed = object<std::uint8_t>(thread) == kOnceDone; break;
    case CompareExchange:
    case FutexWait: failed = !memory_equals_expected(thread, thread.pending); break;
    case MailboxReceive:
    case MailboxTryReceive:
      if (const Message* message = wanted_message(result); message != nullptr) result.set_message(message->number);
      failed = result.kind == MailboxTryReceive && result.message() == 0;
      break;
    case AwaitModify:
      failed = thread.awaited.kind == CompareExchange && !memory_equals_expected(thread, thread.pending);
      break;
    default: return result;
  }
  if (failed) result.flags |= kFailed;
  return result;
}

ProcessIndex holder(const Thread& thread) {
  const auto owner = [](std::uint32_t number) { return number == 0 ? kNoProcess : number - 1; };
  switch (thread.pending.kind) {
    case ThreadJoin: return static_cast<ProcessIndex>(thread.pending.object);
    case MutexLock:
      if (thread.queue != Queue::None && !thread.woken) return kNoProcess;
      return owner(object<Mutex>(thread).owner);
    case Spin: return has_backed_off(thread) ? owner(object<Mutex>(thread).owner) : kNoProcess;
    case ReadLock:
    case WriteLock: return owner(object<RwLock>(thread).writer);
    case OnceEnter:
      for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
        for (const auto* once = threads.all[i].onces; once != nullptr; once = once->next)
          if (reinterpret_cast<std::uint64_t>(once->object) == thread.pending.object) return i;
      return kNoProcess;
    default: return kNoProcess;
  }
}

bool waits_for(const void* object) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    const Thread& thread = threads.all[i];
    if (thread.life != Life::Live || &thread == scheduling.current) continue;
    if (thread.queue == Queue::Condition && !thread.woken && thread.pending.awaited_condition() == address) return true;
    // If lifetimes are scheduling points, a thread that is about to use the object has not used it yet. Only a waiter
    // of a condition variable has, and it will relock the mutex.
    if (detector.guarding && thread.queue != Queue::Condition) continue;
    const Family family = mazurka::family(thread.pending.kind);
    if (family != Family::Thread && family != Family::Memory && thread.pending.object == address) return true;
  }
  return false;
}

}  // namespace mazurka::runtime
