#include "runtime/waiting/waits.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/memory/checkpoint.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/local_state.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
using protocol::WaitKind;

/// What trials say. A thread in a given state does the same whenever it reads the same, so the answers about rounds
/// form a tree: from the state on, one edge for each value that is read.
struct Answer {
  std::uint32_t from;   ///< the number of the answer before; of the state where depth is 0
  std::uint32_t depth;  ///< how many values were read before this one
  std::uint64_t value;
  std::uint32_t next;  ///< with the same hash
  TrialAnswer answer;
  std::uint32_t accesses_begin;  ///< to its stack, by an idle round
  std::uint32_t accesses_count;
  std::uint32_t reads_begin;  ///< without steps, of memory that others could reach
  std::uint32_t reads_count;
};

constexpr std::uint32_t kMaxAnswers = 1U << 18;
constexpr std::uint32_t kBuckets = 1U << 16;
constexpr std::uint32_t kMaxAccesses = 1U << 18;
constexpr std::uint32_t kMaxReads = 1U << 18;
constexpr std::uint32_t kMaxSuspects = 512;
constexpr std::uint32_t kNoSuspect = UINT32_MAX;
constexpr std::uint32_t kVariants = UINT32_MAX;  // a depth that there is not

/// In memory that trials and executions in processes of their own share.
struct Known {
  bool asks_for_time;  ///< the program has done so
  std::uint32_t answer_count;
  std::uint32_t buckets[kBuckets];
  Answer answers[kMaxAnswers];
  std::uint32_t access_count;
  StackAccess accesses[kMaxAccesses];
  std::uint32_t read_count;
  PlainRead reads[kMaxReads];
  std::uint32_t suspect_count;
  std::uint64_t suspects[kMaxSuspects];
  std::uint32_t tries[kMaxSuspects];
};
Known* known;

std::uint64_t site_of_access(const Thread& thread) { return thread.access - image.base; }

/// What is known of a place, the latest first.
WaitKind kind_of(std::uint64_t site) {
  const protocol::Channel& channel = *worker.channel;
  for (std::uint32_t i = channel.wait_count; i > 0; --i)
    if (channel.waits[i - 1].site == site) return channel.waits[i - 1].kind;
  return WaitKind::None;
}

/// Executions so far have not taken this into account: the one under way is done again. Where there is no room, the
/// loop stays one of ordinary steps.
void learn(std::uint64_t site, WaitKind kind) {
  protocol::Channel& channel = *worker.channel;
  if (channel.wait_count + 1 >= protocol::kMaxWaits) return;
  channel.waits[channel.wait_count++] = {site, kind};
  if (known->asks_for_time && !time_matters())
    channel.waits[channel.wait_count++] = {protocol::kTimeSite, WaitKind::Several};
  drop_checkpoints();
  repeat_execution();
}

/// The number of the answer, which may still be unknown.
std::uint32_t find_answer(std::uint32_t from, std::uint32_t depth, std::uint64_t value) {
  std::uint32_t& bucket =
      known->buckets[(from * 0x9e3779b97f4a7c15ULL + value * 0xff51afd7ed558ccdULL + depth * 0xc2b2ae3d27d4eb4fULL) >>
                     48];
  for (std::uint32_t i = bucket; i != 0; i = known->answers[i].next)
    if (const Answer& a = known->answers[i]; a.from == from && a.depth == depth && a.value == value) return i;
  if (known->answer_count + 1 == kMaxAnswers) unsupported("a program with that many waiting loops", 0);
  known->answers[++known->answer_count] = {from, depth, value, bucket, TrialAnswer::Unknown, 0, 0, 0, 0};
  return bucket = known->answer_count;
}

bool has_effect(const Event& event) {
  return !may_be_idle(event.operation) || (writes_memory(event.operation) && event.written != event.value);
}

/// Whether the thread's events since `begin` may be an idle round: what they are and wrote is no effect.
bool is_quiet(const Thread& thread, std::uint32_t begin) {
  for (std::uint32_t i = begin; i < scheduling.step; ++i) {
    const Event& event = worker.channel->journal[i];
    if (event.process == thread.index && has_effect(event)) return false;
  }
  return true;
}

/// Calls `visit` with each access of the thread in a round, until it returns false.
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

/// Whether memory is as it was when the answer was found, as far as that depends on it.
bool holds(const Answer& answer) {
  for (std::uint32_t i = 0; i < answer.reads_count; ++i) {
    const PlainRead& read = known->reads[answer.reads_begin + i];
    std::uint64_t value = 0;
    copy_bytes(&value, reinterpret_cast<const void*>(read.address), read.bytes);
    if (value != read.value) return false;
  }
  return true;
}

void note_reads(Answer& answer) {
  if (known->read_count + plain_read_count() > kMaxReads) unsupported("a program with that many waiting loops", 0);
  answer.reads_begin = known->read_count;
  answer.reads_count = plain_read_count();
  for (std::uint32_t i = 0; i < answer.reads_count; ++i) known->reads[known->read_count++] = plain_reads()[i];
}

struct Judgement {
  TrialAnswer answer;
  std::uint32_t number;  ///< of the answer
};

/// Whether another round of the running thread, which is in this state again, is idle if it reads what the one before
/// has read.
Judgement judge(Thread& thread, StateNumber state, Round round) {
  std::uint32_t path = state;
  std::uint32_t depth = 1;
  for_each_access(thread, round, [&](const Event& event) {
    path = find_answer(path, depth++, event.value);
    return true;
  });
  if (depth == 1) return {TrialAnswer::Busy, 0};
  for (std::uint64_t variant = 0;; ++variant) {  // one for each memory that makes a difference
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

/// Whether the round that led to this judgement was idle itself: if the answer depends on the state and on what was
/// read in steps alone, it did the same; otherwise that must have been said when it began.
bool was_idle(const Judgement& judgement, std::uint32_t expected) {
  return judgement.answer != TrialAnswer::Busy &&
         (known->answers[judgement.number].reads_count == 0 || judgement.number == expected);
}

/// Whether local states are captured at the access that a thread has announced.
bool may_wait(const Thread& thread) { return image.has_code(thread.access) && thread.pending.size <= 8; }

/// The number of a place that threads may come back to; kMaxSuspects if there are too many.
std::uint32_t suspect_at(std::uint64_t site) {
  std::uint32_t i = 0;
  while (i < known->suspect_count && known->suspects[i] != site) ++i;
  if (i < kMaxSuspects && i == known->suspect_count) known->suspects[known->suspect_count++] = site;
  return i;
}

/// A place that its thread comes back to may be in a loop that waits: worth a look now and then.
bool is_worth_a_look(Thread& thread) {
  if (thread.mark_suspect == kNoSuspect) thread.mark_suspect = suspect_at(site_of_access(thread));
  if (thread.mark_suspect == kMaxSuspects) return false;
  const std::uint32_t tries = ++known->tries[thread.mark_suspect];
  return (tries & (tries - 1)) == 0;
}

void set_mark(Thread& thread) {
  thread.mark = thread.access;
  thread.mark_object = thread.pending.object;
  thread.mark_step = scheduling.step;
  thread.mark_state = 0;
  thread.mark_suspect = kNoSuspect;
}

/// Looks for loops that wait by Brent's way to find a cycle: the access to come back to is moved on after 1, 2, 4, …
bool look_for_loop(Thread& thread) {
  if (thread.access != thread.mark || thread.pending.object != thread.mark_object) {
    if (thread.since_mark >= thread.mark_after && may_wait(thread)) {
      set_mark(thread);
      thread.since_mark = 0;
      thread.mark_after *= 2;
    }
    return false;
  }
  const bool second_look = thread.mark_state != 0;
  if (!second_look && !is_worth_a_look(thread)) return false;
  if (second_look && !is_quiet(thread, thread.mark_step)) {
    set_mark(thread);
    return false;
  }
  thread.awaited = thread.pending;
  const StateNumber state = local_state(thread);
  const Round round{thread.mark_step, scheduling.step};
  const bool is_back = state != 0 && state == thread.mark_state;
  thread.mark_step = scheduling.step;
  thread.mark_state = second_look ? 0 : state;
  if (!is_back) return false;
  switch (judge(thread, state, round).answer) {
    case TrialAnswer::InTrial: return true;
    case TrialAnswer::Unknown:
    case TrialAnswer::Busy: break;
    case TrialAnswer::Idle: learn(site_of_access(thread), WaitKind::Await); break;
    case TrialAnswer::IdleToo: learn(site_of_access(thread), WaitKind::Several); break;
  }
  return false;
}

/// The thread comes to a place where it does one idle round at most.
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
    thread.pending.kind = Spin;
    return false;
  }
  const std::uint32_t place = thread.visit_count < Thread::kMostVisits ? thread.visit_count++ : thread.next_visit;
  thread.next_visit = (place + 1) % Thread::kMostVisits;
  thread.visits[place] = {state, scheduling.step, expected};
  return false;
}

/// Whether a round accessed the one location only, which somebody changed meanwhile: that does not go on for ever.
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

/// The thread comes to an await. If it comes back to it without an effect, though the round was not idle for the value
/// of the location alone, there is more to the loop than this location.
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
  // What the unwinder writes when it is used first is part of the snapshot then, not a page to put back every time.
  unsigned long registers[MAZURKA_REGISTERS];
  mazurka_registers_at(0, registers);
  scheduling.reduces_waits = worker.channel->settings.reduce_waits;
}

bool arrive_and_look(Thread& thread) {
  const bool is_known = scheduling.knows_waits && may_wait(thread);
  const WaitKind kind = is_known ? kind_of(site_of_access(thread)) : WaitKind::None;
  if (kind == WaitKind::None) return scheduling.learns_waits && look_for_loop(thread);
  thread.awaited = thread.pending;
  const StateNumber state = local_state(thread);
  if (state == 0) return false;
  return kind == WaitKind::Await ? arrive_at_await(thread, state) : arrive_at_several(thread, state);
}

namespace {

void note_answer(Answer& to, TrialAnswer answer) {
  to.answer = answer;
  if (answer != TrialAnswer::Idle) return;
  if (known->access_count + stack_access_count() > kMaxAccesses)
    unsupported("a program with that many waiting loops", 0);
  to.accesses_begin = known->access_count;
  to.accesses_count = stack_access_count();
  for (std::uint32_t i = 0; i < to.accesses_count; ++i) known->accesses[known->access_count++] = stack_accesses()[i];
}

/// The thread might do an idle round now. That is no step, but the race detector is to know what it accesses.
void show_idle_round(Thread& thread, std::uint32_t number) {
  if (!detector.checking || thread.shown == number) return;
  thread.shown = number;
  const Answer& answer = known->answers[number];
  if (answer.accesses_count == 0) return;
  Thread* const running = scheduling.current;
  scheduling.current = &thread;
  ThreadClocks& clocks = clocks_of(thread.index);
  Clock* const now = spare_clock();
  copy_bytes(now, clocks.now, detector.clock_width * sizeof(Clock));
  acquire_clock(reinterpret_cast<const void*>(thread.awaited.object), 0);
  for (std::uint32_t i = 0; i < answer.accesses_count; ++i) {
    const StackAccess& access = known->accesses[answer.accesses_begin + i];
    touch_range(reinterpret_cast<const void*>(access.address), access.bytes, access.write ? Touch::Write : Touch::Read,
                place_of(access.site));
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
    if (known->answers[number].answer == TrialAnswer::Idle) show_idle_round(thread, number);
  }
  return false;
}

bool is_idle(const Thread& thread) {
  const std::uint32_t number = find_answer(thread.awaiting, 0, value_at(thread.awaited));
  return known->answers[number].answer == TrialAnswer::Idle;
}

bool waits_for_ever(const Thread& thread) {
  return for_each_access(thread, {thread.spin_begin, thread.spin_end},
                         [](const Event& event) { return value_at(event.operation) == event.value; });
}

bool time_matters() { return kind_of(protocol::kTimeSite) != WaitKind::None; }

void note_time() {
  if (scheduling.in_trial) end_trial();
  if (!scheduling.reduces_waits || !scheduling.exploring) return;
  known->asks_for_time = true;
  const protocol::Channel& channel = *worker.channel;
  if (scheduling.learns_waits && channel.wait_count != 0 && !time_matters())
    learn(protocol::kTimeSite, WaitKind::Several);
}

}  // namespace mazurka::runtime
