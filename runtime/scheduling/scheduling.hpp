// How far the execution under way has come, and the job that it follows.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/thread_table.hpp"

namespace mazurka::runtime {

/// What a checkpoint keeps of it, and what is different in every step.
struct SchedulingMoment {
  Thread* current;  ///< never null: before main it is the main thread
  Event* record;    ///< of the event under way, for what it observes
  std::uint32_t step;
  std::uint32_t thread_end;    ///< one above the largest index used in this execution
  std::uint32_t live;          ///< how many threads have not ended
  std::uint32_t always_count;  ///< of threads that are always ready
};

struct Trial;  // waiting/trial.cpp

/// In pages of its own, which the snapshot leaves alone. What a step reads comes first, close together.
struct alignas(kPage) Scheduling : SchedulingMoment {
  bool exploring;   ///< the scheduler decides; otherwise there is one thread, which just runs
  bool in_section;  ///< the running thread is inside an atomic section
  bool reporting;   ///< the execution is to be shown
  bool fast_thread_pointer;
  bool paused;              ///< the driver shall take a checkpoint now
  bool reduces_waits;       ///< loops that wait are looked for: waiting/
  bool knows_waits;         ///< places are known where threads wait
  bool stacks_are_private;  ///< waiting/private_stacks.hpp
  bool main_stack_is_private;
  bool watches_stacks;           ///< one of these
  bool learns_waits;             ///< more of them may be learnt
  bool polls_signals;            ///< threads send signals to others, which look for them: posix/signal_delivery.hpp
  bool cleans_stack;             ///< local states are compared: what the runtime leaves on stacks must not matter
  bool knows_bounded_spins;      ///< and some where the C++ library looks a few times before it blocks
  bool follows_library;          ///< one of these two: calls are followed
  bool has_back_offs;            ///< and where it locks several mutexes,
  bool stops_after_back_off;     ///< in which threads stop when they back off: waiting/back_offs.hpp
  bool trial_wanted;             ///< the driver shall fork a trial now
  bool in_trial;                 ///< this process is a trial
  bool keeps_states;             ///< the execution is to say what each step changes: states/
  Trial* trial;                  ///< what it is about
  std::uint64_t return_address;  ///< of the entry point last called; known where the execution is to be shown

  // The job, copied so that nothing outside can change it under way.
  Continuation continuation;
  std::uint32_t prefix_length;
  std::uint32_t max_steps;
  Bound bound;
  bool too_long;  ///< the execution has come to max_steps
  std::uint32_t sleeper_count;
  std::uint32_t put_off_count;
  std::uint32_t pause_at;    ///< the step of the prefix before which a checkpoint is taken; UINT32_MAX if none
  std::uint32_t resumed_at;  ///< number of leading events restored from a checkpoint
  std::uint64_t random;

  std::uint32_t time_passes_for;  ///< thread index + 1, if nothing but that can happen
  std::uint32_t time_passes_at;   ///< when so many steps have been taken: messages/passing_time.hpp
  std::uint32_t waits_in_vain;    ///< how often a thread gave way while a step was put off, in this execution
  void* driver_stack;
  std::uint64_t main_thread_pointer;

  std::uint32_t checkpoint_at;  ///< where states are kept: what `pause_at` is otherwise
};
MAZURKA_SHARED Scheduling scheduling;

/// A step that the scheduler may choose.
struct Candidate {
  std::uint32_t process;
  std::uint32_t alternative;
};

/// What the scheduler chooses among, and what it must not choose; in pages of its own likewise.
struct alignas(kPage) Choices {
  Candidate candidates[protocol::kMaxPending];
  Sleeper sleepers[protocol::kMaxSleepers];  ///< of the job; those that are put off come first
};
MAZURKA_SHARED Choices choices;

inline Thread& self() { return *scheduling.current; }

/// Cheap test: whether there is more to performing an operation than announcing it.
inline bool watches_operations() {
  return (scheduling.polls_signals | scheduling.watches_stacks | scheduling.in_trial |
          scheduling.knows_bounded_spins) != 0;
}

inline void set_readiness(std::uint32_t index, Readiness readiness) {
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
