// The worker's end of the shared-memory channel.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Maps the segment that the explorer created; standalone, a private one.
void open_channel();
/// Maps channel `number` of the segment `file`.
void open_channel(int file, std::uint32_t number);
/// Waits for the next job.
void receive_job();
/// Copies the job so that the program cannot change it. A repeated execution starts here.
void load_job();
/// Publishes the answer.
void send_answer();

}  // namespace mazurka::runtime
