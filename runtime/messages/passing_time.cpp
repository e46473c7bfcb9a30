#include "runtime/messages/passing_time.hpp"

#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;

constexpr std::uint64_t kLong = 60'000'000'000;  // one minute in nanoseconds

bool is_long(const Thread& thread, const Prospect& prospect) {
  return prospect.until != Prospect::kNever && prospect.until > thread.clock && prospect.until - thread.clock >= kLong;
}

/// Calls `visit(thread)` for each thread that waits for time until it returns true.
template <class Visit>
void for_each_waiter(Visit&& visit) {
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
    if (waits_for_time(threads.all[i]) && visit(threads.all[i])) return;
}

}  // namespace

bool waits_for_time(const Thread& thread) {
  return thread.life == Life::Live && thread.pending.kind == DescriptorWait &&
         thread.prospect(thread.prospect_of).until != Prospect::kNever;
}

bool time_may_pass(const Thread& thread, const Prospect& prospect) {
  if (prospect.until == Prospect::kNever || (prospect.ready && !prospect.by_timer)) return false;
  if (!is_long(thread, prospect) || thread.time_granted) return true;
  worker.channel->long_waits = 1;
  return false;
}

bool let_time_pass() {
  scheduling.time_passes_for = 0;
  for_each_waiter([](const Thread& thread) {
    scheduling.time_passes_for = thread.index + 1;
    scheduling.time_passes_at = scheduling.step;
    return true;
  });
  return scheduling.time_passes_for != 0;
}

bool time_passes_for(const Thread& thread) {
  return scheduling.time_passes_for == thread.index + 1 && scheduling.time_passes_at == scheduling.step;
}

bool is_own_turn(Thread& thread, std::uint64_t site) {
  constexpr std::uint32_t kMostWaiters = 64;
  std::uint32_t waiters[kMostWaiters];
  std::uint32_t count = 0;
  for_each_waiter([&](const Thread& waiter) {  // includes the thread itself
    if (count == kMostWaiters) unsupported("more than 64 threads that wait for time to pass", site);
    waiters[count++] = waiter.index;
    return false;
  });
  if (count < 2) return true;
  Operation choice = operation(Choose);
  choice.set_alternatives(count);
  perform(choice, site);
  observe(thread.alternative);
  const std::uint32_t chosen = waiters[thread.alternative];
  thread.alternative = kTimePasses;
  if (chosen == thread.index) return true;
  use_descriptors(DescriptorCall::Control, static_cast<int>(Operation::kNoDescriptor), site);
  threads.all[chosen].time_granted = true;
  return false;
}

}  // namespace mazurka::runtime
