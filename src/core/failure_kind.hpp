// The kinds of failures. Plain data: part of the protocol between worker and explorer.
#pragma once

#include <cstdint>

#include "core/operation.hpp"
#include "core/process.hpp"

namespace mazurka {

enum class FailureKind : std::uint8_t {
  None,
  // The program reports a failure.
  Assertion,
  Abort,
  Exception,
  Signal,
  StackOverflow,
  ExitStatus,
  ReachedError,  ///< the program calls a function that verifiers treat as an error
  Deadlock,
  EndlessLoop,
  // Memory errors.
  DataRace,
  UseAfterFree,
  UseAfterReturn,  ///< of the stack of a terminated thread
  DoubleFree,
  InvalidFree,
  HeapOverflow,
  DamagedMemory,  ///< a write into the runtime's memory, or into the memory shared with the explorer
  // Misuse of a synchronisation object.
  DoubleLock,
  ForeignUnlock,
  ForeignReceive,  ///< from the mailbox of another thread
  DestroyInUse,
  UseAfterDestroy,
  DoubleJoin,
  AtomicSection,
  Blocked,  ///< a blocking operation although no other thread may run: in an atomic section, or in an exit handler
  // Warnings that the user asked to treat as failures.
  Leak,
  NotJoined,
  MainReturned,
  // The program cannot be explored.
  Nondeterminism,
  Unsupported,
  Killed,
  // The program cannot be run under this runtime at all.
  Memory,
  Link,
  Sections,
  Protocol,
  Fork,
  Snapshot,
};
inline constexpr FailureKind kLastFailureKind = FailureKind::Snapshot;

/// Whether the runtime had to give up, independently of what the program does.
constexpr bool is_about_runtime(FailureKind kind) { return kind >= FailureKind::Memory && kind <= kLastFailureKind; }

/// Its name in all reports and in `.mzk` files; empty for None.
constexpr const char* name(FailureKind kind) {
  switch (kind) {
    case FailureKind::None: return "";
    case FailureKind::Assertion: return "assertion";
    case FailureKind::Abort: return "abort";
    case FailureKind::Exception: return "exception";
    case FailureKind::Signal: return "signal";
    case FailureKind::StackOverflow: return "stack-overflow";
    case FailureKind::ExitStatus: return "exit-status";
    case FailureKind::ReachedError: return "error";
    case FailureKind::Deadlock: return "deadlock";
    case FailureKind::EndlessLoop: return "endless-loop";
    case FailureKind::DataRace: return "data race";
    case FailureKind::UseAfterFree: return "use-after-free";
    case FailureKind::UseAfterReturn: return "use-after-return";
    case FailureKind::DoubleFree: return "double-free";
    case FailureKind::InvalidFree: return "invalid-free";
    case FailureKind::HeapOverflow: return "heap-overflow";
    case FailureKind::DamagedMemory: return "damaged-memory";
    case FailureKind::DoubleLock: return "double-lock";
    case FailureKind::ForeignUnlock: return "foreign-unlock";
    case FailureKind::ForeignReceive: return "foreign-receive";
    case FailureKind::DestroyInUse: return "destroy-in-use";
    case FailureKind::UseAfterDestroy: return "use-after-destroy";
    case FailureKind::DoubleJoin: return "double-join";
    case FailureKind::AtomicSection: return "atomic-section";
    case FailureKind::Blocked: return "blocked";
    case FailureKind::Leak: return "leak";
    case FailureKind::NotJoined: return "not-joined";
    case FailureKind::MainReturned: return "main-returned";
    case FailureKind::Nondeterminism: return "nondeterminism";
    case FailureKind::Unsupported: return "unsupported";
    case FailureKind::Killed: return "killed";
    case FailureKind::Memory: return "memory";
    case FailureKind::Link: return "link";
    case FailureKind::Sections: return "sections";
    case FailureKind::Protocol: return "protocol";
    case FailureKind::Fork: return "fork";
    case FailureKind::Snapshot: return "snapshot";
  }
  return "";
}

/// A kind of synchronisation object, or a mailbox.
enum class ObjectKind : std::uint8_t {
  Mutex,
  SpinLock,
  ReadWriteLock,
  ConditionVariable,
  Semaphore,
  Barrier,
  Thread,
  Mailbox,
};
inline constexpr ObjectKind kLastObjectKind = ObjectKind::Mailbox;

/// A synchronisation object was misused; the kind of the failure says how.
struct ObjectMisuse {
  std::uint64_t object = 0;  ///< its address, or the index of a thread
  ObjectKind kind = ObjectKind::Mutex;
  ProcessIndex holder = kNoProcess;  ///< the process that holds it, if exactly one; that joined a thread

  bool operator==(const ObjectMisuse&) const = default;
};

/// An operation that blocks although no other thread may run.
struct BlockedAlone {
  OperationKind operation = OperationKind::None;
  bool in_section = false;  ///< in an atomic section; otherwise no other thread is left

  bool operator==(const BlockedAlone&) const = default;
};

/// A signal raised by the processor or by the program itself.
struct RaisedSignal {
  std::int32_t number = 0;
  std::uint64_t address = 0;  ///< the accessed address, for signals that have one

  bool operator==(const RaisedSignal&) const = default;
};

/// A kind of memory access.
enum class Use : std::uint8_t { None, Read, Write, AtomicRead, AtomicWrite, Free };

/// Warnings, as bits. They are not failures unless the user asks for that.
inline constexpr std::uint32_t kWarnNotJoined = 1;     ///< a thread was neither joined nor detached
inline constexpr std::uint32_t kWarnMainReturned = 2;  ///< main returned while other threads were running
inline constexpr std::uint32_t kWarnLeak = 4;          ///< heap blocks that nothing points to were not freed
inline constexpr std::uint32_t kAllWarnings = kWarnNotJoined | kWarnMainReturned | kWarnLeak;

}  // namespace mazurka
