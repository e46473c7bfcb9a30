#include "runtime/worker/channel.hpp"

#include <linux/futex.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/scheduling/bounds.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/sampling.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/waiting/assumptions.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/processes.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

Worker worker;

namespace {

[[noreturn]] void refuse(const char* why) { fail(FailureKind::Protocol, why, 0); }

/// Maps a part of the segment; zeroed private memory if there is none.
void* map_shared(int file, std::uint64_t offset, std::uint64_t bytes) {
  const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  const long result = raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE, flags, file,
                                  file < 0 ? 0 : static_cast<long>(offset));
  if (result < 0 && result > -4096) refuse("the shared segment cannot be mapped");
  return reinterpret_cast<void*>(result);
}

/// Parses the channel number and overwrites it with zeros: the program sees its environment, which must be the same in
/// every worker.
std::uint32_t take_number(char* variable) {
  std::uint32_t number = 0;
  while (*variable != 0 && *variable != ':') ++variable;
  for (; *variable != 0; ++variable)
    if (*variable != ':') {
      number = number * 10 + static_cast<std::uint32_t>(*variable - '0');
      *variable = '0';
    }
  return number;
}

void list_pending() {
  protocol::Channel& channel = *worker.channel;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    const Thread& thread = threads.all[i];
    if (thread.life != Life::Live || thread.pending.kind == OperationKind::None) continue;
    for_each_offer(thread, [&](const Operation& operation, std::uint32_t alternative, bool is_enabled) {
      if (count == protocol::kMaxPending) return true;
      protocol::PendingRecord& record = channel.pending[count++];
      record.offer.operation = operation;
      record.offer.process = i;
      record.offer.alternative = alternative;
      record.offer.enabled = is_enabled;
      record.offer.stopped = is_stopped(thread);
      record.offer.assumed = !is_enabled && is_assumed_away(thread);
      record.offer.site = thread.site;
      record.holder = is_enabled ? kNoProcess : holder(thread);
      return false;
    });
  }
  channel.pending_count = count;
  channel.stopped_by = stopped_by();
}

}  // namespace

void open_channel() {
  char* variable = environment(protocol::kChannelVariable);
  if (variable == nullptr) return open_channel(-1, 0);
  int file = 0;
  for (const char* digit = variable; *digit >= '0' && *digit <= '9'; ++digit) file = file * 10 + (*digit - '0');
  open_channel(file, take_number(variable));
}

void open_channel(int file, std::uint32_t number) {
  worker.standalone = file < 0;
  auto* common = static_cast<protocol::Common*>(map_shared(file, 0, sizeof(protocol::Common)));
  if (!worker.standalone && (common->magic != protocol::kMagic || common->version != protocol::kVersion ||
                             common->channel_bytes != sizeof(protocol::Channel)))
    refuse("the program was built for another version of mazurka: build it again");
  auto* channel =
      static_cast<protocol::Channel*>(map_shared(file, protocol::channel_offset(number), sizeof(protocol::Channel)));
  if (worker.standalone) {
    channel->settings.pass_output = true;
    channel->settings.ignore_exit_status = true;  // the status is passed on
    channel->continuation = Continuation::First;
    channel->max_steps = UINT64_MAX;
    channel->bound = {};
  }
  worker.channel = channel;
  worker.channel_file = file;
  footprint_table = {channel->footprints, channel->footprint_operations};
  detector.hooked = plain_accesses_are_steps();
  detector.detecting = channel->settings.plain != protocol::Plain::Ignore;
  worker.processes = &common->processes;
  worker.processes->enter({kNoProcess, 1});
  adopt_processes();
}

void receive_job() {
  protocol::Channel& channel = *worker.channel;
  // A debugger may restart the program: the job stays the same.
  if (!worker.standalone && !channel.settings.once) {
    channel.phase = protocol::Phase::Idle;
    const std::uint32_t done = channel.answer;
    const auto asked = [&] { return __atomic_load_n(&channel.request, __ATOMIC_ACQUIRE) != done; };
    const auto yield = [] { raw_syscall(SYS_sched_yield); };
    const bool together = channel.explorer_processor == processor();
    if (channel.turns != 0 ? !worker.patience.yield_until(asked, yield) : together || !worker.patience.spin(asked)) {
      do {
        __atomic_store_n(&channel.worker_sleeps, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&channel.request, __ATOMIC_SEQ_CST) == done)
          raw_syscall(SYS_futex, reinterpret_cast<long>(&channel.request), FUTEX_WAIT, done, 0);
        __atomic_store_n(&channel.worker_sleeps, 0, __ATOMIC_SEQ_CST);
      } while (!asked());
    }
  }
  channel.watch.on = false;
}

void load_job() {
  const protocol::Channel& channel = *worker.channel;
  __builtin_prefetch(channel.sleepers);  // overlaps with the transfer of the other cache line
  scheduling.continuation = channel.continuation;
  scheduling.random = channel.seed * 0x9e3779b97f4a7c15ULL + 0x1234567;
  if (scheduling.random == 0) scheduling.random = 1;
  scheduling.prefix_length = channel.prefix_length;
  scheduling.resumed_at = 0;
  scheduling.pause_at = UINT32_MAX;
  scheduling.max_steps =
      channel.max_steps > protocol::kMaxEvents ? protocol::kMaxEvents : static_cast<std::uint32_t>(channel.max_steps);
  scheduling.bound = channel.bound;
  scheduling.too_long = false;
  scheduling.sleeper_count = channel.sleeper_count;
  scheduling.postponed_count = channel.postponed_count;
  for (std::uint32_t i = 0; i < scheduling.sleeper_count; ++i) choices.sleepers[i] = channel.sleepers[i];
  if (goes_by_priority(scheduling.continuation)) begin_sampling();
}

void send_answer() {
  protocol::Channel& channel = *worker.channel;
  list_pending();
  channel.resumed = scheduling.resumed_at;
  for (std::uint32_t i = scheduling.resumed_at; i < channel.event_count; ++i)
    protocol::put(channel.events[i], channel.journal[i]);
  channel.worker_processor = processor();
  __atomic_store_n(&channel.answer, channel.request, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&channel.explorer_sleeps, __ATOMIC_SEQ_CST) != 0)
    raw_syscall(SYS_futex, reinterpret_cast<long>(&channel.answer), FUTEX_WAKE, 1);
}

}  // namespace mazurka::runtime
