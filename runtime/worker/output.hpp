// Sends the program's output to the explorer without system calls, unless settings.pass_output is set.
#pragma once

namespace mazurka::runtime {

/// Redirects stdout and stderr before the program's constructors run.
void capture_output();
/// The same in a running program: drops what the streams have buffered, and makes them unbuffered.
void capture_streams();

}  // namespace mazurka::runtime
