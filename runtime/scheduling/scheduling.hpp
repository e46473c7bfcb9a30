// The state of the current execution, and its job.
#pragma once

#include <bit>
#include <cstdint>

#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// The part that a checkpoint saves, and that changes with every step.
struct SchedulingMoment {
  Thread* current;  ///< never null: before main, the main thread
  Event* record;    ///< the current event, to record what it observes; null if there is none
  std::uint32_t step;
  std::uint32_t thread_end;    ///< one above the largest thread index of this execution
  std::uint32_t live;          ///< number of threads that have not ended
  std::uint32_t always_count;  ///< number of threads with Readiness::Always
};

struct Trial;  // waiting/trial.cpp

/// Which garbage the runtime clears that it leaves on stacks: waiting/clean_stack.hpp.
enum class Cleans : std::uint8_t {
  Nothing,
  Scanned,  ///< where site_above() searches for return addresses
  All,      ///< local states are compared, or state deltas are recorded
};

/// Why performing an operation may need the slow path. Every operation asks: side by side, they are read at once.
struct Watches {
  bool polls_signals;        ///< threads signal each other, so they check for signals: posix/signal_delivery.hpp
  bool watches_stacks;       ///< stacks_are_private or main_stack_is_private
  bool in_trial;             ///< this process is a trial
  bool knows_bounded_spins;  ///< bounded spin loops of the C++ library are known
};

/// On pages of its own, which the snapshot excludes. What every step reads comes first, in few cache lines.
struct alignas(kPage) Scheduling : SchedulingMoment, Watches {
  bool exploring;   ///< the scheduler is in control; otherwise the only thread runs freely
  bool in_section;  ///< the running thread is inside an atomic section
  bool reporting;   ///< the execution is for a report
  bool fast_thread_pointer;
  bool has_bmi2;            ///< deposit_bits() is possible
  bool paused;              ///< asks the driver to take a checkpoint
  bool reduces_waits;       ///< waiting loops are detected: waiting/
  bool knows_waits;         ///< some waiting sites are known
  bool stacks_are_private;  ///< waiting/private_stacks.hpp
  bool main_stack_is_private;
  bool learns_waits;             ///< the job allows learning more waiting sites
  Cleans cleans_stack;           ///< where the runtime must leave no garbage on stacks
  bool follows_library;          ///< knows_bounded_spins or has_back_offs: function entries and exits are tracked
  bool has_back_offs;            ///< code that locks several mutexes is known
  bool stops_after_back_off;     ///< threads stop after a back-off there: waiting/back_offs.hpp
  bool trial_wanted;             ///< asks the driver to fork a trial
  bool keeps_states;             ///< state deltas are recorded: states/
  Trial* trial;                  ///< the trial under way
  std::uint64_t return_address;  ///< of the last entry point called; only set in executions for reports

  // The job, copied so that the program cannot change it during the execution.
  Continuation continuation;
  std::uint32_t prefix_length;
  std::uint32_t max_steps;
  Bound bound;
  bool too_long;  ///< max_steps was reached
  std::uint32_t sleeper_count;
  std::uint32_t postponed_count;
  std::uint32_t pause_at;    ///< step of the prefix before which to take a checkpoint; UINT32_MAX if none
  std::uint32_t resumed_at;  ///< number of leading events restored from a checkpoint
  std::uint64_t random;

  std::uint32_t time_passes_for;  ///< index + 1 of the thread whose time-out passes, if no other step is enabled
  std::uint32_t time_passes_at;   ///< the step at which it passes: messages/passing_time.hpp
  std::uint32_t waits_in_vain;    ///< how often a thread gave way while a step was postponed, in this execution
  void* driver_stack;
  std::uint64_t main_thread_pointer;

  std::uint32_t checkpoint_at;  ///< with keeps_states: the role that `pause_at` has otherwise
};
MAZURKA_SHARED Scheduling scheduling;

/// A step that the scheduler may choose.
struct Candidate {
  std::uint32_t process;
  std::uint32_t alternative;
};

/// The candidates, and the sleepers that must not be chosen. On pages of its own too.
struct alignas(kPage) Choices {
  Candidate candidates[protocol::kMaxPending];
  Sleeper sleepers[protocol::kMaxSleepers];  ///< of the job; postponed steps come first
};
MAZURKA_SHARED Choices choices;

inline Thread& self() { return *scheduling.current; }

/// Cheap test: does performing an operation need the slow path?
inline bool watches_operations() { return std::bit_cast<std::uint32_t>(static_cast<const Watches&>(scheduling)) != 0; }

inline void set_readiness(std::uint32_t index, Readiness readiness) {
  if (threads.readiness[index] == readiness) return;
  const std::uint64_t bit = 1ULL << index % 64;
  std::uint64_t& always = threads.always[index / 64];
  std::uint64_t& asking = threads.asking[index / 64];
  scheduling.always_count -= (always & bit) != 0 ? 1U : 0U;
  scheduling.always_count += readiness == Readiness::Always ? 1U : 0U;
  always = readiness == Readiness::Always ? always | bit : always & ~bit;
  asking = readiness == Readiness::Ask ? asking | bit : asking & ~bit;
  threads.readiness[index] = readiness;
}

}  // namespace mazurka::runtime
