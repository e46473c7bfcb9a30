// The worker's end of the shared memory.
#pragma once

namespace mazurka::runtime {

/// Maps the segment that the explorer has prepared; without an explorer, one of our own.
void open_channel();
/// Learns of the processes that another worker, or a forked child, has met.
void adopt_processes();
/// Waits for the next job and copies what must not change under way.
void receive_job();
/// Hands the execution over.
void send_answer();

}  // namespace mazurka::runtime
