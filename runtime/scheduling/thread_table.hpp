// The threads of the program and the slots they live in.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

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

/// A thread of the program: a fiber with the thread-local storage of a donor. What every step uses comes first, in two
/// lines of the cache.
struct alignas(64) Thread {
  Life life;
  Queue queue;
  bool woken;   ///< left the queue: by a signal, a wake or by itself
  bool timed;   ///< may leave the queue by itself
  bool failed;  ///< the operation just chosen takes place as a failed one (kFailed)
  bool detached;
  bool joined;
  bool using_files;          ///< it is inside a call that is a step on files
  bool without_time_out;     ///< it waits, and its time-out would begin an idle round
  bool time_granted;         ///< it may go on because time passes: messages/passing_time.hpp
  std::uint32_t claimed_by;  ///< who joined or detached it, thread index + 1; kAtBirth if it was created detached
  static constexpr std::uint32_t kAtBirth = UINT32_MAX;
  std::uint32_t arrivals;  ///< at barriers, so far
  std::uint32_t messages;  ///< sent to mailboxes, so far
  std::uint32_t index;
  std::uint32_t alternative;  ///< the alternative just chosen
  std::uint32_t steps;        ///< how many it has taken of those that are counted: bounds.hpp
  std::uint32_t atomic_depth;
  Operation pending;
  std::uint64_t site;
  std::uint64_t expected[2];  ///< what a compare-exchange or futex wait compares with; the round a barrier waits for

  void* stack_pointer;
  std::uint64_t thread_pointer;
  // waiting/: the last atomic access that it announced,
  std::uint64_t access;   ///< where it returns to,
  std::uint64_t operand;  ///< and what it writes

  void* (*body)(void*);
  void* argument;
  void* result;
  int status;                   ///< of main: what it returned, which counts from its end on
  std::uint32_t last_child;     ///< index, 0 before the first
  std::uint32_t section_calls;  ///< inside a function that is a section: how many calls deep
  // Between annotations that say so, how many deep: races of its reads or writes are meant, its synchronisation orders
  // nothing.
  std::uint32_t ignored_reads;
  std::uint32_t ignored_writes;
  std::uint32_t ignored_synchronisation;
  std::uint32_t suppressed_calls;  ///< how many calls deep below code whose races are suppressed,
  std::uint32_t suppressing_rule;  ///< and by which suppression

  std::uint8_t* heap_top;
  std::uint64_t clock;   ///< virtual nanoseconds since the start of the program
  std::uint64_t passed;  ///< the deadline, on the same scale, of its last wait on a condition variable that timed out
  std::uint64_t random;  ///< state of its generator
  struct Prospect (*prospect)(const void* what);  ///< of a call that waits for descriptors: messages/descriptors.hpp
  const void* prospect_of;
  struct Destructor* destructors;
  struct Cleanup* cleanups;
  const char* misuse;             ///< what it is doing that throws an exception; null if nothing
  RunningOnce* onces;             ///< the initialisers it is running, innermost first
  std::uint64_t exit_site;        ///< of its pthread_exit: what runs until its end has sites of its own
  std::uint64_t signal_mask;      ///< as it believes: signals.hpp
  std::uint32_t polling_signals;  ///< it is looking for signals, or waits for one
  std::uint64_t lent_begin;       ///< of its stack: what other threads have accessed
  std::uint64_t lent_end;         ///< 0: nothing

  std::uint64_t condition;  ///< for what its last atomic access waits, where a call says so (verifier_waits.cpp)
  // An access that it may come back to.
  std::uint64_t mark;
  std::uint64_t mark_object;
  std::uint32_t mark_step;
  std::uint32_t mark_state;    ///< 0 before the second look
  std::uint32_t mark_suspect;  ///< its number among the places that threads came back to
  std::uint32_t looks;         ///< so many rounds in a row
  std::uint32_t since_mark;
  std::uint32_t mark_after;
  // Spins of the C++ library: how many calls deep it is inside one, and its last load there.
  std::uint32_t spin_calls;
  std::uint32_t back_off_calls;  ///< likewise inside std::lock (waiting/back_offs.hpp)
  std::uint32_t looked_step;     ///< how many steps had been taken after that
  Operation looked_at;

  // From here on for places where threads are known to wait: see kept_bytes().
  Operation awaited;       ///< the last atomic access before it was made an await
  std::uint32_t awaiting;  ///< the number of its local state at the last await
  std::uint32_t await_step;
  std::uint32_t shown;       ///< the answer about its idle round that the race detector knows of
  std::uint32_t spin_begin;  ///< the round before a Spin
  std::uint32_t spin_end;
  std::uint32_t spin_answer;  ///< what it read there without steps; 0 if nothing
  // Where it last locked a mutex,
  std::uint64_t locked_access;
  std::uint64_t locked_object;
  std::uint32_t locked_step;     ///< after so many steps,
  std::uint32_t locked_state;    ///< in this state, where that was looked at,
  std::uint32_t locked_looks;    ///< in so many rounds,
  std::uint32_t locked_suspect;  ///< its number among the places that threads came back to
  std::uint32_t locked_answer;   ///< and what says that the round from there is idle; 0 if nothing
  /// Timed waits that it left by their time-outs, in which states, and what says that nothing happened between two of
  /// its steps since (timed_rounds.hpp).
  struct TimedVisit {
    std::uint32_t state;
    std::uint32_t step;     ///< so many had been taken
    std::uint32_t segment;  ///< the first after it
  };
  struct Segment {
    std::uint32_t step;  ///< so many had been taken when it began
    std::uint32_t answer;
  };
  static constexpr std::uint32_t kMostTimedVisits = 8;
  static constexpr std::uint32_t kMostSegments = 32;
  std::uint32_t timed_segments;  ///< the first segment of the idle round before
  std::uint64_t timed_mutex;     ///< that its waits give back; 0 if none
  std::uint64_t deadline;        ///< of the timed wait that it begins
  std::uint64_t timed_access;    ///< where that was, while such loops are looked for,
  std::uint64_t timed_object;
  std::uint32_t timed_step;
  std::uint32_t timed_looks;
  std::uint32_t timed_visit_count;
  std::uint32_t segment_count;
  TimedVisit timed_visits[kMostTimedVisits];
  Segment segments[kMostSegments];
  /// Where it was, in which state, in places where it does one idle round at most.
  struct Visit {
    std::uint32_t state;
    std::uint32_t step;
    std::uint32_t expected;  ///< the number of the answer that the next round is idle, if it reads as the one before
  };
  static constexpr std::uint32_t kMostVisits = 16;
  std::uint32_t visit_count;
  std::uint32_t next_visit;
  Visit visits[kMostVisits];

  /// Where states are asked for (states/): the registers that calls preserve, from the stack pointer on, in whoever
  /// announced its next step, and where that goes on; zeros before its first.
  static constexpr std::uint32_t kPositionWords = 8;
  unsigned long position[kPositionWords];
  // And the accesses since its last step that the race detector was shown, as a hash, and those of the segment before.
  std::uint64_t segment[2];
  std::uint64_t last_segment[2];
  std::uint64_t segment_accesses;
};

/// Fixed for the life of a slot, whatever is executed in it.
struct Slot {
  std::uint64_t thread_pointer;  ///< of the donor; 0 if there is none yet
  bool mapped;
  std::uint32_t first_child;  ///< index of the first process it ever created, 0 if none
  std::uint32_t last_child;   ///< and of the last
  std::uint32_t next_sibling;
  std::uint32_t rank;  ///< how many threads there are at least once it exists: rank_of_child()
};

/// In pages of their own, which the snapshot leaves alone; large, and zero at the start.
struct alignas(kPage) Threads {
  Readiness readiness[protocol::kMaxProcesses];        ///< apart from the threads, to be scanned quickly
  std::uint64_t always[protocol::kMaxProcesses / 64];  ///< the same as bits
  std::uint64_t asking[protocol::kMaxProcesses / 64];
  Thread all[protocol::kMaxProcesses];
  Slot slots[protocol::kMaxProcesses];
  std::uint32_t donors;        ///< slots below this number are complete
  std::uint32_t donors_begun;  ///< threads of them that run, not counting the main one
};
MAZURKA_SHARED Threads threads;

}  // namespace mazurka::runtime
