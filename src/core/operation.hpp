// Visible operations: what a step of a process does to the objects it shares with others. Header-only and free of the
// standard library beyond fixed-width integers, since the runtime inside a program under test uses it too.
#pragma once

#include <cstdint>

namespace mazurka {

/// What an operation acts on. Operations on objects of different families never interfere, except as dependence.hpp
/// says.
enum class Family : std::uint8_t {
  Local,      ///< nothing shared: choices, assumptions, yields, fences under sequential consistency
  Thread,     ///< a thread, named by its process index
  Mutex,      ///< mutexes and spin locks, by address
  Condition,  ///< condition variables, by address
  RwLock,
  Barrier,
  Semaphore,
  Once,
  Memory,      ///< a range of bytes
  Futex,       ///< the wait queue of a memory word; waiting also reads the word
  Lifetime,    ///< begin or end of whatever lives in a range of bytes: depends on every use of it
  Mailbox,     ///< the queue of messages of one receiver
  Annotation,  ///< an address by which a program says to the race detector what it orders
  Server,      ///< a server of a network of automata, by component id
  World,       ///< everything at once: ending the program
  Section,     ///< what the operations inside an atomic section act on, see footprint.hpp
};

enum class OperationKind : std::uint8_t {
  None,  ///< no operation: a process that has ended

  ThreadCreate,  ///< object: the new thread
  ThreadStart,   ///< object: the thread itself
  ThreadExit,    ///< object: the thread itself
  ThreadJoin,    ///< object: the thread waited for
  ThreadDetach,  ///< object: the thread that nobody can join any more

  MutexLock,
  MutexTryLock,  ///< also timed locks, which may give up
  MutexUnlock,

  ConditionWait,     ///< releases the mutex `second` and queues up; a MutexLock with kReacquire follows once woken
  ConditionTimeout,  ///< a waiter leaves the queue by itself (time-out or spurious wake-up)
  ConditionSignal,   ///< wakes one waiter, which is a choice
  ConditionBroadcast,

  ReadLock,
  WriteLock,
  TryReadLock,
  TryWriteLock,
  ReadUnlock,
  WriteUnlock,

  BarrierArrive,
  BarrierLeave,  ///< enabled when the round is complete

  SemaphoreWait,
  SemaphoreTryWait,
  SemaphorePost,

  OnceEnter,  ///< blocks while another thread runs the initialiser; with kFailed it has run already
  OnceLeave,  ///< the initialiser has run; with a size it sets the guard of a static, which compiled code reads

  Load,
  Store,
  ReadModifyWrite,
  CompareExchange,  ///< with kFailed it is a Load

  FutexWait,     ///< reads the word and queues up if it has the expected value; with kFailed it only reads
  FutexTimeout,  ///< a waiter leaves the queue by itself
  FutexWake,     ///< wakes one waiter, which is a choice, or with kAll all of them
  FutexResume,   ///< a woken waiter goes on

  ObjectInit,     ///< initialises a synchronisation object
  ObjectDestroy,  ///< destroys one
  Free,           ///< gives a block back; second: its length

  MailboxSend,
  MailboxReceive,

  AnnotateAcquire,  ///< what was released at this address so far happens before what follows
  AnnotateRelease,  ///< what came before happens before later acquisitions at this address

  Synchronise,  ///< an action of a network; detail: the action

  Choose,  ///< a data choice; detail: the number of alternatives
  Assume,
  Yield,
  Fence,

  AtomicSection,  ///< several operations that nobody can interrupt; with kFailed an assumption among them did not hold
  Exit,           ///< ends the whole program

  Count,
};

/// Flags of an operation.
inline constexpr std::uint8_t kFailed = 1;     ///< a try that did not succeed, a compare-exchange that only read, …
inline constexpr std::uint8_t kReacquire = 2;  ///< the MutexLock that ends a wait on a condition variable
inline constexpr std::uint8_t kPlain = 4;      ///< a memory access that is not atomic
inline constexpr std::uint8_t kAll = 8;        ///< a FutexWake of every waiter
inline constexpr std::uint8_t kGivesWay = 16;  ///< a Yield of a thread that has gone on for long without a step
inline constexpr std::uint8_t kFatal = 32;     ///< of an explored step: it made the program fail, which ends everything

struct Operation {
  OperationKind kind = OperationKind::None;
  std::uint8_t flags = 0;
  std::uint8_t size = 0;          ///< bytes accessed, for memory and futexes
  std::uint8_t memory_order = 0;  ///< of an atomic access, numbered as by the compiler
  /// Synchronise: the action. Choose: the number of alternatives. ConditionSignal, FutexWake: the process woken + 1, 0
  /// where nobody waits. The MutexLock after a wait, FutexResume: the process itself + 1. BarrierArrive: which arrival
  /// of which process it is. BarrierLeave: the arrival that completed its round, 0 as long as that is not known.
  std::uint32_t detail = 0;
  std::uint64_t object = 0;  ///< an address, a process index, a component id or the number of a footprint
  /// ConditionWait: the mutex it releases. The MutexLock after a wait: the condition variable. Free: the length.
  std::uint64_t second = 0;

  constexpr bool failed() const { return (flags & kFailed) != 0; }
  constexpr bool operator==(const Operation&) const = default;
};
static_assert(sizeof(Operation) == 24);

constexpr Family family(OperationKind kind) {
  using enum OperationKind;
  switch (kind) {
    case ThreadCreate:
    case ThreadStart:
    case ThreadExit:
    case ThreadJoin:
    case ThreadDetach: return Family::Thread;
    case MutexLock:
    case MutexTryLock:
    case MutexUnlock: return Family::Mutex;
    case ConditionWait:
    case ConditionTimeout:
    case ConditionSignal:
    case ConditionBroadcast: return Family::Condition;
    case ReadLock:
    case WriteLock:
    case TryReadLock:
    case TryWriteLock:
    case ReadUnlock:
    case WriteUnlock: return Family::RwLock;
    case BarrierArrive:
    case BarrierLeave: return Family::Barrier;
    case SemaphoreWait:
    case SemaphoreTryWait:
    case SemaphorePost: return Family::Semaphore;
    case OnceEnter:
    case OnceLeave: return Family::Once;
    case Load:
    case Store:
    case ReadModifyWrite:
    case CompareExchange: return Family::Memory;
    case FutexWait:
    case FutexTimeout:
    case FutexWake:
    case FutexResume: return Family::Futex;
    case ObjectInit:
    case ObjectDestroy:
    case Free: return Family::Lifetime;
    case MailboxSend:
    case MailboxReceive: return Family::Mailbox;
    case AnnotateAcquire:
    case AnnotateRelease: return Family::Annotation;
    case Synchronise: return Family::Server;
    case AtomicSection: return Family::Section;
    case Exit: return Family::World;
    case None:
    case Choose:
    case Assume:
    case Yield:
    case Fence:
    case Count: return Family::Local;
  }
  return Family::Local;
}

/// Whether a process that offers such an operation can perform it in every state (perhaps with another outcome).
constexpr bool never_blocks(OperationKind kind) {
  using enum OperationKind;
  switch (kind) {
    case ThreadCreate:
    case ThreadExit:
    case ThreadDetach:
    case MutexTryLock:
    case MutexUnlock:
    case ConditionBroadcast:
    case TryReadLock:
    case TryWriteLock:
    case ReadUnlock:
    case WriteUnlock:
    case BarrierArrive:
    case SemaphoreTryWait:
    case SemaphorePost:
    case OnceLeave:
    case Load:
    case Store:
    case ReadModifyWrite:
    case CompareExchange:
    case FutexWait:
    case ObjectInit:
    case ObjectDestroy:
    case Free:
    case MailboxSend:
    case AnnotateAcquire:
    case AnnotateRelease:
    case Choose:
    case Yield:
    case Fence:
    case AtomicSection:
    case Exit: return true;
    default: return false;
  }
}

/// Whether the alternatives of such an operation are those of the moment (who waits), not fixed by the process itself.
constexpr bool state_decides_alternatives(OperationKind kind) {
  return kind == OperationKind::ConditionSignal || kind == OperationKind::FutexWake;
}

/// How many bytes from `object` on an operation concerns: one stands for a whole synchronisation object.
constexpr std::uint64_t extent(const Operation& o) {
  if (o.kind == OperationKind::Free) return o.second;
  return o.size == 0 ? 1 : o.size;
}

/// Whether `second` is an object that the operation acts on too.
constexpr bool has_second_object(const Operation& o) { return o.second != 0 && o.kind != OperationKind::Free; }

/// The name of a kind as reports print it.
constexpr const char* name(OperationKind kind) {
  using enum OperationKind;
  switch (kind) {
    case None: return "none";
    case ThreadCreate: return "create";
    case ThreadStart: return "start";
    case ThreadExit: return "exit-thread";
    case ThreadJoin: return "join";
    case ThreadDetach: return "detach";
    case MutexLock: return "lock";
    case MutexTryLock: return "trylock";
    case MutexUnlock: return "unlock";
    case ConditionWait: return "wait";
    case ConditionTimeout: return "wake-by-timeout";
    case ConditionSignal: return "signal";
    case ConditionBroadcast: return "broadcast";
    case ReadLock: return "read-lock";
    case WriteLock: return "write-lock";
    case TryReadLock: return "try-read-lock";
    case TryWriteLock: return "try-write-lock";
    case ReadUnlock: return "read-unlock";
    case WriteUnlock: return "write-unlock";
    case BarrierArrive: return "barrier-arrive";
    case BarrierLeave: return "barrier-leave";
    case SemaphoreWait: return "semaphore-wait";
    case SemaphoreTryWait: return "semaphore-trywait";
    case SemaphorePost: return "semaphore-post";
    case OnceEnter: return "once-enter";
    case OnceLeave: return "once-leave";
    case Load: return "load";
    case Store: return "store";
    case ReadModifyWrite: return "read-modify-write";
    case CompareExchange: return "compare-exchange";
    case FutexWait: return "futex-wait";
    case FutexTimeout: return "futex-timeout";
    case FutexWake: return "futex-wake";
    case FutexResume: return "futex-resume";
    case ObjectInit: return "init";
    case ObjectDestroy: return "destroy";
    case Free: return "free";
    case MailboxSend: return "send";
    case MailboxReceive: return "receive";
    case AnnotateAcquire: return "acquire";
    case AnnotateRelease: return "release";
    case Synchronise: return "synchronise";
    case Choose: return "choose";
    case Assume: return "assume";
    case Yield: return "yield";
    case Fence: return "fence";
    case AtomicSection: return "atomic-section";
    case Exit: return "exit";
    case Count: break;
  }
  return "?";
}

}  // namespace mazurka
