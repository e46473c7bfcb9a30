// The state of a worker outside of executions.
#pragma once

#include <cstdint>

#include "program/patience.hpp"
#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

/// On pages of its own, which the snapshot excludes.
struct alignas(kPage) Worker {
  protocol::Channel* channel;
  protocol::Processes* processes;  ///< shared by all workers
  std::uint32_t process_count;     ///< how many of them this worker knows
  int channel_file;                ///< descriptor of the segment
  bool standalone;                 ///< runs without an explorer
  bool closure;                    ///< runs a closure of a unit test instead of main
  bool ready;                      ///< initialised: the snapshot is taken
  bool ending;                     ///< exit handlers are running
  bool restart;                    ///< repeat the execution: it lacked a donor, or a finding needs stacks
  bool table_full;                 ///< the process table is full
  std::uint32_t donors_wanted;
  std::uint64_t restore_ticks;  ///< duration of the last restore, if measured
  program::Patience patience;   ///< how long to spin for the explorer
};
MAZURKA_SHARED Worker worker;

inline bool plain_accesses_are_steps() { return worker.channel->settings.plain == protocol::Plain::Explore; }

}  // namespace mazurka::runtime
