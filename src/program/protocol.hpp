// The memory that an explorer and its workers share, field by field; docs/protocol.md explains it. The runtime inside
// the program under test includes this file, so it holds plain data only.
//
// A worker and an explorer that disagree on kVersion refuse each other: whoever changes a field raises it.
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
inline constexpr std::uint32_t kVersion = 20;
/// The environment variable that tells a program under test the file descriptor of the segment and the number of its
/// channel there: `3:000`.
inline constexpr const char* kChannelVariable = "MAZURKA_CHANNEL";

/// The environment variable that makes a program under test print what its __tsan_default_suppressions() returns.
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
inline constexpr std::uint32_t kMaxPassedOver = 256;
inline constexpr std::uint32_t kMaxBlocks = 256;
inline constexpr std::uint32_t kMaxFrameNotes = 1U << 15;
inline constexpr std::uint32_t kMaxFramesNoted = 1U << 19;
inline constexpr std::uint32_t kMaxOutputParts = 1U << 12;
inline constexpr std::uint32_t kMaxGoals = 256;
inline constexpr std::uint32_t kGoalBytes = 120;
inline constexpr std::uint32_t kMaxFootprints = 1U << 17;
inline constexpr std::uint32_t kMaxFootprintOperations = 1U << 21;

/// The object of steps that use files and descriptors, all of them: no program has anything at this address.
inline constexpr std::uint64_t kFiles = 8;

/// How memory accesses that are not atomic are looked at.
enum class Plain : std::uint8_t {
  Ignore,
  Explore,  ///< as steps of their own
  Check,    ///< by the race detector
};
/// How a worker gets back to the state before `main`.
enum class Isolation : std::uint8_t { Memory, Fork };
/// What returning from `main` means for the other threads.
enum class Exit : std::uint8_t { Threads, Process };

/// What the explorer fixes for the life of a worker.
struct Settings {
  /// Executions go on from the middle of an earlier one where so many schedules in a row began with the same steps,
  /// which are at least so many. 0: never.
  std::uint32_t checkpoints = 8;
  Plain plain = Plain::Ignore;
  Isolation isolation = Isolation::Memory;
  Exit exit = Exit::Threads;
  bool spurious_wakeups = false;    ///< a wait on a condition variable may end without a signal
  bool measure = false;             ///< the worker takes the time of executions
  bool once = false;                ///< run one job and exit, without a snapshot: for debuggers
  bool ignore_exit_status = false;  ///< otherwise an execution that ends with a status other than 0 has failed
  bool reduce_waits = true;         ///< loops that wait are no steps
  bool keeps_states = false;        ///< executions say what each step changes, and freed memory is used again
  bool keeps_bytes = false;         ///< then: and in which places, without hashing
  bool pass_output = false;         ///< the program's output goes where it would go, not into `output`
  bool has_nondet = false;          ///< the range below is what __VERIFIER_nondet_ functions return by default
  std::int64_t nondet_lowest = 0;
  std::int64_t nondet_highest = 0;
};

/// Where a worker is; the explorer reads it when a worker dies or says nothing for too long.
enum class Phase : std::uint32_t {
  Starting,   ///< static constructors, donors, snapshot
  Idle,       ///< waits for a job
  Running,    ///< inside the program
  Restoring,  ///< between the end of an execution and its answer
};

/// A process by its path of creation. Entries are read and written as a whole.
struct alignas(8) ProcessEntry {
  std::uint32_t parent;
  std::uint32_t number;  ///< the how many-th child, from 1; 0: there is no entry yet

  bool operator==(const ProcessEntry&) const = default;
};

/// The processes of a program; the index of a process is its place. Whoever meets one first enters it at the first free
/// place, by compare-and-swap, so that nobody waits for a worker that has died. An entry never changes.
struct Processes {
  ProcessEntry entries[kMaxProcesses];

  [[gnu::always_inline]] ProcessEntry operator[](std::uint32_t index) const {
    ProcessEntry entry;
    __atomic_load(&entries[index], &entry, __ATOMIC_ACQUIRE);
    return entry;
  }
  /// The index of a process, new or not; kMaxProcesses if there is no place left.
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

/// What all workers of a program share, at the beginning of the segment. The channels follow, one for each worker.
struct Common {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t channel_bytes;
  Processes processes;
};

struct PendingRecord {
  Offer offer;
  ProcessIndex holder;  ///< who has what the operation waits for; kNoProcess if nobody in particular
};

/// Where a thread was, innermost call first, as sites.
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

/// What is known about a data race or a memory error: the use that failed, the earlier one that it clashes with, and
/// the heap block.
struct Finding {
  std::uint64_t address;
  UseRecord now;
  UseRecord before;
  std::uint64_t block;  ///< 0 where the address lies in no heap block
  std::uint64_t block_bytes;
  ProcessIndex block_process;
  CallStack allocation;
};

/// An execution in which something was found is repeated with its calls traced. This says what to look out for.
struct Watch {
  bool on;
  std::uint8_t bytes;
  std::uint8_t touch;
  ProcessIndex process;
  std::int32_t clock;
  std::uint32_t site;
  std::uint64_t address;
};

/// Code of the program, relative to its image.
struct CodeRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// What the C++ library wants to know when it asks for the time.
enum class TimeQuestion : std::uint64_t {
  Other,     ///< it is not the library that asks, or nobody knows what for
  Deadline,  ///< when a wait that is about to begin shall end
  IsOver,    ///< whether the wait that has just ended has come to its deadline
};
/// Code that asks for it.
struct TimedCode {
  CodeRange code;
  TimeQuestion question;
};

/// Something that some execution is to reach. Kept from one execution and one worker to the next.
struct Goal {
  char name[kGoalBytes];
  std::uint32_t declared;
  std::uint32_t reached;
};

/// Code or variables whose data races the user suppresses, relative to the image.
struct SuppressedRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t rule = 0;  ///< the number of the suppression
};
inline constexpr std::uint32_t kMaxSuppressedRanges = 8192;

/// In ascending order and disjoint.
struct SuppressedRanges {
  std::uint32_t count;
  SuppressedRange ranges[kMaxSuppressedRanges];
};
/// By what they suppress.
struct Suppressions {
  SuppressedRanges calls;      ///< a race of an access made in this code or in what it calls
  SuppressedRanges accesses;   ///< of an access made in this code
  SuppressedRanges variables;  ///< of these bytes
};

/// A data race that is meant: it is suppressed, or the program annotates it. It did not end its execution.
struct MeantRace {
  std::uint64_t address;
  std::uint64_t before;  ///< the sites of both accesses, 0 where a library made one
  std::uint64_t now;
  Use before_use;
  Use now_use;
  std::uint32_t rule;  ///< the number of the suppression, or one of the following

  static constexpr std::uint32_t kAnnotated = UINT32_MAX;
  static constexpr std::uint32_t kByCaller = UINT32_MAX - 1;  ///< a suppression of what called the earlier access
};
inline constexpr std::uint32_t kMaxMeantRaces = 256;

/// What a program gave to dlopen(), with its flags.
struct Library {
  std::int32_t flags;
  char name[252];
};
inline constexpr std::uint32_t kMaxLibraries = 16;

/// What a thread printed between two steps: bytes of `output` that end before `end`.
struct OutputPart {
  std::uint32_t after;  ///< so many steps
  ProcessIndex process;
  std::uint32_t end;
};

/// A call that a thread is in.
struct Frame {
  std::uint64_t site;   ///< where the function goes on, 0 if it is not the program's
  std::uint64_t stack;  ///< the stack pointer while it calls the next
};
/// The frames of a thread before an event, from the innermost.
struct FrameNote {
  std::uint32_t event;
  ProcessIndex process;
  std::uint32_t begin;
  std::uint32_t count;
};

enum class WaitKind : std::uint32_t {
  None,
  Await,    ///< for one location: accesses there are awaits
  Several,  ///< for more than that
  Locked,   ///< under a mutex, which is locked there
  Timed,    ///< with a time-out, which it takes and tries again
  Assumed,  ///< no loop: an assumption about what was read there follows. Accesses there are awaits
};

/// An access by which threads wait in a loop. Of several for one site the last counts.
struct Wait {
  std::uint64_t site;
  WaitKind kind;

  bool operator==(const Wait&) const = default;
};
/// The site that stands for asking for the time: the clocks of threads make a difference then.
inline constexpr std::uint64_t kTimeSite = ~0ULL;
/// The site that stands for sending signals to other threads: these look for them then.
inline constexpr std::uint64_t kSignalSite = ~1ULL;
/// The sites that stand for using the stack of another thread, or of the main one: accesses of stacks are steps then,
/// where plain accesses are.
inline constexpr std::uint64_t kStackSite = ~2ULL;
inline constexpr std::uint64_t kMainStackSite = ~3ULL;
/// The site that stands for backing off inside std::lock, and the one that stands for a try to lock a mutex elsewhere,
/// which may see the difference (runtime/waiting/back_offs.hpp).
inline constexpr std::uint64_t kBackOffSite = ~4ULL;
inline constexpr std::uint64_t kTrySite = ~5ULL;
inline constexpr std::uint32_t kMaxWaits = 512;
inline constexpr std::uint32_t kMaxLibraryCode = 4096;
inline constexpr std::uint32_t kMaxTimedCode = 4096;

/// Where certain functions of the C++ library lie, in ascending order.
struct LibraryCode {
  std::uint32_t count;
  CodeRange ranges[kMaxLibraryCode];
};

/// Writes only where that changes something: a line of memory that is written goes from one processor's cache to the
/// other's and back, and most of an execution is like the one before.
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

/// The memory itself. The worker notes its steps in a journal of its own and puts the events over at the end; the
/// explorer looks at the journal only if there is no end.
struct Channel {
  Settings settings;
  // Where the C++ library looks a few times before it blocks, and where it locks several mutexes: fixed for the life of
  // a worker too.
  LibraryCode bounded_spins;
  LibraryCode back_offs;
  // Where it asks for the time because of a wait, likewise.
  std::uint32_t timed_code_count;
  TimedCode timed_code[kMaxTimedCode];
  Suppressions suppressions;  ///< fixed likewise

  // The hand-over: the explorer raises `request`, the worker sets `answer` to it when done. A side that goes to sleep
  // on the word it waits for says so first.
  alignas(64) std::uint32_t request;
  std::uint32_t worker_sleeps;
  std::uint32_t turns;               ///< both stay on one processor: who waits lets the other have it
  std::uint32_t explorer_processor;  ///< where it was when it asked: there is no use in spinning on the same one
  alignas(64) std::uint32_t answer;
  std::uint32_t explorer_sleeps;
  std::uint32_t worker_processor;  ///< where it was when it answered
  Phase phase;                     ///< beside what it changes with

  // The job. What comes with every one lies in one line of memory.
  alignas(64) std::uint64_t seed;
  std::uint64_t max_steps;
  Bound bound;
  std::uint32_t prefix_length;
  std::uint32_t sleeper_count;
  std::uint32_t put_off_count;  ///< how many of the sleepers, from the first on, are a Job's `put_off`
  std::uint32_t reporting;  ///< the execution is to be shown: sites are looked for with more effort, and `blocks` noted
  std::uint32_t passed_over_count;
  // Where threads wait in loops: what the explorer knows, and what the worker finds out if the job lets it.
  std::uint32_t learns;
  std::uint32_t waits_are_new;  ///< the explorer has changed them
  std::uint32_t wait_count;
  Continuation continuation;
  Guidance guidance;                      ///< of a continuation by priorities
  CodeRange passed_over[kMaxPassedOver];  ///< where sites are not wanted then, but what called this code
  Wait waits[kMaxWaits];

  // Progress, written while the program runs, so that it is known after a crash too, and the answer. What every
  // execution changes lies in one line of memory again.
  alignas(64) std::uint32_t event_count;
  std::uint32_t offer_count;
  std::uint32_t running;    ///< the process that moved last
  std::uint32_t given_way;  ///< events by which a thread in a loop let others go first (kGivesWay): no progress
  std::uint32_t held_back;  ///< when a thread last gave way, others could move but were not to
  std::uint32_t resumed;    ///< so many events were not executed again: they are those of the answer before
  std::uint32_t pending_count;
  std::uint32_t stopped_by;  ///< bits kStoppedBy…
  std::uint32_t warnings;    ///< bits kWarn…
  std::uint32_t output_length;
  std::uint32_t output_part_count;
  std::int32_t exit_status;
  std::uint32_t unjoined;        ///< the first thread that was neither joined nor detached, where a warning says so
  std::uint32_t unjoined_count;  ///< how many there are
  std::uint32_t left_running;    ///< a thread that had not ended when main returned, where a warning says so
  Outcome outcome;
  FailureKind error_kind;

  // What few executions change.
  alignas(64) std::uint64_t load_base;  ///< of the program's image; sites are relative to it
  std::uint64_t main_frame;             ///< the stack pointer when main was called
  std::int32_t runner;                  ///< the operating system's number of the process that runs the program
  std::uint32_t touched;                ///< changes while memory is accessed that was not accessed before: progress
  std::uint32_t output_lost;            ///< bytes of output that did not fit
  std::uint64_t error_site;             ///< where the program failed, 0 if the place is not known
  ObjectMisuse misuse;                  ///< as the kind has it
  BlockedAlone blocked_alone;           ///< likewise
  RaisedSignal raised;                  ///< likewise
  char message[kMessageBytes];          ///< what the program says about it
  Watch watch;
  Finding finding;
  std::uint64_t ticks;          ///< of the processor's clock: this execution and getting back to the start before it
  std::uint32_t leaked_blocks;  ///< `finding` describes the first
  std::uint32_t block_count;
  HeapBlock blocks[kMaxBlocks];
  std::uint32_t frame_note_count;  ///< the worker's own, for reports

  CallStack crash;                    ///< of a signal inside a library: the calls of the program that led there,
  char crash_library[kMessageBytes];  ///< and those inside, a line each, innermost first

  // Libraries that executions load: each worker loads them before main, so that they lie in the snapshot.
  std::uint32_t library_count;
  Library libraries[kMaxLibraries];

  // Of all executions so far; each pair of places once.
  std::uint32_t meant_race_count;
  MeantRace meant_races[kMaxMeantRaces];

  UndoLog undo;  ///< what is to be undone in the file system

  std::uint32_t long_waits;  ///< some call was not allowed to time out, since it waits for a minute or more
  std::uint32_t goal_count;
  Goal goals[kMaxGoals];

  // The footprints of atomic sections, by number. They stay, also from one worker to the next.
  std::uint32_t footprint_count;  ///< with the first, which stands for the unknown one; 0: there is none yet
  std::uint32_t footprint_operation_count;
  std::uint32_t footprint_places[2 * kMaxFootprints];  ///< the worker's own: their numbers by hash, open addressing
  Footprint footprints[kMaxFootprints];
  Operation footprint_operations[kMaxFootprintOperations];

  /// The worker's own, per process: the lowest address of its stack that was searched for a place in the code.
  std::uint64_t scanned[kMaxProcesses];
  alignas(64) Step prefix[kMaxEvents];
  alignas(64) Sleeper sleepers[kMaxSleepers];
  alignas(64) PendingRecord pending[kMaxPending];
  alignas(64) Offer offers[kMaxOffers];
  alignas(64) Event events[kMaxEvents];   ///< complete with the answer; one in a line of memory
  alignas(64) Event journal[kMaxEvents];  ///< written step by step
  char output[kOutputBytes];
  OutputPart output_parts[kMaxOutputParts];
  FrameNote frame_notes[kMaxFrameNotes];
  Frame frames[kMaxFramesNoted];

  // With Settings::keeps_states: what each step from this one on changed in the state, up to `delta_end`.
  alignas(64) std::uint32_t states_from;
  std::uint32_t delta_end;
  StateHash deltas[kMaxEvents];
  StateHash shared_deltas[kMaxEvents];  ///< of that, what is not only the thread's own
  // With Settings::keeps_bytes: the places, in the order of the steps; where those of each step end.
  std::uint32_t difference_ends[kMaxEvents];
  StateDifference differences[kMaxDifferences];
};

/// How an explorer gets workers that execute a closure: the process that stays where it is to be executed forks one for
/// each request, which comes with two descriptors, of the segment and of the file for backups.
struct ForkRequest {
  std::uint32_t channel;
};
struct ForkAnswer {
  std::int32_t process;      ///< negative: an error number
  std::int32_t backup_file;  ///< the number of that descriptor in the worker
};

/// What a test learns of the exploration of its closure, besides the report.
struct ClosureAnswer {
  std::uint64_t executions;
  std::uint64_t blocked;
  std::uint64_t cut;
  std::uint64_t errors;
  double seconds;
  std::uint32_t complete;
  std::uint32_t goals_missed;
};

/// Where a channel begins in the segment: at a page.
constexpr std::uint64_t channel_offset(std::uint32_t number) {
  constexpr auto kPages = [](std::uint64_t bytes) { return (bytes + 4095) & ~std::uint64_t{4095}; };
  return kPages(sizeof(Common)) + number * kPages(sizeof(Channel));
}

}  // namespace mazurka::protocol
