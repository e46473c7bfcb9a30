// The threads of the program and their slots.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

enum class Life : std::uint8_t { Absent, Live, Done };
/// The wait queue that a thread is in.
enum class Queue : std::uint8_t { None, Condition, Futex };

/// How to find out whether a thread's next step is enabled.
enum class Readiness : std::uint8_t {
  Never,   ///< it has none: the thread does not exist or has ended
  Always,  ///< enabled in every state, with a single alternative
  Ask,     ///< offers.hpp decides
};

/// An initialiser (call_once) that is running. On the stack of the thread that runs it.
struct RunningOnce {
  const void* object;
  RunningOnce* next;
};

/// A thread of the program: a fiber with the thread-local storage of a donor. The fields that every step uses come
/// first, in two cache lines.
struct alignas(64) Thread {
  Life life;
  Queue queue;
  bool woken;   ///< left the queue: signalled, woken, timed out or spuriously
  bool timed;   ///< may leave the queue by itself (time-out, spurious wake-up)
  bool failed;  ///< the operation just chosen fails (kFailed)
  bool detached;
  bool joined;
  bool using_files;          ///< inside a call that is a scheduling point on files
  bool without_time_out;     ///< it waits without a time-out: timing out would start an idle round
  bool time_granted;         ///< its time-out has passed: messages/passing_time.hpp
  std::uint32_t claimed_by;  ///< index + 1 of the thread that joined or detached it; kAtBirth if created detached
  static constexpr std::uint32_t kAtBirth = UINT32_MAX;
  std::uint32_t arrivals;  ///< number of barrier arrivals so far
  std::uint32_t messages;  ///< number of messages sent so far
  std::uint32_t index;
  std::uint32_t alternative;  ///< the alternative just chosen
  std::uint32_t steps;        ///< steps taken that count towards the bound: bounds.hpp
  std::uint32_t atomic_depth;
  Operation pending;
  std::uint64_t site;
  /// Expected value of a compare-exchange or futex wait; the round that a barrier wait belongs to.
  std::uint64_t expected[2];

  void* stack_pointer;
  std::uint64_t thread_pointer;
  // waiting/: the last atomic access it announced,
  std::uint64_t access;   ///< its return address,
  std::uint64_t operand;  ///< and its operand

  void* (*body)(void*);
  void* argument;
  void* result;
  int status;                   ///< main's return value, valid from its end on
  std::uint32_t last_child;     ///< index of the last child, 0 if none
  std::uint32_t section_calls;  ///< call depth inside a function that is a section
  // Nesting depths of annotations: races of its reads or writes are intended, or its synchronisation orders nothing.
  std::uint32_t ignored_reads;
  std::uint32_t ignored_writes;
  std::uint32_t ignored_synchronisation;
  std::uint32_t suppressed_calls;  ///< call depth below code whose races are suppressed,
  std::uint32_t suppressing_rule;  ///< and the suppression rule

  std::uint8_t* heap_top;
  std::uint64_t clock;                            ///< virtual time since the program's start, in nanoseconds
  std::uint64_t passed;                           ///< deadline of its last timed-out wait, on the same clock
  std::uint64_t random;                           ///< state of its random number generator
  struct Prospect (*prospect)(const void* what);  ///< of a call that waits on descriptors: messages/descriptors.hpp
  const void* prospect_of;
  struct Destructor* destructors;
  struct Cleanup* cleanups;
  const char* misuse;             ///< the misuse for which it is throwing an exception; null if none
  RunningOnce* onces;             ///< the initialisers that it runs, innermost first
  std::uint64_t exit_site;        ///< site of its pthread_exit; clean-up code has sites of its own
  std::uint64_t signal_mask;      ///< as the thread sees it: signals.hpp
  std::uint32_t polling_signals;  ///< it is checking for signals, or waiting for one
  std::uint64_t lent_begin;       ///< the part of its stack that other threads have accessed
  std::uint64_t lent_end;         ///< 0: none

  std::uint64_t condition;  ///< what its last atomic access waits for, if a call says so (verifier_waits.cpp)
  // Cycle detection: an access that it may come back to.
  std::uint64_t mark;
  std::uint64_t mark_object;
  std::uint32_t mark_step;
  std::uint32_t mark_state;  ///< the state to come back to; 0 before the second visit
  std::uint32_t mark_state_step;
  std::uint32_t mark_suspect;  ///< index among the suspected waiting sites
  std::uint32_t looks;         ///< number of consecutive visits in a check
  std::uint32_t since_mark;
  std::uint32_t mark_after;
  // Bounded spins of the C++ library: call depth inside one, and its last load there.
  std::uint32_t spin_calls;
  std::uint32_t back_off_calls;  ///< call depth inside std::lock (waiting/back_offs.hpp)
  std::uint32_t looked_step;     ///< number of steps taken at that load
  Operation looked_at;

  // From here on only used if waiting sites are known: see kept_bytes().
  Operation awaited;       ///< the last atomic access, before it was turned into an await
  std::uint32_t awaiting;  ///< number of its local state at the last await
  std::uint32_t await_step;
  std::uint32_t shown;       ///< number of the answer about its idle round that the race detector has been shown
  std::uint32_t spin_begin;  ///< steps of the idle round before a Spin
  std::uint32_t spin_end;
  std::uint32_t spin_answer;  ///< number of the answer about its plain reads there; 0 if none
  // The last mutex lock that it may come back to:
  std::uint64_t locked_access;
  std::uint64_t locked_object;
  std::uint32_t locked_step;     ///< number of steps taken,
  std::uint32_t locked_state;    ///< number of its local state, if compared,
  std::uint32_t locked_looks;    ///< number of rounds,
  std::uint32_t locked_suspect;  ///< index among the suspected waiting sites,
  std::uint32_t locked_answer;   ///< number of the answer that the round from there is idle; 0 if none
  /// Timed waits that timed out, with the local state, and the answers that nothing happened between steps since then
  /// (timed_rounds.hpp).
  struct TimedVisit {
    std::uint32_t state;
    std::uint32_t step;     ///< number of steps taken
    std::uint32_t segment;  ///< the first segment after it
  };
  struct Segment {
    std::uint32_t step;  ///< number of steps taken when it began
    std::uint32_t answer;
  };
  static constexpr std::uint32_t kMostTimedVisits = 8;
  static constexpr std::uint32_t kMostSegments = 32;
  std::uint32_t timed_segments;  ///< the first segment of the preceding idle round
  std::uint64_t timed_mutex;     ///< the mutex that its waits release; 0 if none
  std::uint64_t deadline;        ///< of the timed wait that it is starting
  std::uint64_t timed_access;    ///< cycle detection for timed waits: the last one,
  std::uint64_t timed_object;
  std::uint32_t timed_step;
  std::uint32_t timed_looks;
  std::uint32_t timed_visit_count;
  std::uint32_t segment_count;
  TimedVisit timed_visits[kMostTimedVisits];
  Segment segments[kMostSegments];
  /// Its visits, with local state, to waiting sites at which it takes at most one idle round.
  struct Visit {
    std::uint32_t state;
    std::uint32_t step;
    std::uint32_t expected;  ///< number of the answer that the next round is idle if it reads the same values
  };
  static constexpr std::uint32_t kMostVisits = 16;
  std::uint32_t visit_count;
  std::uint32_t next_visit;
  Visit visits[kMostVisits];

  /// With keeps_states (states/): the callee-saved registers of the caller that announced the next step, from the stack
  /// pointer on, and its return address; zeros before the first step.
  static constexpr std::uint32_t kPositionWords = 8;
  unsigned long position[kPositionWords];
  std::uint64_t floating_point;  ///< floating_point_control(), there
  // Hashes of the accesses shown to the race detector since its last step, and of those of the previous segment.
  std::uint64_t segment[2];
  std::uint64_t last_segment[2];
  std::uint64_t segment_accesses;
};

/// Fixed for the lifetime of the slot, independent of the execution.
struct Slot {
  std::uint64_t thread_pointer;  ///< of the donor; 0 if there is none yet
  bool mapped;
  std::uint32_t first_child;  ///< index of the first process that it ever created, 0 if none
  std::uint32_t last_child;   ///< index of the last one
  std::uint32_t next_sibling;
  std::uint32_t rank;  ///< minimum number of threads once it exists: rank_of_child()
};

/// On pages of their own, which the snapshot excludes. Large, and zero-initialised.
struct alignas(kPage) Threads {
  Readiness readiness[protocol::kMaxProcesses];        ///< outside of Thread, for fast scans
  std::uint64_t always[protocol::kMaxProcesses / 64];  ///< the same as bit sets
  std::uint64_t asking[protocol::kMaxProcesses / 64];
  Thread all[protocol::kMaxProcesses];
  Slot slots[protocol::kMaxProcesses];
  std::uint32_t donors;        ///< number of complete slots
  std::uint32_t donors_begun;  ///< number of running donor threads, without the main thread
};
MAZURKA_SHARED Threads threads;

}  // namespace mazurka::runtime
