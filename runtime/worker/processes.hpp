// The processes that any worker of the program has met.
#pragma once

#include <cstdint>

#include "core/bound.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

/// Learns of processes added by this worker or others. Inline: the frame of a call, which only the first execution
/// makes, would remain on the thread's stack and be mistaken for a return address (site.cpp).
[[gnu::always_inline]] inline void adopt_processes() {
  std::uint32_t& index = worker.process_count;
  for (; index < protocol::kMaxProcesses; ++index) {
    const protocol::ProcessEntry process = (*worker.processes)[index];
    if (process.number == 0) return;
    threads.slots[index].rank =
        process.parent == kNoProcess ? 1 : rank_of_child(threads.slots[process.parent].rank, process.number);
    if (process.parent == kNoProcess) continue;
    // Elder siblings precede younger ones in the table.
    Slot& parent = threads.slots[process.parent];
    (process.number == 1 ? parent.first_child : threads.slots[parent.last_child].next_sibling) = index;
    parent.last_child = index;
  }
}

}  // namespace mazurka::runtime
