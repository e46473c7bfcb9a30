// What a worker knows of its explorer and of its own life.
#pragma once

#include <cstdint>

#include "program/patience.hpp"
#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

/// In pages of its own, which the snapshot leaves alone.
struct alignas(kPage) Worker {
  protocol::Channel* channel;
  protocol::Processes* processes;  ///< of all workers
  std::uint32_t process_count;     ///< of them, that this worker knows
  int channel_file;                ///< the descriptor of the segment
  bool standalone;                 ///< run without an explorer
  bool closure;                    ///< a closure of a test is executed instead of main
  bool ready;                      ///< set up: the snapshot is taken
  bool ending;                     ///< exit handlers run
  bool restart;                    ///< the execution must be repeated: it lacked a donor, or is to be described
  bool table_full;                 ///< there is no place for another process
  std::uint32_t donors_wanted;
  std::uint32_t jobs_done;      ///< of those that came together
  std::uint32_t waits_before;   ///< how many waits were known when they came
  std::uint32_t events_sent;    ///< so many of the first events stand in the channel as they stand in the journal
  std::uint64_t restore_ticks;  ///< what getting back to the start took last time, where that is measured
  program::Patience patience;   ///< with the explorer
};
MAZURKA_SHARED Worker worker;

inline bool plain_accesses_are_steps() { return worker.channel->settings.plain == protocol::Plain::Explore; }

}  // namespace mazurka::runtime
