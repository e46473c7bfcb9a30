// How a trial works. run_trial() switches to the driver, which forks (fork_trial()) and then switches to a thread
// again: in the parent to the running one, in the child to the thread under trial. That is the only one that runs
// there; its operations go to continue_trial() instead of the scheduler, and shared memory takes the answer back to the
// parent. The parent has set the answer to Busy, so a trial that crashes, hangs or exceeds a limit counts as having an
// effect.
//
// While the program's code runs, all memory but the thread's own is inaccessible (close_memory()). An access faults; if
// it is permitted, signal_in_trial() opens its page for that single instruction. Announced accesses are permitted as
// announced; those of uninstrumented code may only read.
#include "runtime/waiting/trial.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/posix/objects.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/waiting/read_size.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;

struct Span {
  std::uint64_t begin;
  std::uint64_t end;
};

constexpr std::uint32_t kMostSteps = 256;           // per round
constexpr std::uint32_t kMostPlainAccesses = 4096;  // between two steps
constexpr std::uint32_t kMostPages = 64;            // written in a trial
constexpr std::uint32_t kMostStackAccesses = 64;
constexpr std::uint32_t kMostPlainReads = 512;
constexpr std::uint32_t kMostSpans = 4096;
constexpr long kMostSeconds = 2;       // of CPU time: how busy the machine is must not decide the answer
constexpr long kMostRealSeconds = 60;  // if it blocks

}  // namespace

struct Trial {
  Thread* thread;
  StateNumber state;
  std::uint64_t access;  ///< return address to come back to,
  Operation first;       ///< and the access there
  bool again;            ///< repeat the events of `round`; otherwise read memory as it is
  bool locked;           ///< the thread holds a mutex, the object of `first`
  bool segment;          ///< stop at its next step
  Span lock;             ///< the mutex of a locked round, or the object of its tries; empty if none
  Round round;
  std::uint32_t next;  ///< next event of `round`
  std::uint32_t steps;
  Operation last;       ///< the last access: its location must
  std::uint64_t value;  ///< still hold this value
  bool elsewhere;       ///< it accessed other locations than that of `first`
  bool further;         ///< it made another access after `first`
  TrialAnswer answer;
  std::uint32_t stack_access_count;
  StackAccess stack_accesses[kMostStackAccesses];
  std::uint32_t plain_read_count;
  PlainRead plain_reads[kMostPlainReads];
  std::uint32_t span_count;
  Span spans[kMostSpans];  ///< memory that is protected while the program's code runs
  bool is_closed;          ///< currently protected,
  Span announced;          ///< except for this access
  bool announced_write;
  std::uint32_t page_count;
  std::uint64_t pages[kMostPages];
  std::uint8_t saved[kMostPages][kPage];
  char maps[1U << 20];
};

namespace {

/// On pages that are never protected.
Trial* const& trial = scheduling.trial;

[[noreturn]] void answer(TrialAnswer found) {
  trial->answer = found;
  for (;;) raw_syscall(SYS_exit_group, 0);
}

void protect(std::uint64_t begin, std::uint64_t end, int protection) {
  if (begin < end &&
      raw_syscall(SYS_mprotect, static_cast<long>(begin), static_cast<long>(end - begin), protection) != 0)
    end_trial();
}

template <class T>
Span pages_of(const T& object) {
  const auto begin = reinterpret_cast<std::uint64_t>(&object);
  return {begin, begin + sizeof object};
}

constexpr std::uint64_t page_of(std::uint64_t address) { return address & ~(kPage - 1); }

/// Protects [begin, end) except for the spans from `spans` on.
void close_without(std::uint64_t begin, std::uint64_t end, const Span* spans, const Span* spans_end) {
  for (; spans < spans_end; ++spans) {
    if (spans->end <= begin || spans->begin >= end) continue;
    if (begin < spans->begin) close_without(begin, spans->begin, spans + 1, spans_end);
    begin = spans->end;
    if (begin >= end) return;
  }
  if (trial->span_count == kMostSpans) end_trial();
  trial->spans[trial->span_count++] = {begin, end};
}

/// Call before the program's code runs.
void close_memory() {
  for (std::uint32_t i = 0; i < trial->span_count; ++i) protect(trial->spans[i].begin, trial->spans[i].end, PROT_NONE);
  trial->is_closed = true;
}

void open_memory() {
  for (std::uint32_t i = 0; i < trial->span_count; ++i) protect(trial->spans[i].begin, trial->spans[i].end, PROT_READ);
  trial->is_closed = false;
}

/// Makes the answer depend on these bytes.
void note_plain_read(std::uint64_t address, std::uint64_t bytes) {
  if (!trial->again && !trial->locked && !trial->segment) end_trial();
  trial->elsewhere = true;
  for (const std::uint64_t end = address + bytes; address < end; address += 8) {
    if (trial->plain_read_count == kMostPlainReads) end_trial();
    PlainRead read{address, 0, static_cast<std::uint32_t>(end - address < 8 ? end - address : 8)};
    copy_bytes(&read.value, reinterpret_cast<const void*>(address), read.bytes);
    trial->plain_reads[trial->plain_read_count++] = read;
  }
}

/// Whether an address belongs to the lock of the round: its owner is not part of what the thread reads.
bool is_of_lock(std::uint64_t address) { return address >= trial->lock.begin && address < trial->lock.end; }

/// The runtime's data in a mutex, or in the object of a try.
Span lock_at(std::uint64_t object, OperationKind kind) {
  switch (kind) {
    case TryReadLock:
    case TryWriteLock: return {object, object + sizeof(RwLock)};
    case SemaphoreTryWait: return {object, object + sizeof(Semaphore)};
    default: return {object, object == 0 ? 0 : object + sizeof(Mutex)};
  }
}

/// Permits the runtime's write to the mutex.
void announce_mutex() {
  trial->announced = {trial->first.object, trial->first.object + sizeof(Mutex)};
  trial->announced_write = true;
}

void announce(const Operation& access) {
  trial->announced = {access.object, access.object + access.size};
  trial->announced_write = access.kind != Load;
}

std::uint64_t read_number(const char*& text) {
  std::uint64_t value = 0;
  for (;; ++text) {
    if (*text >= '0' && *text <= '9')
      value = value * 16 + static_cast<std::uint64_t>(*text - '0');
    else if (*text >= 'a' && *text <= 'f')
      value = value * 16 + static_cast<std::uint64_t>(*text - 'a' + 10);
    else
      return value;
  }
}

/// Finds all writable memory except for the runtime's state, the thread's stack and its TLS.
void find_memory(const Thread& thread) {
  const Span own[] = {pages_of(scheduling),
                      pages_of(choices),
                      pages_of(threads),
                      pages_of(detector),
                      pages_of(memory),
                      pages_of(worker),
                      pages_of(image),
                      {stack_bottom(thread.index), stack_top(thread.index)},
                      {page_of(thread.thread_pointer - memory.static_tls_bytes),
                       page_of(thread.thread_pointer + kControlBlock) + kPage}};
  const long file = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  std::uint64_t length = 0;
  for (long got = 1; got > 0; length += static_cast<std::uint64_t>(got)) {
    got = raw_syscall(SYS_read, file, reinterpret_cast<long>(trial->maps + length),
                      static_cast<long>(sizeof trial->maps - 1 - length));
    if (got < 0 || length + static_cast<std::uint64_t>(got) + 1 >= sizeof trial->maps) end_trial();
  }
  trial->maps[length] = 0;
  for (const char* line = trial->maps; *line != 0;) {
    const std::uint64_t begin = read_number(line);
    const std::uint64_t end = read_number(++line);
    const bool is_writable = line[2] == 'w' && line[4] == 'p';  // ` rw-p`
    bool is_driver_stack = false;
    for (; *line != 0 && *line != '\n'; ++line)
      is_driver_stack = is_driver_stack || (line[0] == '[' && line[1] == 's' && line[2] == 't');
    if (*line == '\n') ++line;
    if (is_writable && !is_driver_stack) close_without(begin, end, own, own + sizeof own / sizeof *own);
  }
}

/// Makes a page writable, and saves it for the comparison at the end of the round.
void allow_write(std::uint64_t address) {
  const std::uint64_t page = page_of(address);
  protect(page, page + kPage, PROT_READ | PROT_WRITE);
  for (std::uint32_t i = 0; i < trial->page_count; ++i)
    if (trial->pages[i] == page) return;
  if (trial->page_count == kMostPages) end_trial();
  copy_bytes(trial->saved[trial->page_count], reinterpret_cast<const void*>(page), kPage);
  trial->pages[trial->page_count++] = page;
}

/// The location must hold `value` now and after the access.
void expect(const Operation& access, std::uint64_t value) {
  trial->last = access;
  trial->value = value;
}

bool same_access(const Operation& a, const Operation& b) { return a.object == b.object && a.size == b.size; }

/// Call before an access: supplies the value that it read in the round before.
void read_again(Thread& thread, const Operation& access) {
  const Event& event = worker.channel->journal[trial->next];
  if (!same_access(event.operation, access)) end_trial();
  if (is_try(access.kind) && !event.operation.failed()) end_trial();
  const auto page = page_of(access.object);
  if (value_at(access) != event.value) {
    allow_write(page);
    const std::uint64_t offset = access.object - page;
    if (offset + access.size > kPage) end_trial();
    copy_bytes(reinterpret_cast<void*>(access.object), &event.value, access.size);
    for (std::uint32_t i = 0; i < trial->page_count; ++i)
      if (trial->pages[i] == page) copy_bytes(trial->saved[i] + offset, &event.value, access.size);
  }
  thread.failed = event.operation.failed();
  expect(access, event.value);
}

/// Advances trial->next to the thread's next access in the round.
bool find_next_access(const Thread& thread) {
  for (; trial->next < trial->round.end; ++trial->next) {
    const Event& event = worker.channel->journal[trial->next];
    if (event.process == thread.index && event.operation.kind != Yield && event.operation.kind != Fence) return true;
  }
  return false;
}

void begin_trial() {
  scheduling.in_trial = true;
  Thread& thread = *trial->thread;
  scheduling.current = &thread;
  scheduling.record = nullptr;
  // See plain accesses too.
  detector.checking = detector.guarding = detector.tracing = false;
  detector.following = scheduling.follows_library;
  detector.hooked = true;
  const itimerval busy = {{0, 0}, {kMostSeconds, 0}};
  raw_syscall(SYS_setitimer, ITIMER_PROF, reinterpret_cast<long>(&busy), 0);
  const itimerval blocked = {{0, 0}, {kMostRealSeconds, 0}};
  raw_syscall(SYS_setitimer, ITIMER_REAL, reinterpret_cast<long>(&blocked), 0);
  find_memory(thread);
  open_memory();
  trial->announced = {0, 0};
  if (trial->locked) {
    expect({}, 0);
    thread.failed = false;
    close_memory();
    return;
  }
  if (trial->segment) {
    expect({}, 0);
    if (family(trial->first.kind) == Family::Memory || trial->first.kind == FutexWait) {
      note_plain_read(trial->first.object, trial->first.size);
      announce(trial->first);
    }
    close_memory();
    return;
  }
  if (trial->again) {
    if (!find_next_access(thread)) end_trial();
    read_again(thread, trial->first);
    ++trial->next;
  } else {
    expect(trial->first, value_at(trial->first));
    thread.failed = trial->first.kind == CompareExchange && !memory_equals_expected(thread, trial->first);
  }
  announce(trial->first);
  close_memory();
}

void note_stack_access(const StackAccess& access) {
  for (std::uint32_t i = 0; i < trial->stack_access_count; ++i) {
    const StackAccess& known = trial->stack_accesses[i];
    if (known.address == access.address && known.bytes == access.bytes && known.write == access.write) return;
  }
  if (trial->stack_access_count == kMostStackAccesses) end_trial();
  trial->stack_accesses[trial->stack_access_count++] = access;
}

/// The thread's own stack is part of its local state; accesses of others to it would be data races. It may read other
/// memory, but then the round depends on more than its location.
void access_plainly(const Thread& thread, const Operation& access) {
  if (access.object >= stack_bottom(thread.index) && access.object < stack_top(thread.index))
    return trial->segment ? void() : note_stack_access({access.object, thread.site, access.size, access.kind != Load});
  if (access.kind != Load) end_trial();
  note_plain_read(access.object, access.size);
  announce(access);
}

bool memory_is_unchanged() {
  for (std::uint32_t i = 0; i < trial->page_count; ++i) {
    const auto* now = reinterpret_cast<const std::uint64_t*>(trial->pages[i]);
    const auto* then = reinterpret_cast<const std::uint64_t*>(trial->saved[i]);
    for (std::uint32_t word = 0; word < kPage / 8; ++word)
      if (now[word] != then[word]) return false;
  }
  return true;
}

/// For try_round(), try_again(), try_locked_round() and try_segment().
enum class TrialKind : std::uint8_t { Alone, Again, Locked, Segment };

/// Returns InTrial in the child. Not inlined: like fork(), it returns twice.
__attribute__((noinline)) TrialAnswer run_trial(Thread& thread, StateNumber state, TrialKind kind, Round round) {
  trial->thread = &thread;
  trial->state = state;
  trial->access = thread.access;
  trial->again = kind == TrialKind::Again;
  trial->locked = kind == TrialKind::Locked;
  trial->segment = kind == TrialKind::Segment;
  trial->first = trial->locked || trial->segment ? thread.pending : thread.awaited;
  const bool tries = is_try(trial->first.kind);
  if (trial->segment)
    trial->lock = lock_at(thread.timed_mutex, MutexLock);
  else
    trial->lock = lock_at(trial->locked || tries ? trial->first.object : 0, trial->first.kind);
  trial->round = round;
  trial->next = round.begin;
  trial->steps = trial->page_count = trial->stack_access_count = trial->plain_read_count = trial->span_count = 0;
  trial->elsewhere = tries;  // there is no await for a lock
  trial->further = false;
  scheduling.trial_wanted = true;
  write_thread_pointer(scheduling.main_thread_pointer, scheduling.fast_thread_pointer);
  mazurka_switch_stack(&self().stack_pointer, scheduling.driver_stack);
  return scheduling.in_trial ? TrialAnswer::InTrial : trial->answer;
}

}  // namespace

void prepare_trials() {
  const long place = raw_syscall(SYS_mmap, 0, sizeof(Trial), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  scheduling.trial = place < 0 && place > -4096 ? nullptr : reinterpret_cast<Trial*>(place);
}

TrialAnswer try_round(Thread& thread, StateNumber state) { return run_trial(thread, state, TrialKind::Alone, {0, 0}); }
TrialAnswer try_again(Thread& thread, StateNumber state, Round round) {
  return run_trial(thread, state, TrialKind::Again, round);
}
TrialAnswer try_locked_round(Thread& thread, StateNumber state) {
  return run_trial(thread, state, TrialKind::Locked, {0, 0});
}
TrialAnswer try_segment(Thread& thread, StateNumber state) {
  return run_trial(thread, state, TrialKind::Segment, {0, 0});
}

void fork_trial() {
  scheduling.trial_wanted = false;
  trial->answer = TrialAnswer::Busy;
  const long child = raw_syscall(SYS_fork);
  if (child == 0) return begin_trial();
  if (child > 0) raw_syscall(SYS_wait4, child, 0, 0, 0);
}

const StackAccess* stack_accesses() { return trial->stack_accesses; }
std::uint32_t stack_access_count() { return trial->stack_access_count; }

void end_trial() { answer(TrialAnswer::Busy); }

const PlainRead* plain_reads() { return trial->plain_reads; }
std::uint32_t plain_read_count() { return trial->plain_read_count; }

/// Permits a faulting access: unprotects its page, single-steps the one instruction, and protects the page again.
/// Uninstrumented code announces no accesses: it must not write, and what it reads is recorded.
void signal_in_trial(int number, std::uint64_t address, bool is_write, ucontext_t& context) {
  constexpr greg_t kSingleStep = 1 << 8;
  greg_t& flags = context.uc_mcontext.gregs[REG_EFL];
  if (number == SIGTRAP && (flags & kSingleStep) != 0) {
    flags &= ~kSingleStep;
    return close_memory();
  }
  if (number != SIGSEGV) end_trial();
  if (trial->is_closed) {
    const bool is_announced = address >= trial->announced.begin && address < trial->announced.end;
    if (is_write && !(is_announced && trial->announced_write)) end_trial();
    flags |= kSingleStep;
    if (is_write) return allow_write(address);
    const std::uint64_t page_end = page_of(address) + kPage;
    protect(page_of(address), page_end, PROT_READ);
    if (!is_announced && !is_of_lock(address)) {
      const std::uint64_t bytes = read_size(reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]));
      note_plain_read(address, page_end - address < bytes ? page_end - address : bytes);
    }
    return;
  }
  if (!is_write) end_trial();
  allow_write(address);
}

bool may_be_idle(const Operation& operation) {
  switch (operation.kind) {
    case Load:
    case ReadModifyWrite:
    case CompareExchange:
    case Await:
    case AwaitModify:
    case Yield:
    case Fence:
    case MutexTryLock:
    case TryReadLock:
    case TryWriteLock:
    case SemaphoreTryWait: return true;  // only if it fails
    default: return false;
  }
}

std::uint64_t value_at(const Operation& operation) {
  std::uint64_t value = 0;
  copy_bytes(&value, reinterpret_cast<const void*>(operation.object), operation.size < 8 ? operation.size : 8);
  return value;
}

namespace {

void take_locked_step(Thread& thread) {
  const Operation& next = thread.pending;
  if (++trial->steps > kMostSteps) end_trial();
  thread.failed = false;
  if ((next.flags & kPlain) != 0 && !plain_accesses_are_steps()) return access_plainly(thread, next);
  if (next.kind == Yield || next.kind == Fence) return;
  const bool is_ours = next.object == trial->first.object && next.flags == 0;
  if (!is_ours || (next.kind != MutexLock && next.kind != MutexUnlock)) end_trial();
  announce_mutex();
}

void end_segment(Thread& thread) {
  if ((thread.pending.flags & kPlain) != 0 && !plain_accesses_are_steps()) {
    if (++trial->steps > kMostPlainAccesses) end_trial();
    thread.failed = false;
    return access_plainly(thread, thread.pending);
  }
  if (!memory_is_unchanged()) end_trial();
  answer(TrialAnswer::IdleToo);
}

/// \pre Memory is open.
void take_step(Thread& thread) {
  if (trial->locked) return take_locked_step(thread);
  if (trial->segment) return end_segment(thread);
  const Operation& next = thread.pending;
  if (++trial->steps > kMostSteps || value_at(trial->last) != trial->value) end_trial();
  thread.failed = false;
  if ((next.flags & kPlain) != 0 && !plain_accesses_are_steps()) return access_plainly(thread, next);
  if (next.kind == Assume && !trial->again) {
    // Before a second access, others may change the location so that the assumption holds.
    if (trial->further || !memory_is_unchanged()) end_trial();
    answer(TrialAnswer::Assumed);
  }
  if (!may_be_idle(next)) end_trial();
  if (is_try(next.kind) && (trial->first.kind != next.kind || trial->first.object != next.object)) end_trial();
  if (next.kind == Yield || next.kind == Fence) return;
  const bool is_back = !trial->again || !find_next_access(thread);
  if (is_back && (next.flags & kPlain) == 0 && thread.access == trial->access && same_access(next, trial->first)) {
    if (!memory_is_unchanged()) end_trial();
    if (local_state(thread) != trial->state) end_trial();
    answer(trial->elsewhere ? TrialAnswer::IdleToo : TrialAnswer::Idle);
  }
  trial->further = true;
  trial->elsewhere = trial->elsewhere || !same_access(next, trial->first);
  if (trial->again) {
    if (is_back) end_trial();
    read_again(thread, next);
    ++trial->next;
  } else {
    if (trial->elsewhere) end_trial();
    if (next.kind == CompareExchange) thread.failed = !memory_equals_expected(thread, next);
    expect(next, value_at(next));
  }
  announce(next);
}

}  // namespace

void lock_in_trial(Thread& thread) {
  if (!trial->locked || thread.access != trial->access || thread.pending.object != trial->first.object) return;
  open_memory();
  if (!memory_is_unchanged() || local_state(thread) != trial->state) end_trial();
  answer(TrialAnswer::IdleToo);
}

void continue_trial(Thread& thread) {
  open_memory();
  take_step(thread);
  close_memory();
}

}  // namespace mazurka::runtime
