// The state of the runtime: what it knows of the program's threads and of the execution under way. It lives in pages of
// its own that the snapshot leaves alone. What belongs to the program (mutexes, keys, exit handlers) lives in the
// program's memory instead and is restored with it.
#pragma once

#include <cstdint>

#include "program/patience.hpp"
#include "program/protocol.hpp"
#include "runtime/arch.hpp"

#define MAZURKA_EXPORT extern "C" __attribute__((visibility("default")))

namespace mazurka::runtime {

enum class Life : std::uint8_t { Absent, Live, Done };
/// The queue of waiters in which a thread stands.
enum class Queue : std::uint8_t { None, Condition, Futex };

/// What the scheduler must ask about a thread's next step.
enum class Readiness : std::uint8_t {
  Never,   ///< there is no next step: the thread does not exist or has ended
  Always,  ///< the operation is enabled in every state and has one alternative
  Ask,     ///< offers.hpp knows
};

/// An initialiser under way; it lies on the stack of the thread that runs it.
struct RunningOnce {
  const void* object;
  RunningOnce* next;
};

/// A thread of the program: a fiber with the thread-local storage of a donor.
struct Thread {
  Life life;
  Queue queue;
  bool woken;   ///< left the queue: by a signal, a wake or by itself
  bool timed;   ///< may leave the queue by itself
  bool failed;  ///< the operation just chosen takes place as a failed one (kFailed)
  bool detached;
  bool joined;
  bool using_files;          ///< it is inside a call that is a step on files
  std::uint32_t claimed_by;  ///< who joined or detached it, thread index + 1; kAtBirth if it was created detached
  static constexpr std::uint32_t kAtBirth = UINT32_MAX;
  std::uint32_t arrivals;  ///< at barriers, so far
  std::uint32_t index;
  std::uint32_t alternative;  ///< the alternative just chosen
  Operation pending;
  std::uint64_t site;
  std::uint64_t expected[2];  ///< what a compare-exchange or futex wait compares with; the round a barrier waits for

  void* stack_pointer;
  std::uint64_t thread_pointer;
  void* (*body)(void*);
  void* argument;
  void* result;
  int status;                ///< of main: what it returned, which counts from its end on
  std::uint32_t last_child;  ///< index, 0 before the first
  std::uint32_t atomic_depth;
  std::uint32_t section_calls;  ///< inside a function that is a section: how many calls deep

  std::uint8_t* heap_top;
  std::uint64_t clock;   ///< virtual nanoseconds since the start of the program
  std::uint64_t random;  ///< state of its generator
  struct Destructor* destructors;
  struct Cleanup* cleanups;
  RunningOnce* onces;         ///< the initialisers it is running, innermost first
  std::uint64_t exit_site;    ///< of its pthread_exit: what runs until its end has sites of its own
  std::uint64_t signal_mask;  ///< as it believes: signals.hpp
};

/// Fixed for the life of a slot, whatever is executed in it.
struct Slot {
  std::uint64_t thread_pointer;  ///< of the donor; 0 if there is none yet
  bool mapped;
  std::uint32_t first_child;  ///< index of the first process it ever created, 0 if none
  std::uint32_t next_sibling;
};

/// How far an execution has come: what a checkpoint keeps, and what is different in every step.
struct Moment {
  Thread* current;           ///< never null: before main it is the main thread
  protocol::Record* record;  ///< of the event under way, for what it observes
  std::uint32_t step;
  std::uint32_t thread_end;    ///< one above the largest index used in this execution
  std::uint32_t live;          ///< how many threads have not ended
  std::uint32_t always_count;  ///< of threads that are always ready
  std::uint32_t live_blocks;   ///< of the heap, in this execution
  std::uint32_t clock_count;   ///< clocks of objects that the race detector uses
  std::uint32_t node_count;    ///< accesses that it keeps outside their cells
};

inline constexpr std::uint32_t kMaxStretches = 64;

struct State : Moment {
  protocol::Channel* channel;
  bool exploring;  ///< the scheduler decides; otherwise there is one thread, which just runs
  bool fast_thread_pointer;
  bool plain_explore;
  bool detecting;  ///< memory that must not be accessed is marked, for the race detector or for `guarding`
  bool checking;   ///< the race detector watches: the program is running under it
  bool guarding;   ///< the program is running, its plain accesses are steps, and each is compared with the marks
  bool tracing;    ///< and calls are noted, for the stacks of a report
  bool following;  ///< calls are looked at: for that, or because functions are atomic sections
  bool section;    ///< the running thread is inside an atomic section
  bool hooked;     ///< plain accesses are looked at though the detector does not watch
  bool reporting;  ///< the execution is to be shown
  bool spurious;
  bool standalone;  ///< run without an explorer
  bool ending;      ///< exit handlers run
  bool restart;     ///< the execution lacked a donor and must be repeated
  bool pass_output;
  bool ready;                       ///< set up: the snapshot is taken
  bool mask_known;                  ///< of the main thread
  std::uint64_t first_signal_mask;  ///< of the main thread, when main begins
  bool trapping;                    ///< system calls that change files are caught
  int channel_file;                 ///< the descriptor of the channel

  // The job, copied so that nothing outside can change it under way.
  Continuation continuation;
  std::uint64_t random;
  std::uint32_t prefix_length;
  std::uint32_t max_steps;
  std::uint32_t sleeper_count;
  std::uint32_t put_off_count;
  std::uint32_t resumed_at;  ///< the steps before this one were not taken again: a checkpoint had them
  std::uint32_t pause_at;    ///< before this step of the prefix a checkpoint is to be taken
  bool paused;               ///< the driver shall take it now
  bool checkpoints;          ///< there may be any

  // The race detector's.
  /// Of plain accesses until the running thread, which may be waiting in a loop, lets others run (plain.cpp).
  std::uint32_t accesses_left;
  std::uint32_t waits_in_vain;  ///< how often it did while a step was put off, in this execution
  std::uint32_t cells_touched;  ///< for the first time in the execution; counts on
  std::uint32_t cells_reported;
  bool page_cells;  ///< there may be some in this execution
  /// The number that marks what belongs to this execution, or to this stretch of it: at a checkpoint another begins.
  std::uint32_t execution;
  std::uint32_t stretches[kMaxStretches];  ///< the numbers of the stretches before
  std::uint32_t stretch_count;
  std::uint32_t clock_width;    ///< how many entries of clocks are used
  std::uint64_t restore_ticks;  ///< what getting back to the start took last time, where that is measured

  program::Patience patience;  ///< with the explorer

  std::uint32_t section_functions;  ///< how many functions are atomic sections

  std::uint32_t donors;        ///< slots below this number are complete
  bool rseq_left;              ///< the kernel does not write to threads' storage
  std::uint32_t donors_begun;  ///< threads of them that run, not counting the main one
  std::uint32_t donors_wanted;

  void* driver_stack;
  std::uint64_t main_thread_pointer;
  std::uint64_t static_tls_bytes;  ///< below each thread pointer
  std::uint64_t image_base;        ///< of the program
  std::uint64_t text_begin;        ///< its code
  std::uint64_t text_end;
  std::uint64_t constants_begin;  ///< what of its image nobody can write
  std::uint64_t constants_end;
  std::uint64_t unwinder_begin;  ///< the code of the library that unwinds stacks
  std::uint64_t unwinder_end;
};

/// A step that the scheduler may choose.
struct Candidate {
  std::uint32_t process;
  std::uint32_t alternative;
};

/// A stack without anything to clean up; see thread_exit.cpp.
struct PlainStack {
  static constexpr std::uint64_t kMost = 62;
  const std::uint64_t* begin;
  std::uint64_t links;  ///< as bits: the words that say which frames there are
  std::uint64_t words[kMost];
};

struct SectionTouch {
  std::uint64_t address;
  std::uint64_t bytes;
  const void* place;
  std::uint8_t touch;  ///< see shadow.hpp
};
struct UndoneStore {
  std::uint64_t address;
  std::uint8_t bytes;
  std::uint8_t before[16];
};

/// The atomic section under way: no other thread can run meanwhile.
struct Section {
  static constexpr std::uint32_t kMost = 1U << 16;
  protocol::Record* record;   ///< of its event; null outside an exploration
  std::uint32_t wanted;       ///< what is left of the alternative that was asked for
  std::uint32_t alternative;  ///< the choices so far
  std::uint64_t weight;       ///< of the next choice
  bool random;                ///< choices are made at random
  std::uint32_t choices;
  std::uint32_t count;
  Operation choice[32];
  Operation operations[kMost];
  // What the race detector has yet to look at: a section whose assumption fails did not take place.
  std::uint32_t touch_count;
  SectionTouch touches[kMost];
  // The bytes that its stores replaced, for that case too.
  bool final;  ///< something took place that cannot be undone
  std::uint32_t undo_count;
  UndoneStore undo[kMost];
};

/// The tables, which are large and start as zeros.
struct alignas(4096) Tables {
  Readiness readiness[protocol::kMaxProcesses];        ///< apart from the threads, to be scanned quickly
  std::uint64_t always[protocol::kMaxProcesses / 64];  ///< the same as bits
  std::uint64_t asking[protocol::kMaxProcesses / 64];
  Candidate candidates[protocol::kMaxPending];
  Thread threads[protocol::kMaxProcesses];
  Slot slots[protocol::kMaxProcesses];
  Sleeper sleepers[protocol::kMaxSleepers];
  PlainStack plain_stacks[protocol::kMaxProcesses];
  Section section;
};
extern Tables tables;

struct alignas(4096) StatePages : State {};
extern StatePages g;

inline Thread& self() { return *g.current; }

inline void set_readiness(std::uint32_t index, Readiness readiness) {
  const std::uint64_t bit = 1ULL << index % 64;
  std::uint64_t& always = tables.always[index / 64];
  std::uint64_t& asking = tables.asking[index / 64];
  g.always_count -= (always & bit) != 0 ? 1U : 0U;
  g.always_count += readiness == Readiness::Always ? 1U : 0U;
  always = readiness == Readiness::Always ? always | bit : always & ~bit;
  asking = readiness == Readiness::Ask ? asking | bit : asking & ~bit;
  tables.readiness[index] = readiness;
}

// Where the memory of a thread lies: the same place in every execution, whatever the schedule and the worker.
inline constexpr std::uint64_t kArena = 0x1000'0000'0000;
inline constexpr std::uint64_t kStride = 0x2'0000'0000;  // per thread
inline constexpr std::uint64_t kDonorBytes = 16U << 20;  // the donor's own stack with the thread-local storage
inline constexpr std::uint64_t kStackGuard = 1U << 20;   // never mapped: below the fiber's stack
inline constexpr std::uint64_t kStackBytes = 8U << 20;   // the fiber's stack
inline constexpr std::uint64_t kHeapOffset = 64U << 20;  // the rest is its heap
inline constexpr std::uint64_t kArenaEnd = kArena + (protocol::kMaxProcesses + 1) * kStride;
inline constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t slot_base(std::uint32_t index) { return kArena + index * kStride; }
constexpr std::uint64_t stack_bottom(std::uint32_t index) { return slot_base(index) + kDonorBytes + kStackGuard; }
constexpr std::uint64_t stack_top(std::uint32_t index) { return stack_bottom(index) + kStackBytes; }
/// Of the C library, behind a thread pointer. Where it is larger or smaller, restoring snapshots takes longer.
inline constexpr std::uint64_t kControlBlock = 2304;
// Places at the same offset in their pages compete for the same lines of the cache, so the threads' differ.
constexpr std::uint64_t colour(std::uint32_t index) { return index * 320U % 3840U; }
/// Where the first frame of a fiber begins.
constexpr std::uint64_t first_frame(std::uint32_t index) { return stack_top(index) - 64 - colour(index); }
constexpr std::uint64_t heap_bottom(std::uint32_t index) { return slot_base(index) + kHeapOffset + colour(index); }
constexpr std::uint64_t heap_end(std::uint32_t index) { return slot_base(index) + kStride; }
/// The heap of what runs before main; it is part of the snapshot.
inline constexpr std::uint32_t kBootSlot = protocol::kMaxProcesses;

}  // namespace mazurka::runtime
