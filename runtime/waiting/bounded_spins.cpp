#include "runtime/waiting/bounded_spins.hpp"

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// Whether a call that returns to `address` is part of a spin.
bool returns_into_spin(std::uint64_t address) {
  const protocol::Channel& channel = *worker.channel;
  const std::uint64_t call = address - image.base - 1;
  std::uint32_t low = 0;
  std::uint32_t high = channel.bounded_spin_count;
  while (low < high) {  // the first range that ends behind the call
    const std::uint32_t middle = (low + high) / 2;
    if (channel.bounded_spins[middle].end <= call)
      low = middle + 1;
    else
      high = middle;
  }
  return low < channel.bounded_spin_count && call >= channel.bounded_spins[low].begin;
}

}  // namespace

void enter_from(const void* caller) {
  if (!scheduling.knows_bounded_spins || !scheduling.exploring) return;
  Thread& thread = self();
  if (thread.spin_calls > 0 || returns_into_spin(reinterpret_cast<std::uint64_t>(caller))) ++thread.spin_calls;
}

void leave_callee() {
  Thread& thread = self();
  if (thread.spin_calls > 0) --thread.spin_calls;
}

bool in_bounded_spin(std::uint64_t site) { return self().spin_calls > 0 || returns_into_spin(return_address(site)); }

bool looks_again(const Thread& thread) {
  const Operation& next = thread.pending;
  return next.kind == OperationKind::Load && thread.looked_step == scheduling.step &&
         thread.looked_at.object == next.object && thread.looked_at.size == next.size;
}

void note_look(Thread& thread) {
  thread.looked_at = thread.pending;
  thread.looked_step = scheduling.step;
}

}  // namespace mazurka::runtime
