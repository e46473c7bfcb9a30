// How an access becomes an await. At an unknown site look_for_loop() runs cycle detection; if a round turns out to be
// idle, learn() adds the site, and everything starts again with that knowledge. At a known site arrive_at_await() turns
// the access into an await, or arrive_at_several() into a Spin after one idle round.
//
// Whether an await is enabled depends on the value of its location at that moment. So settle_awaits() runs before each
// choice of a step: it makes sure that there is an answer for the current value of every await, by a trial if
// necessary.
#include "runtime/waiting/waits.hpp"

#include <bit>

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/waiting/local_state.hpp"
#include "runtime/waiting/timed_rounds.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
using protocol::WaitKind;

/// Whether the thread's events since `begin` may be an idle round: none has an effect.
bool is_quiet(const Thread& thread, std::uint32_t begin) {
  for (std::uint32_t i = begin; i < scheduling.step; ++i) {
    const Event& event = worker.channel->journal[i];
    if (event.process == thread.index && has_effect(event)) return false;
  }
  return true;
}

/// Calls `visit` for each access of the thread in a round until it returns false.
template <class Visit>
bool for_each_access(const Thread& thread, Round round, Visit visit) {
  for (std::uint32_t i = round.begin; i < round.end; ++i) {
    const Event& event = worker.channel->journal[i];
    if (event.process == thread.index && event.operation.kind != Yield && event.operation.kind != Fence &&
        !visit(event))
      return false;
  }
  return true;
}

struct Judgement {
  TrialAnswer answer;
  std::uint32_t number;  ///< of the answer
};

/// Whether another round of the running thread, which is in this state again, is idle if it reads the same values as
/// the last one.
Judgement judge(Thread& thread, StateNumber state, Round round) {
  std::uint32_t path = state;
  std::uint32_t depth = 1;
  for_each_access(thread, round, [&](const Event& event) {
    path = find_answer(path, depth++, event.value);
    return true;
  });
  if (depth == 1) return {TrialAnswer::Busy, 0};
  for (std::uint64_t variant = 0;; ++variant) {  // one variant per relevant memory contents
    const std::uint32_t number = find_answer(path, kVariants, variant);
    Answer& known_answer = known->answers[number];
    if (known_answer.answer == TrialAnswer::Unknown) {
      const TrialAnswer answer = try_again(thread, state, round);
      if (answer == TrialAnswer::InTrial) return {answer, 0};
      known_answer.answer = answer;
      note_reads(known_answer);
      return {answer, number};
    }
    if (holds(known_answer)) return {known_answer.answer, number};
  }
}

/// Whether the round that led to this judgement was idle itself. If the answer only depends on the state and on the
/// values read in steps, the round did the same. Otherwise the same answer must have been found when it began.
bool was_idle(const Judgement& judgement, std::uint32_t expected) {
  return judgement.answer != TrialAnswer::Busy &&
         (known->answers[judgement.number].reads_count == 0 || judgement.number == expected);
}

/// Whether a site that its thread came back to is worth checking for a waiting loop.
bool may_be_loop(Thread& thread) {
  if (thread.mark_suspect == kNoSuspect) thread.mark_suspect = suspect_at(site_of_access(thread));
  return is_worth_a_look(thread.mark_suspect);
}

void set_mark(Thread& thread) {
  thread.mark = thread.access;
  thread.mark_object = thread.pending.object;
  thread.mark_step = scheduling.step;
  thread.mark_state = thread.looks = 0;
  thread.mark_suspect = kNoSuspect;
}

/// How many states are compared in one check. The longest cycle found has half as many visits.
constexpr std::uint32_t kStatesCompared = 8;

/// Detects waiting loops by Brent's cycle detection: the access to come back to advances after 1, 2, 4, … accesses. In
/// a check, stacks are kept clean from the first visit on. The states at the next visits are compared, each with the
/// last one at a power of two: a back-off may alternate between yields and sleeps.
bool look_for_loop(Thread& thread) {
  if (thread.access != thread.mark || thread.pending.object != thread.mark_object) {
    if (thread.since_mark >= thread.mark_after && may_wait(thread)) {
      set_mark(thread);
      thread.since_mark = 0;
      thread.mark_after *= 2;
    }
    return false;
  }
  if (thread.looks == 0 && !may_be_loop(thread)) return false;
  if (thread.looks > 0 && !is_quiet(thread, thread.mark_step)) {
    set_mark(thread);
    return false;
  }
  scheduling.cleans_stack = Cleans::All;
  thread.awaited = thread.pending;
  thread.mark_step = scheduling.step;
  const std::uint32_t number = thread.looks++;
  if (number == 0) return false;
  const StateNumber state = local_state(thread);
  const bool is_back = state != 0 && state == thread.mark_state;
  const Round round{thread.mark_state_step, scheduling.step};
  const bool is_one_visit = std::has_single_bit(number - 1);
  if (std::has_single_bit(number)) {
    thread.mark_state = state;
    thread.mark_state_step = scheduling.step;
  }
  if (number == kStatesCompared) thread.mark_state = thread.looks = 0;
  if (!is_back) return false;
  switch (judge(thread, state, round).answer) {
    case TrialAnswer::InTrial: return true;
    case TrialAnswer::Unknown:
    case TrialAnswer::Assumed:
    case TrialAnswer::Busy: break;
    case TrialAnswer::Idle:
      if (is_one_visit) {
        learn(site_of_access(thread), WaitKind::Await);
        break;
      }
      [[fallthrough]];  // at the next visit the state differs, which does not enable an await
    case TrialAnswer::IdleToo:
      if (!scheduling.keeps_states) learn(site_of_access(thread), WaitKind::Several);
      break;
  }
  return false;
}

/// The thread arrives at a site at which it does at most one idle round.
bool arrive_at_several(Thread& thread, StateNumber state) {
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < thread.visit_count; ++i) {
    if (thread.visits[i].state != state || !is_quiet(thread, thread.visits[i].step)) continue;
    const Round round{thread.visits[i].step, scheduling.step};
    const Judgement judgement = judge(thread, state, round);
    if (judgement.answer == TrialAnswer::InTrial) return true;
    if (judgement.answer != TrialAnswer::Busy) expected = judgement.number;
    if (!was_idle(judgement, thread.visits[i].expected)) continue;
    thread.spin_begin = round.begin;
    thread.spin_end = round.end;
    thread.spin_answer = 0;
    thread.pending.kind = Spin;
    return false;
  }
  const std::uint32_t place = thread.visit_count < Thread::kMostVisits ? thread.visit_count++ : thread.next_visit;
  thread.next_visit = (place + 1) % Thread::kMostVisits;
  thread.visits[place] = {state, scheduling.step, expected};
  return false;
}

/// Whether a round only accessed the one location and saw its value change: such rounds do not repeat forever.
bool saw_change(const Thread& thread, Round round) {
  bool changed = false;
  std::uint64_t first = 0;
  bool is_first = true;
  const bool one_location = for_each_access(thread, round, [&](const Event& event) {
    if (is_first) first = event.value;
    is_first = false;
    changed = changed || event.value != first;
    return event.operation.object == thread.awaited.object && event.operation.size == thread.awaited.size;
  });
  return one_location && changed;
}

/// The thread arrives at an await. If it came back without an effect although the round was not idle for the location's
/// value alone, then the loop depends on more than this location.
bool arrive_at_await(Thread& thread, StateNumber state) {
  if (scheduling.learns_waits && thread.awaiting == state && is_quiet(thread, thread.await_step) &&
      !saw_change(thread, {thread.await_step, scheduling.step}))
    learn(site_of_access(thread), WaitKind::Several);
  thread.awaiting = state;
  thread.await_step = scheduling.step;
  thread.shown = 0;
  thread.pending.kind = thread.pending.kind == Load ? Await : AwaitModify;
  return false;
}

}  // namespace

bool has_effect(const Event& event) {
  if (is_try(event.operation.kind)) return !event.operation.failed();
  return !may_be_idle(event.operation) || (writes_memory(event.operation) && event.written != event.value);
}

bool may_wait(const Thread& thread) { return image.has_code(thread.access) && thread.pending.size <= 8; }

void prepare_waits() {
  constexpr std::uint64_t kStates = 1ULL << 30;
  const auto map = [](std::uint64_t bytes) {
    const long place = raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place < 0 && place > -4096 ? nullptr : reinterpret_cast<void*>(place);
  };
  void* states = map(kStates);
  known = static_cast<Known*>(map(sizeof(Known)));
  if (states == nullptr || known == nullptr) return;
  keep_states_at(states, kStates);
  prepare_trials();
  // Use the unwinder once: what it initialises becomes part of the snapshot, and no hot page.
  unsigned long registers[MAZURKA_REGISTERS];
  mazurka_registers_at(0, 0, UINT64_MAX, registers);
  scheduling.reduces_waits = worker.channel->settings.reduce_waits;
  scheduling.knows_bounded_spins = scheduling.reduces_waits && worker.channel->bounded_spins.count != 0;
  scheduling.has_back_offs = scheduling.reduces_waits && worker.channel->back_offs.count != 0;
  scheduling.follows_library = scheduling.knows_bounded_spins || scheduling.has_back_offs;
}

bool arrive_and_look(Thread& thread) {
  const bool is_known = scheduling.knows_waits && may_wait(thread);
  const WaitKind kind = is_known ? kind_of(site_of_access(thread)) : WaitKind::None;
  // Whether a thread stops here depends on its history, which is not part of states.
  if (kind == WaitKind::Several && scheduling.keeps_states) return false;
  if (kind == WaitKind::None) return scheduling.learns_waits && look_for_loop(thread);
  thread.awaited = thread.pending;
  const StateNumber state = local_state(thread);
  if (state == 0) return false;
  const bool is_await = kind == WaitKind::Await || kind == WaitKind::Assumed;
  return is_await ? arrive_at_await(thread, state) : arrive_at_several(thread, state);
}

namespace {

bool waits_with(TrialAnswer answer) { return answer == TrialAnswer::Idle || answer == TrialAnswer::Assumed; }

void note_answer(Answer& to, TrialAnswer answer) {
  to.answer = answer;
  if (!waits_with(answer)) return;
  if (known->access_count + stack_access_count() > kMaxAccesses)
    unsupported("a program with too many waiting loops", 0);
  to.accesses_begin = known->access_count;
  to.accesses_count = stack_access_count();
  for (std::uint32_t i = 0; i < to.accesses_count; ++i) known->accesses[known->access_count++] = stack_accesses()[i];
}

/// The thread could do an idle round now. That is not a step, but the race detector must see its accesses.
void show_idle_round(Thread& thread, std::uint32_t number) {
  const OutsideSegments outside;
  const Operation& access = thread.awaited;
  const auto* location = reinterpret_cast<const void*>(access.object);
  const void* place = place_of(thread.site);
  const bool fails = access.kind == CompareExchange && !memory_equals_expected(thread, access);
  const Touch touch = access.kind == Load || fails ? Touch::AtomicRead : Touch::AtomicWrite;
  Thread* const running = scheduling.current;
  if (detector.guarding) {
    scheduling.current = &thread;
    guard(location, access.size, touch, place);
    scheduling.current = running;
  }
  if (!detector.checking || thread.shown == number) return;
  thread.shown = number;
  const Answer& answer = known->answers[number];
  scheduling.current = &thread;
  ThreadClocks& clocks = clocks_of(thread.index);
  Clock* const now = spare_clock();
  copy_bytes(now, clocks.now, detector.clock_width * sizeof(Clock));
  const bool is_relaxed = access.memory_order == __ATOMIC_RELAXED;
  if (is_relaxed) touch_range(location, access.size, touch, place);
  acquire_clock(location, 0);
  if (!is_relaxed) touch_range(location, access.size, touch, place);
  for (std::uint32_t i = 0; i < answer.accesses_count; ++i) {
    const StackAccess& on_stack = known->accesses[answer.accesses_begin + i];
    touch_range(reinterpret_cast<const void*>(on_stack.address), on_stack.bytes,
                on_stack.write ? Touch::Write : Touch::Read, place_of(on_stack.site));
  }
  copy_bytes(clocks.now, now, detector.clock_width * sizeof(Clock));
  scheduling.current = running;
}

}  // namespace

bool settle_awaits() {
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    Thread& thread = threads.all[i];
    if (thread.life != Life::Live || (thread.pending.kind != Await && thread.pending.kind != AwaitModify)) continue;
    thread.awaiting = local_state_now(thread, thread.awaiting);
    const std::uint32_t number = find_answer(thread.awaiting, 0, value_at(thread.awaited));
    if (known->answers[number].answer == TrialAnswer::Unknown) {
      const TrialAnswer answer = try_round(thread, thread.awaiting);
      if (answer == TrialAnswer::InTrial) return true;
      note_answer(known->answers[number], answer);
    }
    if (waits_with(known->answers[number].answer)) show_idle_round(thread, number);
  }
  return false;
}

TrialAnswer answer_of(const Thread& thread) {
  return known->answers[find_answer(thread.awaiting, 0, value_at(thread.awaited))].answer;
}

bool is_idle(const Thread& thread) { return waits_with(answer_of(thread)); }

bool waits_for_ever(const Thread& thread) {
  if (thread.without_time_out) return times_out_in_vain(thread);
  if (thread.spin_answer != 0) return holds(known->answers[thread.spin_answer]);
  return for_each_access(thread, {thread.spin_begin, thread.spin_end}, [](const Event& event) {
    if (is_try(event.operation.kind)) return try_fails(event.operation);
    return value_at(event.operation) == event.value;
  });
}

bool time_matters() { return kind_of(protocol::kTimeSite) != WaitKind::None; }

void note_time() {
  if (scheduling.in_trial) end_trial();
  if (!scheduling.reduces_waits || !scheduling.exploring) return;
  known->asks_for_time = true;
  const protocol::Channel& channel = *worker.channel;
  const bool makes_difference = channel.wait_count != 0 || known->told_deadline;
  if (scheduling.learns_waits && makes_difference && !time_matters()) learn(protocol::kTimeSite, WaitKind::Several);
}

bool may_stop_time() {
  if (!scheduling.reduces_waits || !scheduling.exploring || time_matters()) return false;
  if (known->asks_for_time) {
    if (!scheduling.in_trial && scheduling.learns_waits) learn(protocol::kTimeSite, WaitKind::Several);
    return false;
  }
  known->told_deadline = true;
  return true;
}

}  // namespace mazurka::runtime
