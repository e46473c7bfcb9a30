// The processes that any worker of the program has met.
#pragma once

#include <cstdint>

#include "core/bound.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// Learns of the processes that were entered since, by this worker or others. Inline, since what a call leaves on the
/// stack of a thread, in the first execution only, may be taken for a place in the code (site.cpp).
[[gnu::always_inline]] inline void adopt_processes() {
  std::uint32_t& index = worker.process_count;
  for (; index < protocol::kMaxProcesses; ++index) {
    const protocol::ProcessEntry process = (*worker.processes)[index];
    if (process.number == 0) return;
    threads.slots[index].rank =
        process.parent == kNoProcess ? 1 : rank_of_child(threads.slots[process.parent].rank, process.number);
    if (process.parent == kNoProcess) continue;
    // Elder siblings come first.
    Slot& parent = threads.slots[process.parent];
    (process.number == 1 ? parent.first_child : threads.slots[parent.last_child].next_sibling) = index;
    parent.last_child = index;
  }
}

}  // namespace mazurka::runtime
