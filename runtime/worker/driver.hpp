// The main loop of a worker.
#pragma once

#include "runtime/worker/execution.hpp"

namespace mazurka::runtime {

/// Initialises the runtime, takes the snapshot and serves jobs until the explorer kills the process. \pre The channel
/// is open.
[[noreturn]] void serve(const ProgramStart& program);

}  // namespace mazurka::runtime
