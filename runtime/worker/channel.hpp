// The worker's end of the shared memory.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Maps the segment that the explorer has prepared; without an explorer, one of our own.
void open_channel();
/// Maps the channel of this number in the segment `file`.
void open_channel(int file, std::uint32_t number);
/// Waits for the next job.
void receive_job();
/// Copies the job, which must not change under way; an execution that is repeated starts here.
void load_job();
/// Hands the execution over.
void send_answer();
/// Keeps it for the explorer, if another job is queued, which is then to be executed: see take_queued_job(). Whether it
/// did; what is unusual is handed over at once.
bool keep_answer();
/// Goes on with the next of the jobs that came together.
void take_queued_job();

}  // namespace mazurka::runtime
