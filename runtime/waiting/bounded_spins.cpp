#include "runtime/waiting/bounded_spins.hpp"

#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

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
