// The life of a worker.
#pragma once

#include "runtime/worker/execution.hpp"

namespace mazurka::runtime {

/// Sets everything up, takes the snapshot and serves jobs until the explorer ends the process. \pre The channel is
/// open.
[[noreturn]] void serve(const ProgramStart& program);

}  // namespace mazurka::runtime
