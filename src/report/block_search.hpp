// All schedules by their number of blocks, a block being steps of one process in a row: iterative context bounding
// (Musuvathi, Qadeer: *Iterative Context Bounding*, PLDI 2007), with every switch counted, not preemptions only.
//
// Two schedules that differ in the order of independent steps, and end with the same process, have the same
// continuations: one of them is followed. A schedule of a deadlock is given up where more processes are not yet where
// the deadlock has them than blocks are left.
#pragma once

#include <optional>

#include "report/attempts.hpp"

namespace mazurka::report {

struct BlockSearchResult {
  std::optional<Execution> found;
  bool exhausted = false;  ///< every schedule with at most `max_blocks` blocks was tried, or one was found
};

BlockSearchResult search_blocks(Attempts& attempts, std::size_t max_blocks);

}  // namespace mazurka::report
