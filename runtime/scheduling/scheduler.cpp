// The life of a step: perform() announces an operation (Thread::pending), next_thread() chooses the next step of any
// thread, take() records it in the journal, and switch_from() switches to its fiber, in which perform() returns. A
// scheduling point needs no system call (if user code may set the thread pointer), only a switch of stacks.
//
// next_thread() first follows the prefix of the job (follow()), then its continuation (choose()). A candidate is a step
// that is enabled, within the bound, not asleep, and not held back by a postponed step. If no step is enabled and
// no time-out can pass, the execution ends: in a deadlock, stopped by a bound, or cut. If steps are enabled but none is
// a candidate, it is sleep-set blocked.
#include "runtime/scheduling/scheduler.hpp"

#include "core/dependence.hpp"
#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/posix/signal_delivery.hpp"
#include "runtime/scheduling/bounds.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/operation_words.hpp"
#include "runtime/scheduling/sampling.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/states.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/waiting/assumptions.hpp"
#include "runtime/waiting/bounded_spins.hpp"
#include "runtime/waiting/clean_stack.hpp"
#include "runtime/waiting/library_code.hpp"
#include "runtime/waiting/private_stacks.hpp"
#include "runtime/waiting/timed_rounds.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/waiting/waits.hpp"
#include "runtime/worker/debugger.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

std::uint64_t next_random() {
  // xorshift64*: small, and good enough to choose among a few threads.
  scheduling.random ^= scheduling.random >> 12;
  scheduling.random ^= scheduling.random << 25;
  scheduling.random ^= scheduling.random >> 27;
  return scheduling.random * 0x2545f4914f6cdd1dULL;
}

bool asleep(ProcessIndex process, std::uint32_t alternative) {
  for (std::uint32_t i = 0; i < scheduling.sleeper_count; ++i)
    if (choices.sleepers[i].step.process == process && choices.sleepers[i].step.alternative == alternative) return true;
  return false;
}

/// Whether a step depends on the first postponed step, and so must be held back. An unknown footprint is let through:
/// the explorer checks it afterwards.
bool must_wait(const Operation& operation) {
  return scheduling.postponed_count > 0 && !has_unknown_footprint(operation) &&
         dependent(choices.sleepers[0].operation, operation);
}

/// Finds an alternative of the section that the thread is about to enter which is not asleep. The alternatives are not
/// known in advance, but sleepers know their footprints, and nothing that could change these has happened since.
bool find_awake_alternative(ProcessIndex process, std::uint32_t& alternative) {
  for (std::uint32_t i = 0; i < scheduling.postponed_count; ++i)
    if (choices.sleepers[i].step.process == process) return false;
  alternative = 0;
  if (!asleep(process, 0)) return true;
  for (std::uint32_t i = scheduling.postponed_count; i < scheduling.sleeper_count; ++i) {
    const Sleeper& sleeper = choices.sleepers[i];
    if (sleeper.step.process != process || has_unknown_footprint(sleeper.operation)) continue;
    const auto is_awake = [&](std::uint32_t sibling) {
      alternative = sibling;
      return !asleep(process, sibling);
    };
    if (for_each_sibling(sleeper.operation, sleeper.step.alternative, is_awake)) return true;
  }
  return false;
}

}  // namespace

void wake_sleepers(ProcessIndex process, const Operation& taken) {
  if (scheduling.step <= scheduling.prefix_length) return;
  std::uint32_t kept = scheduling.postponed_count;
  for (std::uint32_t i = kept; i < scheduling.sleeper_count; ++i) {
    const Sleeper& sleeper = choices.sleepers[i];
    if (sleeper.step.process == process || dependent(sleeper.operation, taken)) continue;
    if (kept != i) choices.sleepers[kept] = sleeper;
    ++kept;
  }
  scheduling.sleeper_count = kept;
}

namespace {

void put_offer(const Thread& thread, const Operation& operation, std::uint32_t alternative, bool is_enabled,
               Offer& offer) {
  offer.operation = operation;
  offer.process = thread.index;
  offer.alternative = alternative;
  offer.enabled = is_enabled;
  offer.site = thread.site;
}

/// Lists all alternatives of an event that had more than one.
void list_offers(const Thread& thread, Event& event) {
  protocol::Channel& channel = *worker.channel;
  event.offers_begin = channel.offer_count;
  std::uint32_t count = 0;
  for_each_offer(thread, [&](const Operation& operation, std::uint32_t alternative, bool is_enabled) {
    if (event.offers_begin + count == protocol::kMaxOffers) return true;
    put_offer(thread, operation, alternative, is_enabled, channel.offers[event.offers_begin + count++]);
    return false;
  });
  if (count < 2) count = 0;
  event.offers_count = count;
  channel.offer_count = event.offers_begin + count;
}

/// Records the step in the journal and makes its thread the current one.
Thread& take(Thread& thread, const Operation& operation, std::uint32_t alternative) {
  protocol::Channel& channel = *worker.channel;
  Event& event = channel.journal[scheduling.step];
  copy_words(event.operation, operation);
  event.process = thread.index;
  event.alternative = alternative;
  event.value = 0;
  event.written = 0;
  event.site = thread.site;
  event.offers_begin = channel.offer_count;
  event.offers_count = 0;
  if (threads.readiness[thread.index] != Readiness::Always && !has_one_offer(thread)) list_offers(thread, event);
  ++scheduling.step;
  thread.steps += is_counted(operation.kind) ? 1 : 0;
  if (scheduling.sleeper_count > 0 && operation.kind != OperationKind::AtomicSection)
    wake_sleepers(thread.index, operation);
  detector.accesses_left = kAccessesInARow;
  channel.event_count = scheduling.step;
  channel.running = thread.index;
  scheduling.record = &event;
  thread.alternative = alternative;
  thread.failed = operation.failed();
  return thread;
}

[[noreturn]] void diverged(const Step& wanted, const char* why) {
  Text text = message();
  text << "step " << scheduling.step + 1 << " of the schedule, by thread ";
  if (wanted.process < worker.process_count)
    text.thread(wanted.process);
  else
    text << "number " << wanted.process;
  text << " (alternative " << wanted.alternative << "), is not possible: " << why;
  finish(Outcome::Diverged);
}

/// No step is enabled: decides whether that is a deadlock. It is not if a bound or an assumption stopped a thread, nor
/// if a thread stopped after an idle round whose reads have changed since.
Outcome outcome_of_standstill() {
  if (stopped_by() != 0) return Outcome::Limit;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    const Thread& thread = threads.all[i];
    if (thread.life != Life::Live) continue;
    if (thread.pending.kind == OperationKind::Assume || is_assumed_away(thread)) return Outcome::Cut;
    // The signal would interrupt a blocked thread; the execution in which it checks for signals later covers that.
    if (scheduling.polls_signals && has_signal(i)) return Outcome::Cut;
    const bool waits = thread.pending.kind == OperationKind::Spin || (thread.without_time_out && !thread.woken);
    if (waits && !waits_for_ever(thread)) return Outcome::Cut;
  }
  return Outcome::Deadlock;
}

/// Whether any thread has an enabled step, asleep or not.
bool can_anybody_move() {
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    if (threads.readiness[i] == Readiness::Never) continue;
    const auto is_possible = [](const Operation&, std::uint32_t, bool is_enabled) { return is_enabled; };
    if (for_each_offer(threads.all[i], is_possible)) return true;
  }
  return false;
}

Thread& follow(const Step& wanted) {
  if (wanted.process >= scheduling.thread_end || threads.all[wanted.process].life == Life::Absent)
    diverged(wanted, "there is no such thread");
  Thread& thread = threads.all[wanted.process];
  if (thread.life == Life::Done) diverged(wanted, "the thread has ended");
  if (thread.pending.kind == OperationKind::AtomicSection) return take(thread, thread.pending, wanted.alternative);
  if (threads.readiness[wanted.process] == Readiness::Always && wanted.alternative == 0)
    return take(thread, thread.pending, 0);
  if (wanted.alternative == 0 && has_one_offer(thread)) {
    if (!enabled(thread)) diverged(wanted, "the thread is blocked");
    return take(thread, resolved(thread), 0);
  }
  if (wanted.alternative == kTimePasses && thread.pending.kind == OperationKind::DescriptorWait &&
      !can_anybody_move() && outcome_of_standstill() == Outcome::Deadlock)
    let_time_pass();
  Operation chosen;
  bool found = false;
  bool possible = false;
  for_each_offer(thread, [&](const Operation& offered, std::uint32_t alternative, bool is_enabled) {
    if (alternative != wanted.alternative) return false;
    chosen = offered;
    found = true;
    possible = is_enabled;
    return true;
  });
  if (!found) diverged(wanted, "the thread has no such alternative");
  if (!possible) diverged(wanted, "the thread is blocked");
  return take(thread, chosen, wanted.alternative);
}

/// Alternative `wanted` of the thread's next step, as it would execute now.
Operation operation_of(const Thread& thread, std::uint32_t wanted) {
  if (has_one_offer(thread)) return resolved(thread);
  Operation result;
  for_each_offer(thread, [&](const Operation& offered, std::uint32_t alternative, bool) {
    if (alternative != wanted) return false;
    result = offered;
    return true;
  });
  return result;
}

/// Appends the thread's candidates: steps that are enabled, within the bound and not asleep.
std::uint32_t add_candidates(ProcessIndex process, std::uint32_t count, bool& any_enabled) {
  if (threads.readiness[process] == Readiness::Never) return count;
  if (may_stop_threads() && is_stopped(threads.all[process])) return count;
  const auto add = [&](const Operation& operation, std::uint32_t alternative) {
    any_enabled = true;
    if (scheduling.sleeper_count > 0 && (asleep(process, alternative) || must_wait(operation))) return;
    if (count < protocol::kMaxPending - protocol::kMaxProcesses) choices.candidates[count++] = {process, alternative};
  };
  if (threads.readiness[process] == Readiness::Always) {
    const Operation& pending = threads.all[process].pending;
    if (std::uint32_t awake = 0; scheduling.sleeper_count > 0 && pending.kind == OperationKind::AtomicSection) {
      any_enabled = true;
      if (find_awake_alternative(process, awake)) add(pending, awake);
    } else {
      add(pending, 0);
    }
  } else {
    for_each_offer(threads.all[process], [&](const Operation& operation, std::uint32_t alternative, bool is_enabled) {
      if (is_enabled) add(operation, alternative);
      return false;
    });
  }
  return count;
}

std::uint32_t lowest_bit(std::uint64_t bits) { return static_cast<std::uint32_t>(__builtin_ctzll(bits)); }

/// The always-ready thread number `rank`, counted from 0. A loop is hard to predict: it ends after a random number of
/// rounds.
std::uint32_t always_ready_thread(std::uint32_t rank) {
  if (scheduling.thread_end <= 64 && scheduling.has_bmi2) [[likely]]
    return lowest_bit(deposit_bits(1ULL << rank, threads.always[0]));
  for (std::uint32_t word = 0;; ++word)
    for (std::uint64_t bits = threads.always[word]; bits != 0; bits &= bits - 1)
      if (rank-- == 0) return word * 64 + lowest_bit(bits);
}

/// Without sleepers, threads that are always ready need not be listed: counting them is enough.
std::uint32_t choose_at_random(bool& any_enabled) {
  std::uint32_t listed = 0;
  for (std::uint32_t word = 0; word * 64 < scheduling.thread_end; ++word)
    for (std::uint64_t bits = threads.asking[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t process = word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
      if (!has_one_offer(threads.all[process]))
        listed = add_candidates(process, listed, any_enabled);
      else if (enabled(threads.all[process]))
        choices.candidates[listed++] = {process, 0};
    }
  const std::uint32_t count = scheduling.always_count + listed;
  any_enabled |= count > 0;
  if (count == 0) return 0;
  const auto chosen = static_cast<std::uint32_t>(count == 1 ? 0 : ((next_random() >> 32) * count) >> 32);
  if (chosen < scheduling.always_count)
    choices.candidates[0] = {always_ready_thread(chosen), 0};
  else
    choices.candidates[0] = choices.candidates[chosen - scheduling.always_count];
  return count;
}

/// Fairness: a thread that busy-waits for another must not starve it. After this many steps the others go first once.
constexpr std::uint32_t kTurn = 1024;
constexpr std::uint32_t kMostWaits = 64;  // maximum yields while a step is postponed

/// The candidates of one thread.
inline std::uint32_t candidates_of(ProcessIndex process, bool& any_enabled) {
  if (threads.readiness[process] == Readiness::Never) return 0;
  if (may_stop_threads() && is_stopped(threads.all[process])) return 0;
  if (scheduling.sleeper_count > 0) return add_candidates(process, 0, any_enabled);
  if (threads.readiness[process] == Readiness::Ask) {
    if (!has_one_offer(threads.all[process])) return add_candidates(process, 0, any_enabled);
    if (!enabled(threads.all[process])) return 0;
  }
  any_enabled = true;
  choices.candidates[0] = {process, 0};
  return 1;
}

/// Chooses the thread whose step has the greatest rank, and one of its alternatives at random.
std::uint32_t choose_by_priority(bool& any_enabled) {
  std::uint32_t found = 0;
  Rank greatest{};
  Candidate best{};
  for (std::uint32_t word = 0; word * 64 < scheduling.thread_end; ++word)
    for (std::uint64_t bits = threads.always[word] | threads.asking[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t process = word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
      const Rank rank = rank_of(threads.all[process]);
      if (found > 0 && !(rank > greatest)) continue;
      const std::uint32_t count = candidates_of(process, any_enabled);
      if (count == 0) continue;
      best = choices.candidates[count == 1 ? 0 : sampling.priorities.below(count)];
      greatest = rank;
      found = count;
    }
  if (found == 0) return 0;
  choices.candidates[0] = best;
  note_choice(threads.all[best.process]);
  return found;
}

/// Chooses the next step after the prefix. Returns the number of candidates; the first one is to be taken.
[[gnu::always_inline]] inline std::uint32_t choose(bool& any_enabled) {
  std::uint32_t count = 0;
  if (scheduling.continuation != Continuation::Random) {
    if (goes_by_priority(scheduling.continuation)) return choose_by_priority(any_enabled);
    const std::uint32_t index = scheduling.current->index;
    const bool gives_way = (scheduling.current->pending.flags & kGivesWay) != 0;
    if (scheduling.step % kTurn == kTurn - 1 || gives_way) [[unlikely]] {
      for (std::uint32_t i = 1; i < scheduling.thread_end && count == 0; ++i)
        count = candidates_of((index + i) % scheduling.thread_end, any_enabled);
      const bool held_back = gives_way && count == 0 && any_enabled;
      worker.channel->held_back = held_back ? 1 : 0;
      // It may be waiting for the postponed step itself: all other threads have gone as far as they can.
      if (held_back && scheduling.postponed_count > 0 && ++scheduling.waits_in_vain == kMostWaits)
        finish(Outcome::Limit);
    }
    if (count == 0) count = candidates_of(index, any_enabled);
    for (std::uint32_t i = 0; i < scheduling.thread_end && count == 0; ++i) count = candidates_of(i, any_enabled);
    return count;
  }
  if (scheduling.sleeper_count == 0 && !may_stop_threads()) return choose_at_random(any_enabled);
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) count = add_candidates(i, count, any_enabled);
  if (count > 1) choices.candidates[0] = choices.candidates[((next_random() >> 32) * count) >> 32];
  return count;
}

/// Yields to the driver, which takes a checkpoint. Must stay inlined and come last: a return address left on the stack
/// would be found by the scan for sites.
[[gnu::always_inline]] inline void switch_to_driver() {
  scheduling.paused = true;
  write_thread_pointer(scheduling.main_thread_pointer, scheduling.fast_thread_pointer);
  mazurka_switch_stack(&self().stack_pointer, scheduling.driver_stack);
}

/// The same with keeps_states: called before every step.
__attribute__((noinline)) void pause_with_states() {
  if (!reach_state()) return;
  switch_to_driver();
  go_on_with_states();
}

/// Yields to the driver for a checkpoint, or to a debugger. An execution that resumes from the checkpoint returns from
/// here, with another job.
__attribute__((noinline)) void pause() {
  if (scheduling.keeps_states) return pause_with_states();
  scheduling.pause_at = UINT32_MAX;
  if (worker.channel->settings.once) return pause_for_debugger();
  switch_to_driver();
}

bool stands_before_await() {
  for (std::uint32_t word = 0; word * 64 < scheduling.thread_end; ++word)
    for (std::uint64_t bits = threads.asking[word]; bits != 0; bits &= bits - 1) {
      const OperationKind kind =
          threads.all[word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits))].pending.kind;
      if (kind == OperationKind::Await || kind == OperationKind::AwaitModify) return true;
    }
  return false;
}

/// No step is enabled. Returns the number of candidates if a time-out passes.
__attribute__((noinline)) std::uint32_t choose_at_standstill() {
  const Outcome outcome = outcome_of_standstill();
  if (outcome != Outcome::Deadlock || !let_time_pass()) finish(outcome);
  bool any_enabled = false;
  return choose(any_enabled);
}

Thread& next_thread() {
  if (scheduling.step == scheduling.pause_at) [[unlikely]] {
    // Leave no trace of the pause below the stack pointer: the scan for sites must not depend on checkpoints.
    volatile std::uint64_t* const below = reinterpret_cast<std::uint64_t*>(stack_pointer()) - 1;
    const std::uint64_t left_there = *below;
    pause();
    *below = left_there;
  }
  if (scheduling.live == 0) finish(Outcome::Finished);
  if (scheduling.knows_waits && stands_before_await() && settle_awaits()) [[unlikely]]
    return self();
  if (scheduling.step < scheduling.prefix_length) return follow(worker.channel->prefix[scheduling.step]);
  bool any_enabled = false;
  std::uint32_t count = choose(any_enabled);
  if (!any_enabled) [[unlikely]]
    count = choose_at_standstill();
  if (scheduling.continuation == Continuation::Stop) finish(Outcome::Stopped);
  if (count == 0) finish(Outcome::SleepBlocked);
  if (scheduling.step >= scheduling.max_steps) {
    scheduling.too_long = true;
    finish(Outcome::Limit);
  }
  const auto [process, alternative] = choices.candidates[0];
  Thread& thread = threads.all[process];
  if (threads.readiness[process] == Readiness::Always) return take(thread, thread.pending, alternative);
  return take(thread, operation_of(thread, alternative), alternative);
}

void switch_from(Thread& from, Thread& to) {
  if (&from == &to) return;
  scheduling.current = &to;
  write_thread_pointer(to.thread_pointer, scheduling.fast_thread_pointer);
  mazurka_switch_stack(&from.stack_pointer, to.stack_pointer);
}

/// Executes the operation without a scheduling point: inside an atomic section, or if there is only one thread.
void perform_at_once(Thread& thread, bool is_visible) {
  const bool in_section = scheduling.in_section && is_visible;
  std::uint32_t possible = 0;
  for_each_offer(thread, [&](const Operation&, std::uint32_t, bool is_enabled) {
    possible += is_enabled ? 1U : 0U;
    return possible != 0 && !in_section;  // only a section has choices here
  });
  if (possible == 0) {
    if (thread.pending.kind == OperationKind::Assume && in_section) {
      // As after a failed assumption outside of a section, the other threads go on and this one never does.
      cut_section();
      return switch_from(thread, next_thread());
    }
    if (thread.pending.kind == OperationKind::Assume) finish(Outcome::Cut);
    if (in_section) add_to_section(thread.pending);
    worker.channel->blocked_alone = {thread.pending.kind, scheduling.exploring};
    fail(FailureKind::Blocked, name(thread.pending.kind), thread.site);
  }
  Operation chosen;
  std::uint32_t left = possible > 1 ? choose_in_section(possible, next_random) : 0;
  for_each_offer(thread, [&](const Operation& offered, std::uint32_t alternative, bool is_enabled) {
    if (!is_enabled || left-- > 0) return false;
    chosen = offered;
    thread.alternative = alternative;
    return true;
  });
  if (in_section) add_to_section(chosen);
  thread.failed = chosen.failed();
  scheduling.record = nullptr;
}

}  // namespace

namespace {

bool happens_at_once(const Thread& thread) {
  return !scheduling.exploring || thread.atomic_depth > 0 || thread.site == kInvisible;
}

/// Executes the pending operation of the running thread: when the scheduler chooses it, or at once.
__attribute__((always_inline)) inline void go_on(Thread& thread) {
  set_readiness(thread.index, always_ready(thread.pending.kind) ? Readiness::Always : Readiness::Ask);
  if (happens_at_once(thread)) [[unlikely]]
    return perform_at_once(thread, thread.site != kInvisible);
  switch_from(thread, next_thread());
}

__attribute__((always_inline)) inline void announce(Thread& thread, const Operation& next, std::uint64_t site) {
  write_words(thread.pending,
              read_alone(static_cast<std::uint8_t>(next.kind)) | std::uint64_t{read_alone(next.flags)} << 8 |
                  std::uint64_t{read_alone(next.size)} << 16 | std::uint64_t{read_alone(next.memory_order)} << 24 |
                  std::uint64_t{read_alone(next.detail)} << 32,
              read_alone(next.object), read_alone(next.second));
  thread.site = site;
}

}  // namespace

__attribute__((noinline)) void perform_watched(const Operation& next, std::uint64_t site) {
  if (scheduling.polls_signals) poll_signals(site);
  note_use_of_stack(next, site);
  Thread& thread = self();
  announce(thread, next, site);
  if (scheduling.in_trial && site != kInvisible) {
    if ((next.flags & kPlain) == 0 || plain_accesses_are_steps()) thread.looked_step = UINT32_MAX;
    thread.access = return_address(site);
    continue_trial(thread);
  } else {
    go_on(thread);
  }
  clean_stack();
}

namespace {

/// perform_access() for an access that has been announced already.
void go_on_with_access(Thread& thread) {
  if (scheduling.in_trial) {
    thread.access = return_address(thread.site);
    thread.looked_step = UINT32_MAX;
    return continue_trial(thread);
  }
  if (scheduling.reduces_waits && !happens_at_once(thread) && arrive(thread)) return;
  go_on(thread);
}

}  // namespace

__attribute__((noinline)) void perform_watched_access(const Operation& next, std::uint64_t operand,
                                                      std::uint64_t site) {
  if (scheduling.polls_signals) poll_signals(site);
  note_use_of_stack(next, site);
  Thread& thread = self();
  announce(thread, next, site);
  thread.operand = operand;
  const bool spins = scheduling.knows_bounded_spins && !happens_at_once(thread) && in_bounded_spin(site);
  if (spins && looks_again(thread)) {
    thread.failed = false;
    scheduling.record = nullptr;
  } else {
    go_on_with_access(thread);
    if (family(next.kind) == Family::Memory) after_step(thread, operand);
    if (spins && next.kind == OperationKind::Load) note_look(thread);
  }
  clean_stack();
}

void perform(const Operation& next, std::uint64_t site) {
  if (watches_operations()) [[unlikely]]
    return perform_watched(next, site);
  Thread& thread = self();
  announce(thread, next, site);
  go_on(thread);
  clean_stack();
}

void perform_access(const Operation& next, std::uint64_t operand, std::uint64_t site) {
  if (watches_operations()) [[unlikely]]
    return perform_watched_access(next, operand, site);
  Thread& thread = self();
  announce(thread, next, site);
  thread.operand = operand;
  if (!scheduling.reduces_waits || happens_at_once(thread) || !arrive(thread)) [[likely]]
    go_on(thread);
  if (family(next.kind) == Family::Memory) after_step(thread, operand);
  clean_stack();
}

Thread& choose_successor() { return next_thread(); }

void give_way(std::uint64_t site) {
  detector.accesses_left = kAccessesInARow;
  protocol::Channel& channel = *worker.channel;
  if (detector.cells_reported != detector.cells_touched) {
    detector.cells_reported = detector.cells_touched;
    ++channel.touched;
  }
  if (!scheduling.exploring || self().atomic_depth > 0) return;
  ++channel.given_way;
  perform(operation(OperationKind::Yield, nullptr, kGivesWay), site);
}

}  // namespace mazurka::runtime
