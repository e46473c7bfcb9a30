// Visible operations: how a step of a process affects shared objects. Header-only, and without the standard library
// except fixed-width integers, because the runtime inside a program under test shares it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

/// The family of objects an operation acts on. Operations of different families never interfere, except as
/// dependence.hpp says.
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
  Futex,       ///< the set of waiters on a memory word; waiting also reads the word
  Mailbox,     ///< the queue of messages of one receiver
  Lifetime,    ///< begin or end of the lifetime of the object in a range of bytes: depends on every use of them
  Annotation,  ///< an address by which the program tells the race detector about an ordering
  Descriptor,  ///< all open descriptors of the program (pipes, event counters, timers, …) as one object
  Server,      ///< a server of a network of automata, by component id
  World,       ///< everything: ending the program, or the passing of time if nothing else is enabled
  Section,     ///< the objects of the operations inside an atomic section, see footprint.hpp
};

enum class OperationKind : std::uint8_t {
  None,  ///< no operation: a terminated process

  ThreadCreate,  ///< object: the new thread
  ThreadStart,   ///< object: the thread itself
  ThreadExit,    ///< object: the thread itself
  ThreadJoin,    ///< object: the joined thread
  ThreadDetach,  ///< object: the detached thread

  MutexLock,
  MutexTryLock,  ///< including timed locks, which may give up
  MutexUnlock,

  ConditionWait,     ///< releases the mutex `second` and waits; once woken, a MutexLock with kReacquire follows
  ConditionTimeout,  ///< a waiter leaves by itself (time-out or spurious wake-up)
  ConditionSignal,   ///< wakes one waiter, which is a choice
  ConditionBroadcast,

  ReadLock,
  WriteLock,
  TryReadLock,
  TryWriteLock,
  ReadUnlock,
  WriteUnlock,

  BarrierArrive,
  BarrierLeave,  ///< enabled once the round is complete

  SemaphoreWait,
  SemaphoreTryWait,
  SemaphorePost,

  OnceEnter,  ///< blocks while another thread runs the initialiser; with kFailed: it has run already
  OnceLeave,  ///< the initialiser has run; with a size: sets the guard of a static, which compiled code reads

  Load,
  Store,
  ReadModifyWrite,
  CompareExchange,  ///< with kFailed: a Load
  Await,            ///< a Load that is enabled only while the value is one with which the waiting loop ends
  AwaitModify,      ///< the same for a read-modify-write or, with kFailed, for a compare-exchange that only reads

  FutexWait,     ///< reads the word and waits if it has the expected value; with kFailed: only reads
  FutexTimeout,  ///< a waiter leaves by itself
  FutexWake,     ///< wakes one waiter, which is a choice; with kAll: all of them
  FutexResume,   ///< a woken waiter continues

  ObjectInit,     ///< initialises a synchronisation object
  ObjectDestroy,  ///< destroys a synchronisation object
  Free,           ///< frees a block; second: its length

  MailboxSend,        ///< delivers a message
  MailboxReceive,     ///< takes the oldest message that matches; blocks while there is none
  MailboxTryReceive,  ///< the same, but gives up with kFailed if there is none: after a time-out, or at once

  DescriptorUse,     ///< a descriptor call that does not block
  DescriptorLookup,  ///< the first step of a call that may block: finds the open file description and its flags
  DescriptorWait,    ///< its second step, which blocks until it is ready or times out

  AnnotateAcquire,  ///< everything released at this address so far happens before what follows
  AnnotateRelease,  ///< everything so far happens before later acquires at this address

  Synchronise,  ///< an action of a network

  Choose,  ///< a data choice
  Assume,
  Spin,  ///< a process has executed an idle iteration of a waiting loop, and stops there
  Yield,
  Fence,

  AtomicSection,  ///< several operations executed atomically; with kFailed: an assumption among them failed
  TimePasses,     ///< nothing else is enabled, and a timed wait ends
  Exit,           ///< ends the whole program

  Count,
};

/// What a call on descriptors does.
enum class DescriptorCall : std::uint8_t {
  Create,
  Read,
  Write,
  Close,
  Duplicate,
  Control,
  Poll,
  Wait,
  Register,
  Arm,
  ShutDown,
  Send,
  Receive,
  Open,
  Unlink,
  SetFlags,
};

/// Flags of an operation.
inline constexpr std::uint8_t kFailed = 1;     ///< a failed try, a compare-exchange that only read, …
inline constexpr std::uint8_t kReacquire = 2;  ///< the MutexLock that ends a wait on a condition variable
inline constexpr std::uint8_t kPlain = 4;      ///< a non-atomic memory access
inline constexpr std::uint8_t kAll = 8;        ///< a FutexWake of all waiters
inline constexpr std::uint8_t kGivesWay = 16;  ///< a Yield of a thread that has run for long without blocking
inline constexpr std::uint8_t kFatal = 32;     ///< an executed step that made the program fail
inline constexpr std::uint8_t kAwaited = 64;   ///< an executed store to a location that some process waits for

/// A visible operation. The meaning of `detail` and `second` depends on the kind, see Carries; use the accessors below.
struct Operation {
  OperationKind kind = OperationKind::None;
  std::uint8_t flags = 0;
  std::uint8_t size = 0;          ///< bytes accessed, for memory and futexes
  std::uint8_t memory_order = 0;  ///< of an atomic access, in the compiler's numbering
  std::uint32_t detail = 0;
  std::uint64_t object = 0;  ///< an address, a process index, a component id or a footprint number
  std::uint64_t second = 0;

  constexpr bool failed() const { return (flags & kFailed) != 0; }
  constexpr bool reacquires() const { return (flags & kReacquire) != 0; }
  constexpr bool wakes_all() const { return (flags & kAll) != 0; }

  /// Carries::Action.
  constexpr std::uint32_t action() const { return detail; }
  constexpr void set_action(std::uint32_t action) { detail = action; }
  /// Carries::Choices: the number of alternatives.
  constexpr std::uint32_t alternatives() const { return detail; }
  constexpr void set_alternatives(std::uint32_t count) { detail = count; }
  /// Carries::Woken: the woken process, or kNobody.
  constexpr std::uint32_t woken() const { return detail - 1; }
  constexpr void set_woken(std::uint32_t process) { detail = process + 1; }
  /// Carries::Waiter, Carries::Wait: the waiting process itself, or kNobody if the operation does not end a wait.
  constexpr std::uint32_t waiter() const { return detail - 1; }
  constexpr void set_waiter(std::uint32_t process) { detail = process + 1; }
  /// Carries::Arrival: the unique number of the arrival; of a BarrierLeave, the arrival that completed its round, 0
  /// while unknown.
  constexpr std::uint32_t arrival() const { return detail; }
  constexpr void set_arrival(std::uint32_t number) { detail = number; }
  /// Carries::Released.
  constexpr std::uint64_t released_mutex() const { return second; }
  constexpr void set_released_mutex(std::uint64_t mutex) { second = mutex; }
  /// Carries::Wait: the condition variable, 0 if the operation does not end a wait.
  constexpr std::uint64_t awaited_condition() const { return second; }
  constexpr void set_awaited_condition(std::uint64_t condition) { second = condition; }
  /// Carries::Length: bytes.
  constexpr std::uint64_t length() const { return second; }
  constexpr void set_length(std::uint64_t bytes) { second = bytes; }

  /// Carries::Message: the number of a message, unique within the mailbox and the same in every execution; of a
  /// receive, the message taken, 0 if none.
  constexpr std::uint32_t message() const { return detail; }
  constexpr void set_message(std::uint32_t number) { detail = number; }
  /// The number of a message that `process` sends after `count` others, whoever received those.
  static constexpr std::uint32_t message_of(std::uint32_t process, std::uint32_t count) {
    return (process << kSenderShift | count) + 1;
  }
  constexpr std::uint32_t sender() const { return (detail - 1) >> kSenderShift; }
  static constexpr unsigned kSenderShift = 20;
  static constexpr std::uint32_t kMostMessages = (1U << kSenderShift) - 1;  ///< per process
  /// Stands for all messages sent before the execution began, by a test that then checks a closure: no send has this
  /// number.
  static constexpr std::uint32_t kSentBefore = kMostMessages + 1;
  /// Of a send: the tag by which receives select.
  constexpr std::uint32_t tag() const { return static_cast<std::uint32_t>(second); }
  constexpr void set_tag(std::uint32_t tag) { second = tag; }
  /// Of a receive: it takes a message if (tag & mask) == value.
  constexpr void set_pattern(std::uint32_t mask, std::uint32_t value) {
    second = static_cast<std::uint64_t>(mask) << 32 | value;
  }
  constexpr std::uint32_t mask() const { return static_cast<std::uint32_t>(second >> 32); }
  constexpr bool matches(std::uint32_t tag) const { return (tag & second >> 32) == (second & UINT32_MAX); }

  /// Carries::Call: the call, and the descriptor, or kNoDescriptor if there is none or more than one.
  constexpr DescriptorCall call() const { return static_cast<DescriptorCall>(detail >> 16); }
  constexpr std::uint32_t descriptor() const { return detail & kNoDescriptor; }
  constexpr void set_call(DescriptorCall call, std::uint32_t descriptor) {
    detail = static_cast<std::uint32_t>(call) << 16 | (descriptor & kNoDescriptor);
  }
  static constexpr std::uint32_t kNoDescriptor = 0xffff;

  static constexpr std::uint32_t kNobody = UINT32_MAX;

  constexpr bool operator==(const Operation&) const = default;
};
static_assert(sizeof(Operation) == 24);

// The columns of the table of kinds.

/// When is such a pending operation enabled, whatever its outcome?
enum class Possible : std::uint8_t {
  Always,
  Offered,   ///< always enabled, but reaching it takes a creation or a mutex: explorers check before they rely on it
  MayBlock,  ///< depends on the state
};

/// Which outcomes does such a pending operation have?
enum class Outcomes : std::uint8_t {
  One,       ///< exactly one, in every state
  Several,   ///< perhaps others: a time-out, another edge, another round of a barrier
  MayFail,   ///< the state decides whether kFailed is set
  WhoWaits,  ///< wakes one of the current waiters, or nobody
  Chosen,    ///< the same alternatives in every state
  AsInside,  ///< an atomic section: the outcomes of the operations inside
};

/// Which operations on its object is it dependent on?
enum class Orders : std::uint8_t {
  Some,        ///< dependence.hpp tells for each pair
  Everything,  ///< on all, unless it failed
  Undetached,  ///< on all but the detaching of a thread
};

/// How it accesses the bytes given by `object` and `size`.
enum class Access : std::uint8_t {
  NoBytes = 0,
  Reads = 1,
  Writes = 2,
  Modifies = 3,  ///< reads and writes; with kFailed, it only reads
  Guards = 4,    ///< if it has a size: sets a guard, which others read and nobody else writes
};

/// Whether its process holds the object afterwards, to the exclusion of others.
enum class Holding : std::uint8_t { Keeps, Takes, Releases };

/// The meaning of `detail` and `second`.
enum class Carries : std::uint8_t {
  Nothing,
  Action,    ///< detail: an action of a network
  Choices,   ///< detail: the number of alternatives
  Woken,     ///< detail: the woken process
  Waiter,    ///< detail: the waiting process itself
  Wait,      ///< with kReacquire, detail: the waiting process itself, second: its condition variable
  Arrival,   ///< detail: the number of an arrival at a barrier
  Call,      ///< detail: a call on descriptors
  Released,  ///< second: the mutex that a wait releases
  Length,    ///< second: a length in bytes
  Message,   ///< detail: a message, second: its tag or the pattern of a receive
};

struct KindFacts {
  OperationKind kind;
  Family family;
  Possible possible;
  Outcomes outcomes;
  Orders orders;
  Access access;
  Holding holding;
  Carries carries;
  const char* name;  ///< in reports
};

namespace kind_table {

using enum OperationKind;
using enum Family;
using enum Possible;
using enum Outcomes;
using enum Orders;
using enum Access;
using enum Holding;
using enum Carries;

/// The facts about each kind; dependence.hpp has the facts about pairs of kinds.
// clang-format off
inline constexpr KindFacts kRows[] = {
    // kind              family      possible  outcomes  orders      access    holding   carries   name
    {None,               Local,      MayBlock, Several,  Some,       NoBytes,  Keeps,    Nothing,  "none"},
    {ThreadCreate,       Thread,     Always,   One,      Everything, NoBytes,  Keeps,    Nothing,  "create"},
    {ThreadStart,        Thread,     Offered,  One,      Undetached, NoBytes,  Keeps,    Nothing,  "start"},
    {ThreadExit,         Thread,     Always,   One,      Undetached, NoBytes,  Keeps,    Nothing,  "exit-thread"},
    {ThreadJoin,         Thread,     MayBlock, Several,  Everything, NoBytes,  Keeps,    Nothing,  "join"},
    {ThreadDetach,       Thread,     Always,   One,      Some,       NoBytes,  Keeps,    Nothing,  "detach"},
    {MutexLock,          Mutex,      MayBlock, One,      Everything, NoBytes,  Takes,    Wait,     "lock"},
    {MutexTryLock,       Mutex,      Always,   MayFail,  Everything, NoBytes,  Takes,    Nothing,  "trylock"},
    {MutexUnlock,        Mutex,      Always,   One,      Everything, NoBytes,  Releases, Nothing,  "unlock"},
    {ConditionWait,      Condition,  Offered,  One,      Some,       NoBytes,  Keeps,    Released, "wait"},
    {ConditionTimeout,   Condition,  MayBlock, Several,  Some,       NoBytes,  Keeps,    Waiter,   "wake-by-timeout"},
    {ConditionSignal,    Condition,  Always,   WhoWaits, Some,       NoBytes,  Keeps,    Woken,    "signal"},
    {ConditionBroadcast, Condition,  Always,   One,      Some,       NoBytes,  Keeps,    Nothing,  "broadcast"},
    {ReadLock,           RwLock,     MayBlock, One,      Some,       NoBytes,  Takes,    Nothing,  "read-lock"},
    {WriteLock,          RwLock,     MayBlock, One,      Everything, NoBytes,  Takes,    Nothing,  "write-lock"},
    {TryReadLock,        RwLock,     Always,   MayFail,  Some,       NoBytes,  Takes,    Nothing,  "try-read-lock"},
    {TryWriteLock,       RwLock,     Always,   MayFail,  Everything, NoBytes,  Takes,    Nothing,  "try-write-lock"},
    {ReadUnlock,         RwLock,     Always,   One,      Some,       NoBytes,  Releases, Nothing,  "read-unlock"},
    {WriteUnlock,        RwLock,     Always,   One,      Everything, NoBytes,  Releases, Nothing,  "write-unlock"},
    {BarrierArrive,      Barrier,    Always,   One,      Some,       NoBytes,  Keeps,    Arrival,  "barrier-arrive"},
    {BarrierLeave,       Barrier,    MayBlock, Several,  Some,       NoBytes,  Keeps,    Arrival,  "barrier-leave"},
    {SemaphoreWait,      Semaphore,  MayBlock, One,      Everything, NoBytes,  Keeps,    Nothing,  "semaphore-wait"},
    {SemaphoreTryWait,   Semaphore,  Always,   MayFail,  Everything, NoBytes,  Keeps,    Nothing,  "semaphore-trywait"},
    {SemaphorePost,      Semaphore,  Always,   One,      Some,       NoBytes,  Keeps,    Nothing,  "semaphore-post"},
    {OnceEnter,          Once,       MayBlock, MayFail,  Everything, NoBytes,  Takes,    Nothing,  "once-enter"},
    {OnceLeave,          Once,       Always,   One,      Everything, Guards,   Releases, Nothing,  "once-leave"},
    {Load,               Memory,     Always,   One,      Some,       Reads,    Keeps,    Nothing,  "load"},
    {Store,              Memory,     Always,   One,      Everything, Writes,   Keeps,    Nothing,  "store"},
    {ReadModifyWrite,    Memory,     Always,   One,      Everything, Modifies, Keeps,    Nothing,  "read-modify-write"},
    {CompareExchange,    Memory,     Always,   MayFail,  Everything, Modifies, Keeps,    Nothing,  "compare-exchange"},
    {Await,              Memory,     MayBlock, One,      Some,       Reads,    Keeps,    Nothing,  "await"},
    {AwaitModify,        Memory,     MayBlock, MayFail,  Everything, Modifies, Keeps,    Nothing,  "await-modify"},
    {FutexWait,          Futex,      Always,   MayFail,  Some,       Reads,    Keeps,    Nothing,  "futex-wait"},
    {FutexTimeout,       Futex,      MayBlock, Several,  Some,       NoBytes,  Keeps,    Waiter,   "futex-timeout"},
    {FutexWake,          Futex,      Always,   WhoWaits, Some,       NoBytes,  Keeps,    Woken,    "futex-wake"},
    {FutexResume,        Futex,      MayBlock, Several,  Some,       NoBytes,  Keeps,    Waiter,   "futex-resume"},
    {ObjectInit,         Lifetime,   Always,   One,      Everything, NoBytes,  Keeps,    Nothing,  "init"},
    {ObjectDestroy,      Lifetime,   Always,   One,      Everything, NoBytes,  Keeps,    Nothing,  "destroy"},
    {Free,               Lifetime,   Always,   One,      Everything, NoBytes,  Keeps,    Length,   "free"},
    {MailboxSend,        Mailbox,    Always,   One,      Some,       NoBytes,  Keeps,    Message,  "send"},
    {MailboxReceive,     Mailbox,    MayBlock, One,      Some,       NoBytes,  Keeps,    Message,  "receive"},
    {MailboxTryReceive,  Mailbox,    Always,   MayFail,  Some,       NoBytes,  Keeps,    Message,  "try-receive"},
    {DescriptorUse,      Descriptor, Always,   One,      Some,       NoBytes,  Keeps,    Call,     "use-descriptor"},
    {DescriptorLookup,   Descriptor, Always,   One,      Some,       NoBytes,  Keeps,    Call,     "look-up-descriptor"},
    {DescriptorWait,     Descriptor, MayBlock, Several,  Some,       NoBytes,  Keeps,    Call,     "wait-for-descriptor"},
    {AnnotateAcquire,    Annotation, Always,   One,      Some,       NoBytes,  Keeps,    Nothing,  "acquire"},
    {AnnotateRelease,    Annotation, Always,   One,      Some,       NoBytes,  Keeps,    Nothing,  "release"},
    {Synchronise,        Server,     MayBlock, Several,  Everything, NoBytes,  Keeps,    Action,   "synchronise"},
    {Choose,             Local,      Always,   Chosen,   Some,       NoBytes,  Keeps,    Choices,  "choose"},
    {Assume,             Local,      MayBlock, Several,  Some,       NoBytes,  Keeps,    Nothing,  "assume"},
    {Spin,               Local,      MayBlock, Several,  Some,       NoBytes,  Keeps,    Nothing,  "spin"},
    {Yield,              Local,      Always,   Several,  Some,       NoBytes,  Keeps,    Nothing,  "yield"},
    {Fence,              Local,      Always,   One,      Some,       NoBytes,  Keeps,    Nothing,  "fence"},
    {AtomicSection,      Section,    Always,   AsInside, Some,       NoBytes,  Keeps,    Nothing,  "atomic-section"},
    {TimePasses,         World,      MayBlock, Several,  Some,       NoBytes,  Keeps,    Nothing,  "time-passes"},
    {Exit,               World,      Always,   One,      Some,       NoBytes,  Keeps,    Nothing,  "exit"},
};
// clang-format on

constexpr bool has_a_row_for_each_kind() {
  if (sizeof kRows / sizeof kRows[0] != static_cast<std::size_t>(Count)) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Count); ++i)
    if (kRows[i].kind != static_cast<OperationKind>(i)) return false;
  return true;
}
static_assert(has_a_row_for_each_kind(), "the table has one row for each kind, in the order of the kinds");

}  // namespace kind_table

constexpr const KindFacts& facts(OperationKind kind) { return kind_table::kRows[static_cast<std::size_t>(kind)]; }

/// A set of kinds, as bits.
using KindSet = std::uint64_t;
static_assert(static_cast<int>(OperationKind::Count) <= 64);
constexpr KindSet set_of(OperationKind kind) { return KindSet{1} << static_cast<int>(kind); }

constexpr Family family(OperationKind kind) { return facts(kind).family; }
constexpr const char* name(OperationKind kind) { return facts(kind).name; }

/// Whether such an operation is enabled in every state in which it is pending (perhaps with another outcome).
constexpr bool never_blocks(OperationKind kind) { return facts(kind).possible == Possible::Always; }

/// Whether the state decides if kFailed is set; for a section, also its other effects.
constexpr bool may_fail(OperationKind kind) {
  return facts(kind).outcomes == Outcomes::MayFail || facts(kind).outcomes == Outcomes::AsInside;
}

/// Whether its alternatives depend on the state (the current waiters) rather than on the process alone.
constexpr bool state_decides_alternatives(OperationKind kind) { return facts(kind).outcomes == Outcomes::WhoWaits; }

/// Whether its effect, and so its dependences, depend on the state in which it is executed.
constexpr bool outcome_varies(OperationKind kind) { return may_fail(kind) || state_decides_alternatives(kind); }

/// Whether such an operation is enabled whenever it is pending, and its process has no other alternative known in
/// advance.
constexpr bool always_ready(OperationKind kind) {
  return facts(kind).possible != Possible::MayBlock &&
         (facts(kind).outcomes <= Outcomes::Several || facts(kind).outcomes == Outcomes::AsInside);
}

/// Whether the process cannot do anything else at that point, whatever the others do.
constexpr bool has_single_outcome(const Operation& o) {
  return facts(o.kind).outcomes == Outcomes::One && !o.reacquires();  // a wait may end in another way
}

/// Whether it chooses one of the current waiters.
constexpr bool wakes_one(const Operation& o) { return state_decides_alternatives(o.kind) && !o.wakes_all(); }

/// Whether it depends on every operation on its object that is of its family or begins or ends the object's lifetime.
constexpr bool orders_everything(const Operation& o) {
  return facts(o.kind).orders == Orders::Everything && !o.failed();
}

constexpr bool reads_memory(const Operation& o) {
  return (static_cast<unsigned>(facts(o.kind).access) & static_cast<unsigned>(Access::Reads)) != 0;
}
constexpr bool writes_memory(const Operation& o) {
  return (static_cast<unsigned>(facts(o.kind).access) & static_cast<unsigned>(Access::Writes)) != 0 && !o.failed();
}

constexpr bool takes_object(const Operation& o) { return facts(o.kind).holding == Holding::Takes && !o.failed(); }
constexpr bool releases_object(const Operation& o) { return facts(o.kind).holding == Holding::Releases; }

/// A lock that does not end a condition wait.
constexpr bool is_plain_lock(const Operation& o) { return o.kind == OperationKind::MutexLock && !o.reacquires(); }
constexpr bool acquires_mutex(const Operation& o) { return family(o.kind) == Family::Mutex && takes_object(o); }

/// Whether it removes a message from a mailbox.
constexpr bool takes_message(const Operation& o) {
  return (o.kind == OperationKind::MailboxReceive || o.kind == OperationKind::MailboxTryReceive) && o.message() != 0;
}

/// The number of bytes from `object` on that an operation covers; 1 for a synchronisation object as a whole.
constexpr std::uint64_t extent(const Operation& o) {
  if (facts(o.kind).carries == Carries::Length) return o.length();
  return o.size == 0 ? 1 : o.size;
}

/// The address of a second object that the operation acts on, 0 if there is none.
constexpr std::uint64_t second_object(const Operation& o) {
  return facts(o.kind).carries >= Carries::Length ? 0 : o.second;
}

/// Whether the objects of this family have an address, so that they can be overwritten or freed. For a section: those
/// of its operations.
constexpr bool lies_in_memory(Family family) {
  return (Family::Mutex <= family && family <= Family::Lifetime) || family == Family::Section;
}

/// Whether only the functions made for them may change these objects: a write to its bytes makes it a new object.
constexpr bool is_synchronisation_object(Family family) {
  return Family::Mutex <= family && family <= Family::Semaphore;
}

}  // namespace mazurka
