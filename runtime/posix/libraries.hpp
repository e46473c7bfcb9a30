// Libraries that a program loads after the start of main.
#pragma once

namespace mazurka::runtime {

/// Loads what executions are known to load. To be called before the snapshot is taken, and before other threads have
/// thread-local storage.
void load_libraries();

}  // namespace mazurka::runtime
