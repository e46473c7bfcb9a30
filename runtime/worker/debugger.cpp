#include "runtime/worker/debugger.hpp"

#include <cstdint>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/text.hpp"
#include "runtime/worker/worker.hpp"

// The step before which to stop; the debugger sets it in mazurka_started() and mazurka_paused().
MAZURKA_EXPORT std::uint32_t mazurka_pause_step;
std::uint32_t mazurka_pause_step = UINT32_MAX;

MAZURKA_EXPORT __attribute__((noinline)) void mazurka_started() { __asm__ volatile(""); }
MAZURKA_EXPORT __attribute__((noinline)) void mazurka_paused() { __asm__ volatile(""); }

namespace mazurka::runtime {

void start_debugging() {
  mazurka_pause_step = UINT32_MAX;
  mazurka_started();
  scheduling.pause_at = mazurka_pause_step;
}

void pause_for_debugger() {
  mazurka_paused();
  scheduling.pause_at = mazurka_pause_step;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

/// One above the largest thread index.
MAZURKA_EXPORT std::uint32_t mazurka_debug_threads() { return scheduling.thread_end; }
MAZURKA_EXPORT std::uint32_t mazurka_debug_running() { return self().index; }
MAZURKA_EXPORT std::uint32_t mazurka_debug_step() { return scheduling.step; }
/// The thread that takes the next step of the schedule; the number of threads at its end.
MAZURKA_EXPORT std::uint32_t mazurka_debug_next() {
  return scheduling.step < scheduling.prefix_length ? worker.channel->prefix[scheduling.step].process
                                                    : scheduling.thread_end;
}
/// The thread's path of creation, as in reports.
MAZURKA_EXPORT const char* mazurka_debug_name(std::uint32_t index) {
  static char buffer[256];
  Text(buffer, sizeof buffer).thread(index);
  return buffer;
}
/// 0: no such thread, 1: it has ended, otherwise where its registers are saved.
MAZURKA_EXPORT std::uint64_t mazurka_debug_stack(std::uint32_t index) {
  const Thread& thread = threads.all[index];
  if (thread.life != Life::Live) return thread.life == Life::Done ? 1 : 0;
  return reinterpret_cast<std::uint64_t>(thread.stack_pointer) + kSavedRegisters;
}
MAZURKA_EXPORT const char* mazurka_debug_kind() { return name(worker.channel->error_kind); }
MAZURKA_EXPORT const char* mazurka_debug_message() { return worker.channel->message; }
