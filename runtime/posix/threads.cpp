#include "runtime/posix/threads.hpp"

#include <errno.h>
#include <pthread.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/bounds.hpp"
#include "runtime/scheduling/donors.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/states/thread_places.hpp"
#include "runtime/worker/alone.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/processes.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

using enum OperationKind;

namespace {

/// Ends the running thread up to the switch to the next one, which it returns.
Thread& end(void* result, std::uint64_t site, Leaving leaving);

/// The outermost frame of every fiber. Its first activation means that ThreadStart was chosen.
[[noreturn]] void fiber_main() {
  Thread& thread = self();
  look_at_accesses();
  if (scheduling.cleans_stack != Cleans::Nothing) clear_call_registers();  // of the thread before
  void* result = thread.body(thread.argument);
  replace_by(end(result, 0, Leaving::ByReturn));
}

Operation on_thread(OperationKind kind, std::uint32_t index) {
  Operation result;
  result.kind = kind;
  result.object = index;
  return result;
}

/// The index of the next child of the running thread: found by its path of creation, or new. kNoPlace if the process
/// table is full, which then holds for every execution.
std::uint32_t next_child(Thread& parent) {
  Slot* slots = threads.slots;
  std::uint32_t& link =
      parent.last_child == 0 ? slots[parent.index].first_child : slots[parent.last_child].next_sibling;
  if (link == 0) {
    const std::uint32_t number = parent.last_child == 0 ? 1 : (*worker.processes)[parent.last_child].number + 1;
    if (worker.processes->enter({parent.index, number}) == protocol::kMaxProcesses) {
      worker.table_full = true;
      return kNoPlace;
    }
    adopt_processes();
  }
  if (link >= threads.donors) provide_donors(link + 1);
  if (detector.checking && link >= detector.clock_width) repeat_execution();
  return parent.last_child = link;
}

}  // namespace

/// Resets the thread's waiting loop detection. Only needed if waits are known or learnt.
static void forget_rounds(Thread& thread) {
  thread.awaiting = thread.visit_count = thread.next_visit = thread.since_mark = thread.mark_state = thread.looks = 0;
  thread.mark_after = 1;
  thread.locked_access = thread.locked_looks = thread.locked_answer = 0;
  thread.deadline = thread.timed_mutex = thread.timed_access = 0;
  thread.timed_looks = thread.timed_visit_count = thread.segment_count = 0;
  thread.mark = thread.mark_object = 0;
}

void prepare_thread(std::uint32_t index, void* (*body)(void*), void* argument) {
  Thread& thread = threads.all[index];
  thread.life = Life::Live;
  thread.queue = Queue::None;
  thread.woken = thread.timed = thread.failed = thread.detached = thread.joined = false;
  thread.using_files = thread.time_granted = false;
  thread.lent_begin = thread.lent_end = 0;
  thread.index = index;
  thread.alternative = thread.steps = 0;
  thread.pending = {};
  thread.expected[0] = thread.expected[1] = 0;
  // A thread starts at its function. Sites are return addresses, which are behind what they refer to.
  const auto start = reinterpret_cast<std::uint64_t>(body);
  thread.site = image.has_code(start) ? start - image.base + 1 : 0;
  thread.thread_pointer = threads.slots[index].thread_pointer;
  thread.body = body;
  thread.argument = argument;
  thread.result = nullptr;
  thread.status = 0;
  thread.last_child = thread.atomic_depth = thread.section_calls = 0;
  thread.ignored_reads = thread.ignored_writes = thread.ignored_synchronisation = thread.suppressed_calls = 0;
  thread.clock = 0;
  thread.arrivals = thread.messages = thread.claimed_by = 0;
  thread.spin_calls = thread.back_off_calls = thread.looked_step = 0;
  thread.passed = thread.condition = 0;
  thread.without_time_out = false;
  if (scheduling.knows_waits || scheduling.learns_waits) forget_rounds(thread);
  thread.random = 0x853c49e6748fea9bULL + index;
  thread.destructors = nullptr;
  thread.cleanups = nullptr;
  thread.onces = nullptr;
  thread.misuse = nullptr;
  thread.polling_signals = 0;
  if (scheduling.keeps_states) [[unlikely]]
    forget_position(thread);
  thread.signal_mask = index == 0 ? first_signal_mask() : self().signal_mask;  // inherited
  clear_scanned_stack(index);
  thread.stack_pointer = first_stack(first_frame(index), fiber_main);
  if (index >= scheduling.thread_end) scheduling.thread_end = index + 1;
  ++scheduling.live;
}

namespace {

Thread& end(void* result, std::uint64_t site, Leaving leaving) {
  run_thread_destructors();
  Thread& thread = self();
  thread.result = result;
  if (scheduling.in_section) close_section(false);
  thread.atomic_depth = thread.section_calls = 0;
  // The process ends together with main: what other threads do comes before that or not at all.
  const bool main_returns = thread.index == 0 && leaving == Leaving::ByReturn;
  const bool ends_process = main_returns && worker.channel->settings.exit == protocol::Exit::Process;
  perform(ends_process ? operation(Exit) : on_thread(ThreadExit, thread.index), site);
  if (detector.checking) [[unlikely]]
    end_stack();
  thread.life = Life::Done;
  if (thread.index == 0) worker.channel->exit_status = thread.status;
  set_readiness(thread.index, Readiness::Never);
  --scheduling.live;
  if (main_returns && scheduling.live > 0) {
    worker.channel->warnings |= kWarnMainReturned;
    std::uint32_t& other = worker.channel->left_running;
    for (other = 1; threads.all[other].life != Life::Live;) ++other;
  }
  if (ends_process) finish(Outcome::Finished);
  return choose_successor();
}

}  // namespace

void end_thread(void* result, std::uint64_t site, Leaving leaving) { replace_by(end(result, site, leaving)); }

int create_thread(pthread_t* handle, bool detached, void* (*body)(void*), void* argument, std::uint64_t site,
                  const std::uint64_t* signal_mask) {
  begin_threads();
  if (!scheduling.exploring) unsupported("a thread created before main or in an exit handler", site);
  Thread& parent = self();
  const std::uint32_t child = next_child(parent);
  // As in the C library, before the thread starts.
  if (child != kNoPlace) *handle = static_cast<pthread_t>(threads.slots[child].thread_pointer);
  perform(on_thread(ThreadCreate, child), site);
  // Inside an atomic section the thread cannot be stopped.
  if (child == kNoPlace) unsupported("creating more than 4095 different threads", site);
  prepare_thread(child, body, argument);
  Thread& thread = threads.all[child];
  if (signal_mask != nullptr) thread.signal_mask = *signal_mask;
  thread.pending = on_thread(ThreadStart, child);
  set_readiness(child, Readiness::Always);
  thread.detached = detached;
  if (detached) thread.claimed_by = Thread::kAtBirth;
  thread.clock = parent.clock;
  if (detector.checking || detector.tracing) start_clock(child, parent.index);
  return 0;
}

/// Undefined behaviour. Joining a detached thread is different: Linux returns an error.
[[noreturn]] static void joined_twice(const Thread& thread, std::uint64_t site) {
  fail(FailureKind::DoubleJoin, {thread.index, ObjectKind::Thread, thread.claimed_by - 1}, site);
}

/// Whether a thread is not joinable as far as the running thread knows from its own actions.
static bool is_known_claimed(const Thread& thread) {
  return thread.claimed_by == Thread::kAtBirth || thread.claimed_by == self().index + 1;
}

int join_thread(pthread_t handle, void*& result, std::uint64_t site, int failure) {
  const std::uint32_t index = index_of_pthread(handle);
  if (index == kNoProcess || threads.all[index].life == Life::Absent) return ESRCH;
  Thread& thread = threads.all[index];
  if (index == self().index) return EDEADLK;
  if (is_known_claimed(thread)) {
    if (thread.joined) joined_twice(thread, site);
    return EINVAL;
  }
  self().timed = failure != 0;
  perform(on_thread(ThreadJoin, index), site);
  self().timed = false;
  if (self().alternative == 1) return failure;
  // Whether other threads were faster is known now, not before the step. Joining a thread that another one has detached
  // still waits for it: that is undefined behaviour.
  const bool is_joinable = !thread.detached && !thread.joined;
  observe(is_joinable ? 1 : 0);
  if (thread.joined) joined_twice(thread, site);
  if (!is_joinable) return EINVAL;
  thread.joined = true;
  thread.claimed_by = self().index + 1;
  acquire_thread(index);
  if (thread.clock > self().clock) self().clock = thread.clock;
  result = thread.result;
  end_threads();
  return 0;
}

static int join(pthread_t handle, void** result, const Caller& caller, int failure) {
  void* value = nullptr;
  const int error = join_thread(handle, value, caller.site(), failure);
  if (error == 0 && result != nullptr) {
    use_argument(true, result, sizeof *result, caller);
    *result = value;
  }
  return error;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*),
                                       void* argument) {
  MAZURKA_WRITES(handle, sizeof *handle);
  int state = PTHREAD_CREATE_JOINABLE;
  std::uint64_t mask = 0;
  bool has_mask = false;
  if (attributes != nullptr) {
    pthread_attr_getdetachstate(attributes, &state);
    sigset_t set{};
    has_mask = pthread_attr_getsigmask_np(attributes, &set) == 0;
    if (has_mask) mask = mask_of(set);
  }
  return create_thread(handle, state == PTHREAD_CREATE_DETACHED, body, argument, MAZURKA_SITE,
                       has_mask ? &mask : nullptr);
}

MAZURKA_REPLACEABLE int pthread_join(pthread_t handle, void** result) {
  return join(handle, result, MAZURKA_CALLER, 0);
}

MAZURKA_REPLACEABLE int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                             const timespec* deadline) {
  const int error = join(handle, result, MAZURKA_CALLER, deadline == nullptr ? 0 : ETIMEDOUT);
  if (error == ETIMEDOUT) reach(clock, deadline);
  return error;
}
MAZURKA_REPLACEABLE int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* deadline) {
  const int error = join(handle, result, MAZURKA_CALLER, deadline == nullptr ? 0 : ETIMEDOUT);
  if (error == ETIMEDOUT) reach(CLOCK_REALTIME, deadline);
  return error;
}
MAZURKA_REPLACEABLE int pthread_tryjoin_np(pthread_t handle, void** result) {
  return join(handle, result, MAZURKA_CALLER, EBUSY);
}

MAZURKA_REPLACEABLE int pthread_detach(pthread_t handle) {
  const std::uint32_t index = index_of_pthread(handle);
  if (index == mazurka::kNoProcess) return ESRCH;
  Thread& thread = threads.all[index];
  if (is_known_claimed(thread)) return EINVAL;
  perform(on_thread(mazurka::OperationKind::ThreadDetach, index), MAZURKA_SITE);
  const bool is_joinable = !thread.detached && !thread.joined;
  observe(is_joinable ? 1 : 0);
  if (!is_joinable) return EINVAL;
  thread.detached = true;
  thread.claimed_by = self().index + 1;
  return 0;
}
MAZURKA_DEFINE_OWN_CALL(pthread_detach);
