#include "runtime/worker/channel.hpp"

#include <linux/futex.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/scheduling/offers.hpp"
#include "runtime/state.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

[[noreturn]] void refuse(const char* why) { fail("protocol", why, 0); }

void list_pending() {
  protocol::Channel& channel = *g.channel;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < g.thread_end; ++i) {
    const Thread& thread = tables.threads[i];
    if (thread.life != Life::Live || thread.pending.kind == OperationKind::None) continue;
    for_each_offer(thread, [&](const Operation& operation, std::uint32_t alternative, bool is_enabled) {
      if (count == protocol::kMaxPending) return true;
      protocol::PendingRecord& record = channel.pending[count++];
      record.offer.operation = operation;
      record.offer.process = i;
      record.offer.alternative = alternative;
      record.offer.enabled = is_enabled;
      record.offer.site = thread.site;
      record.holder = is_enabled ? kNoProcess : holder(thread);
      return false;
    });
  }
  channel.pending_count = count;
}

}  // namespace

void open_channel() {
  const char* variable = getenv(protocol::kChannelVariable);
  g.standalone = variable == nullptr;
  const int file = g.standalone ? -1 : atoi(variable);
  const long result = raw_syscall(SYS_mmap, 0, sizeof(protocol::Channel), PROT_READ | PROT_WRITE,
                                  g.standalone ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED, file, 0);
  if (result < 0 && result > -4096) refuse("the shared segment cannot be mapped");
  auto* channel = reinterpret_cast<protocol::Channel*>(result);
  if (g.standalone) {
    channel->settings.pass_output = true;
    channel->settings.ignore_exit_status = true;  // it is passed on
    channel->continuation = Continuation::First;
    channel->max_steps = UINT64_MAX;
  } else if (channel->magic != protocol::kMagic || channel->version != protocol::kVersion ||
             channel->bytes != sizeof(protocol::Channel)) {
    refuse("the program was built for another version of mazurka: build it again");
  }
  g.channel = channel;
  g.channel_file = file;
  footprint_table = {channel->footprints, channel->footprint_operations};
  g.plain_explore = g.hooked = channel->settings.plain == protocol::Plain::Explore;
  g.detecting = channel->settings.plain != protocol::Plain::Ignore;
  g.spurious = channel->settings.spurious_wakeups;
  g.pass_output = channel->settings.pass_output;
  if (channel->process_count == 0) {
    channel->processes[0] = {kNoProcess, 0, 0};
    channel->process_count = 1;
  }
  adopt_processes();
}

void adopt_processes() {
  std::uint32_t last[protocol::kMaxProcesses] = {};
  for (std::uint32_t i = 1; i < g.channel->process_count; ++i) {
    const std::uint32_t parent = g.channel->processes[i].parent;
    (last[parent] == 0 ? tables.slots[parent].first_child : tables.slots[last[parent]].next_sibling) = i;
    last[parent] = i;
  }
}

void receive_job() {
  protocol::Channel& channel = *g.channel;
  if (!g.standalone) {
    channel.phase = protocol::Phase::Idle;
    const std::uint32_t done = channel.answer;
    const auto asked = [&] { return __atomic_load_n(&channel.request, __ATOMIC_ACQUIRE) != done; };
    const auto yield = [] { raw_syscall(SYS_sched_yield); };
    const bool together = channel.explorer_processor == processor();
    if (channel.turns != 0 ? !g.patience.take_turns(asked, yield) : together || !g.patience.spin(asked)) {
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
  const protocol::Channel& channel = *g.channel;
  g.continuation = channel.continuation;
  g.random = channel.seed * 0x9e3779b97f4a7c15ULL + 0x1234567;
  if (g.random == 0) g.random = 1;
  g.prefix_length = channel.prefix_length;
  g.resumed_at = 0;
  g.pause_at = UINT32_MAX;
  g.max_steps =
      channel.max_steps > protocol::kMaxEvents ? protocol::kMaxEvents : static_cast<std::uint32_t>(channel.max_steps);
  g.sleeper_count = channel.sleeper_count;
  g.put_off_count = channel.put_off_count;
  for (std::uint32_t i = 0; i < g.sleeper_count; ++i) tables.sleepers[i] = channel.sleepers[i];
}

void send_answer() {
  protocol::Channel& channel = *g.channel;
  list_pending();
  channel.resumed = g.resumed_at;
  for (std::uint32_t i = g.resumed_at; i < channel.event_count; ++i)
    protocol::put(channel.events[i], channel.journal[i].event);
  channel.worker_processor = processor();
  __atomic_store_n(&channel.answer, channel.request, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&channel.explorer_sleeps, __ATOMIC_SEQ_CST) != 0)
    raw_syscall(SYS_futex, reinterpret_cast<long>(&channel.answer), FUTEX_WAKE, 1);
}

}  // namespace mazurka::runtime
