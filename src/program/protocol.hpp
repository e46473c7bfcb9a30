// The shared-memory segment through which an explorer and its workers talk, field by field; docs/protocol.md explains
// the protocol. The runtime inside the program under test includes this file, so it contains plain data only.
//
// A worker refuses a segment whose kVersion is not its own: increment it whenever the layout or the meaning of a field
// changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/bound.hpp"
#include "core/event.hpp"
#include "core/failure_kind.hpp"
#include "core/footprint.hpp"
#include "core/guidance.hpp"
#include "core/heap_block.hpp"
#include "core/state_difference.hpp"
#include "core/state_hash.hpp"
#include "program/file_undo.hpp"

namespace mazurka::protocol {

inline constexpr std::uint32_t kMagic = 0x314b5a4d;  // "MZK1"
inline constexpr std::uint32_t kVersion = 22;
/// Environment variable that tells a program under test the file descriptor of the segment and its channel number:
/// `3:000`.
inline constexpr const char* kChannelVariable = "MAZURKA_CHANNEL";

/// Environment variable that makes a program under test print the result of its __tsan_default_suppressions() and exit.
inline constexpr const char* kSuppressionsVariable = "MAZURKA_PRINT_SUPPRESSIONS";

inline constexpr std::uint32_t kMaxProcesses = 4096;
inline constexpr std::uint32_t kMaxEvents = 1U << 20;
inline constexpr std::uint32_t kMaxDifferences = 1U << 22;
inline constexpr std::uint32_t kMaxOffers = 1U << 18;
inline constexpr std::uint32_t kMaxSleepers = 1U << 13;
inline constexpr std::uint32_t kMaxPending = 1U << 14;
inline constexpr std::uint32_t kMessageBytes = 4096;
inline constexpr std::uint32_t kOutputBytes = 1U << 20;
inline constexpr std::uint32_t kMaxFrames = 32;
inline constexpr std::uint32_t kMaxSkippedRanges = 256;
inline constexpr std::uint32_t kMaxBlocks = 256;
inline constexpr std::uint32_t kMaxFrameNotes = 1U << 15;
inline constexpr std::uint32_t kMaxFramesNoted = 1U << 19;
inline constexpr std::uint32_t kMaxOutputParts = 1U << 12;
inline constexpr std::uint32_t kMaxGoals = 256;
inline constexpr std::uint32_t kGoalBytes = 120;
inline constexpr std::uint32_t kMaxFootprints = 1U << 17;
inline constexpr std::uint32_t kMaxFootprintOperations = 1U << 21;

/// The object of every operation on files. No program has anything at this address.
inline constexpr std::uint64_t kFiles = 8;

/// How non-atomic memory accesses are treated.
enum class Plain : std::uint8_t {
  Ignore,
  Explore,  ///< each is a scheduling point
  Check,    ///< not scheduling points; the race detector checks them
};
/// How a worker resets the program to its state before `main`.
enum class Isolation : std::uint8_t { Memory, Fork };
/// What happens to the other threads when `main` returns: they run on, or the process ends.
enum class Exit : std::uint8_t { Threads, Process };

/// Settings that hold for the lifetime of a worker.
struct Settings {
  /// Take a checkpoint once this many consecutive jobs share a prefix, if that prefix is at least this many steps
  /// longer than the deepest checkpoint. 0: no checkpoints.
  std::uint32_t checkpoints = 8;
  Plain plain = Plain::Ignore;
  Isolation isolation = Isolation::Memory;
  Exit exit = Exit::Threads;
  bool spurious_wakeups = false;    ///< waits on condition variables may wake up without a signal
  bool measure = false;             ///< the worker measures the duration of executions (`ticks`)
  bool once = false;                ///< run one job without a snapshot and exit: for debuggers
  bool ignore_exit_status = false;  ///< otherwise a nonzero exit status is a failure
  bool reduce_waits = true;         ///< idle rounds of waiting loops are not scheduling points
  bool keeps_states = false;        ///< record state deltas of each step; freed memory is recycled
  bool keeps_bytes = false;         ///< with keeps_states: record the changed words instead of hashes
  bool pass_output = false;         ///< output goes to the program's real stdout and stderr, not to `output`
  bool alone = true;                ///< no other worker executes the program at the same time
  bool has_nondet = false;          ///< __VERIFIER_nondet_ functions return values of the range below by default
  std::int64_t nondet_lowest = 0;
  std::int64_t nondet_highest = 0;
};

/// What a worker is doing. The explorer reads it if a worker dies or does not answer in time.
enum class Phase : std::uint32_t {
  Starting,   ///< runs static constructors, starts donor threads, takes the snapshot
  Idle,       ///< waits for a job
  Running,    ///< executes the program
  Restoring,  ///< between the end of an execution and its answer
};

/// A process, named by its path of creation. Entries are read and written atomically, as one 64-bit word.
struct alignas(8) ProcessEntry {
  std::uint32_t parent;
  std::uint32_t number;  ///< it is the parent's number-th child, counted from 1; 0: the entry is free

  bool operator==(const ProcessEntry&) const = default;
};

/// The processes of a program; the index of an entry is the ProcessIndex. A worker or explorer that meets a process
/// first appends it by compare-and-swap: lock-free, so that a worker that dies cannot block the others. Entries never
/// change.
struct Processes {
  ProcessEntry entries[kMaxProcesses];

  [[gnu::always_inline]] ProcessEntry operator[](std::uint32_t index) const {
    ProcessEntry entry;
    __atomic_load(&entries[index], &entry, __ATOMIC_ACQUIRE);
    return entry;
  }
  /// Returns the index of the process and adds it if it is new; kMaxProcesses if the table is full.
  [[gnu::always_inline]] std::uint32_t enter(ProcessEntry process) {
    std::uint32_t index = 0;
    for (; index < kMaxProcesses; ++index) {
      ProcessEntry found = (*this)[index];
      if (found.number == 0 &&
          __atomic_compare_exchange(&entries[index], &found, &process, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        break;
      if (found == process) break;
    }
    return index;
  }
};

/// The part of the segment that all workers of a program share. One Channel per worker follows.
struct Common {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t channel_bytes;
  Processes processes;
};

struct PendingRecord {
  Offer offer;
  ProcessIndex holder;  ///< the process that holds what the operation is blocked on; kNoProcess if unknown or none
};

/// The call stack of a thread as sites, innermost frame first.
struct CallStack {
  std::uint32_t depth;
  std::uint64_t sites[kMaxFrames];
};

struct UseRecord {
  Use use;
  std::uint8_t bytes;
  ProcessIndex process;
  CallStack stack;
};

/// A data race or a memory error: the failing access (`now`), the earlier access it conflicts with (`before`), and the
/// heap block.
struct Finding {
  std::uint64_t address;
  UseRecord now;
  UseRecord before;
  std::uint64_t block;  ///< 0 if the address is not in a heap block
  std::uint64_t block_bytes;
  ProcessIndex block_process;
  CallStack allocation;
};

/// After a finding, the worker repeats the execution with call tracing on. Watch tells that run which access to catch.
struct Watch {
  bool on;
  std::uint8_t bytes;
  std::uint8_t touch;
  ProcessIndex process;
  std::int32_t clock;
  std::uint32_t site;
  std::uint64_t address;
};

/// A range of code, relative to the load base of the program.
struct CodeRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Why the C++ library reads the clock.
enum class TimeQuestion : std::uint64_t {
  Other,     ///< not called from the library, or for an unknown purpose
  Deadline,  ///< to compute the deadline of a wait that is about to begin
  IsOver,    ///< to see whether the wait that just returned has timed out
};
/// Code that reads the clock for the given purpose.
struct TimedCode {
  CodeRange code;
  TimeQuestion question;
};

/// A goal that some execution must reach. Goals survive executions and workers.
struct Goal {
  char name[kGoalBytes];
  std::uint32_t declared;
  std::uint32_t reached;
};

/// Code or variables whose data races the user suppresses, relative to the load base.
struct SuppressedRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t rule = 0;  ///< number of the suppression rule
};
inline constexpr std::uint32_t kMaxSuppressedRanges = 8192;

/// Sorted and disjoint.
struct SuppressedRanges {
  std::uint32_t count;
  SuppressedRange ranges[kMaxSuppressedRanges];
};
/// Grouped by what they match.
struct Suppressions {
  SuppressedRanges calls;      ///< races whose access is in this code or in a function it calls (`race:`)
  SuppressedRanges accesses;   ///< races whose access is in this code itself
  SuppressedRanges variables;  ///< races on these bytes
};

/// An intended data race: suppressed by the user, or annotated as benign by the program. It does not fail the
/// execution.
struct IntendedRace {
  std::uint64_t address;
  std::uint64_t before;  ///< sites of both accesses; 0 for an access made by a library
  std::uint64_t now;
  Use before_use;
  Use now_use;
  std::uint32_t rule;  ///< number of the suppression rule, or one of the constants below

  static constexpr std::uint32_t kAnnotated = UINT32_MAX;
  /// The suppression matched a caller of the earlier access.
  static constexpr std::uint32_t kByCaller = UINT32_MAX - 1;
};
inline constexpr std::uint32_t kMaxIntendedRaces = 256;

/// The arguments of a dlopen() call.
struct Library {
  std::int32_t flags;
  char name[252];
};
inline constexpr std::uint32_t kMaxLibraries = 16;

/// Output that a thread printed between two steps: the bytes of `output` from the previous part's `end` to this one's.
struct OutputPart {
  std::uint32_t after;  ///< number of steps taken before it was printed
  ProcessIndex process;
  std::uint32_t end;
};

/// A frame of a thread's call stack.
struct Frame {
  std::uint64_t site;   ///< the return address, 0 outside of the program's image
  std::uint64_t stack;  ///< the stack pointer at the call of the next inner frame
};
/// The call stack of a thread before an event, innermost frame first: `count` entries of Channel::frames.
struct FrameNote {
  std::uint32_t event;
  ProcessIndex process;
  std::uint32_t begin;
  std::uint32_t count;
};

enum class WaitKind : std::uint32_t {
  None,
  Await,    ///< for one location: the access becomes an await
  Several,  ///< for several locations: the thread stops after one idle round
  Locked,   ///< under a mutex, which is locked at the site
  Timed,    ///< with a time-out, after which it checks and waits again
  Assumed,  ///< not a loop: an assumption about the value read follows. The access becomes an await
};

/// An access at which threads wait in a loop. If a site has several entries, the last one counts.
struct Wait {
  std::uint64_t site;
  WaitKind kind;

  bool operator==(const Wait&) const = default;
};
/// Pseudo-site: the program reads the clock. Clocks are then part of local states.
inline constexpr std::uint64_t kTimeSite = ~0ULL;
/// Pseudo-site: threads send signals to other threads. Every thread then checks for pending signals.
inline constexpr std::uint64_t kSignalSite = ~1ULL;
/// Pseudo-sites: a thread accesses the stack of another thread, or that of the main thread. If plain accesses are
/// scheduling points, accesses to stacks then are too.
inline constexpr std::uint64_t kStackSite = ~2ULL;
inline constexpr std::uint64_t kMainStackSite = ~3ULL;
/// Pseudo-sites: std::lock backs off, and a try-lock elsewhere, which can observe that a round of std::lock held the
/// mutex (runtime/waiting/back_offs.hpp).
inline constexpr std::uint64_t kBackOffSite = ~4ULL;
inline constexpr std::uint64_t kTrySite = ~5ULL;
inline constexpr std::uint32_t kMaxWaits = 512;
inline constexpr std::uint32_t kMaxLibraryCode = 4096;
inline constexpr std::uint32_t kMaxTimedCode = 4096;

/// Code ranges of certain functions of the C++ library, sorted.
struct LibraryCode {
  std::uint32_t count;
  CodeRange ranges[kMaxLibraryCode];
};

/// Writes only if the value changes. A written cache line has to move between the two CPUs, and most of an execution
/// equals the one before it.
template <class T>
inline void put(T& place, const T& value) {
  if constexpr (std::is_scalar_v<T>) {
    if (place != value) place = value;
  } else {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);
    std::uint64_t difference = 0;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < sizeof(T); i += sizeof(std::uint64_t)) {
      std::uint64_t old;
      std::uint64_t now;
      __builtin_memcpy(&old, reinterpret_cast<const char*>(&place) + i, sizeof old);
      __builtin_memcpy(&now, reinterpret_cast<const char*>(&value) + i, sizeof now);
      difference |= old ^ now;
    }
    if (difference != 0) __builtin_memcpy(&place, &value, sizeof(T));
  }
}

/// A worker's channel. The worker logs its steps in `journal` and copies them to `events` when the execution ends; the
/// explorer reads the journal only if the worker died before that.
struct Channel {
  Settings settings;
  // Fixed for the lifetime of a worker: the spin loops of the C++ library that end after a fixed number of rounds, and
  // its code that locks several mutexes.
  LibraryCode bounded_spins;
  LibraryCode back_offs;
  // Fixed: where the C++ library reads the clock for a timed wait.
  std::uint32_t timed_code_count;
  TimedCode timed_code[kMaxTimedCode];
  Suppressions suppressions;  ///< fixed

  // Hand-over: the explorer increments `request`; the worker sets `answer` to it when done. A side sets its `_sleeps`
  // flag before it sleeps on the futex it waits for.
  alignas(64) std::uint32_t request;
  std::uint32_t worker_sleeps;
  std::uint32_t turns;  ///< both run on the same CPU: the waiting side yields instead of spinning
  /// The CPU that the explorer made its request on. If the worker is on the same one, spinning is useless.
  std::uint32_t explorer_processor;
  alignas(64) std::uint32_t answer;
  std::uint32_t explorer_sleeps;
  std::uint32_t worker_processor;  ///< the CPU that the worker was on at its answer
  Phase phase;                     ///< in the cache line of the fields that change at the same time

  // The job. What every job sets fits into one cache line.
  alignas(64) std::uint64_t seed;
  std::uint64_t max_steps;
  Bound bound;
  std::uint32_t prefix_length;
  std::uint32_t sleeper_count;
  std::uint32_t postponed_count;  ///< the first so many sleepers: Job::postponed, which never wake
  std::uint32_t reporting;        ///< run for a report: find sites with more effort, and record `blocks`
  std::uint32_t skipped_range_count;
  // The waiting sites that the explorer knows; the worker may add to them if `learns` is set.
  std::uint32_t learns;
  std::uint32_t waits_are_new;  ///< the explorer has changed them since the last job
  std::uint32_t wait_count;
  Continuation continuation;
  Guidance guidance;  ///< for Continuation::Pct and ReadsFrom
  /// With `reporting`: an operation in this code has its caller as site.
  CodeRange skipped_ranges[kMaxSkippedRanges];
  Wait waits[kMaxWaits];

  // Progress, updated while the program runs so that it survives a crash, and the answer. What every execution changes
  // fits into one cache line again.
  alignas(64) std::uint32_t event_count;
  std::uint32_t offer_count;
  std::uint32_t running;  ///< the process that took the last step
  /// Yields by which threads in loops gave way to others (kGivesWay). They do not count as progress.
  std::uint32_t given_way;
  std::uint32_t held_back;  ///< when a thread last gave way, other threads were enabled but held back by the job
  /// Number of leading events restored from a checkpoint: they equal those of the previous answer.
  std::uint32_t resumed;
  std::uint32_t pending_count;
  std::uint32_t stopped_by;  ///< kStoppedBy… bits
  std::uint32_t warnings;    ///< kWarn… bits
  std::uint32_t output_length;
  std::uint32_t output_part_count;
  std::int32_t exit_status;
  std::uint32_t unjoined;        ///< the first thread that was neither joined nor detached, if kWarnNotJoined is set
  std::uint32_t unjoined_count;  ///< how many such threads there are
  std::uint32_t left_running;    ///< a thread still running when main returned, if kWarnMainReturned is set
  Outcome outcome;
  FailureKind error_kind;

  // Fields that few executions change.
  alignas(64) std::uint64_t load_base;  ///< load address of the program; sites are relative to it
  std::uint64_t main_frame;             ///< stack pointer at the call of main
  std::int32_t runner;                  ///< pid of the process that runs the program
  std::uint32_t touched;                ///< changes whenever memory is accessed for the first time: counts as progress
  std::uint32_t output_lost;            ///< bytes of output that did not fit
  std::uint64_t error_site;             ///< site of the failure, 0 if unknown
  ObjectMisuse misuse;                  ///< valid for the kinds that have such a record
  BlockedAlone blocked_alone;           ///< likewise
  RaisedSignal raised;                  ///< likewise
  char message[kMessageBytes];          ///< text of the failure, from the program or the runtime
  Watch watch;
  Finding finding;
  std::uint64_t ticks;          ///< time stamp counter ticks of this execution and the restore before it
  std::uint32_t leaked_blocks;  ///< number of leaked blocks; `finding` describes the first
  std::uint32_t block_count;
  HeapBlock blocks[kMaxBlocks];
  std::uint32_t frame_note_count;  ///< private to the worker, for reports

  CallStack crash;                    ///< signal inside a library: the program's frames that led there,
  char crash_library[kMessageBytes];  ///< and the library's frames, one per line, innermost first

  // Libraries that executions dlopen. Each worker loads them before main, so that they are part of the snapshot.
  std::uint32_t library_count;
  Library libraries[kMaxLibraries];

  // Accumulated over all executions; each pair of sites once.
  std::uint32_t intended_race_count;
  IntendedRace intended_races[kMaxIntendedRaces];

  UndoLog undo;  ///< changes to undo in the file system

  std::uint32_t long_waits;  ///< the time-out of a call of a minute or more was not explored
  std::uint32_t goal_count;
  Goal goals[kMaxGoals];

  // Footprints of atomic sections by number. The table only grows, and survives the worker.
  std::uint32_t footprint_count;  ///< including entry 0, the unknown footprint; 0: the table is not initialised yet
  std::uint32_t footprint_operation_count;
  /// Private to the worker: hash table of footprint numbers, open addressing.
  std::uint32_t footprint_places[2 * kMaxFootprints];
  Footprint footprints[kMaxFootprints];
  Operation footprint_operations[kMaxFootprintOperations];

  /// Private to the worker, per process: lowest stack address already scanned for return addresses.
  std::uint64_t scanned[kMaxProcesses];
  alignas(64) Step prefix[kMaxEvents];
  alignas(64) Sleeper sleepers[kMaxSleepers];
  alignas(64) PendingRecord pending[kMaxPending];
  alignas(64) Offer offers[kMaxOffers];
  alignas(64) Event events[kMaxEvents];   ///< copied from the journal with the answer; one event per cache line
  alignas(64) Event journal[kMaxEvents];  ///< written step by step
  char output[kOutputBytes];
  OutputPart output_parts[kMaxOutputParts];
  FrameNote frame_notes[kMaxFrameNotes];
  Frame frames[kMaxFramesNoted];

  // With Settings::keeps_states: the state deltas of the steps in [states_from, delta_end).
  alignas(64) std::uint32_t states_from;
  std::uint32_t delta_end;
  StateHash deltas[kMaxEvents];
  StateHash shared_deltas[kMaxEvents];  ///< the part of the delta that is not private to the thread
  // With Settings::keeps_bytes: the changed words in step order; difference_ends[i] is where those of step i end.
  std::uint32_t difference_ends[kMaxEvents];
  StateDifference differences[kMaxDifferences];
};

/// Messages between an explorer and the zygote that forks workers for a closure. Each request carries two file
/// descriptors: the segment and the backup file.
struct ForkRequest {
  std::uint32_t channel;
};
struct ForkAnswer {
  std::int32_t process;      ///< the worker's pid; negative: -errno
  std::int32_t backup_file;  ///< the descriptor of the backup file in the worker
};

/// The result of exploring a closure that the unit test receives, besides the report.
struct ClosureAnswer {
  std::uint64_t executions;
  std::uint64_t blocked;
  std::uint64_t cut;
  std::uint64_t errors;
  double seconds;
  std::uint32_t complete;
  std::uint32_t goals_missed;
};

/// Offset of a channel in the segment, page-aligned.
constexpr std::uint64_t channel_offset(std::uint32_t number) {
  constexpr auto kPages = [](std::uint64_t bytes) { return (bytes + 4095) & ~std::uint64_t{4095}; };
  return kPages(sizeof(Common)) + number * kPages(sizeof(Channel));
}

}  // namespace mazurka::protocol
