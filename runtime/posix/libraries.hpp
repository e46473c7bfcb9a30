// Libraries that a program loads after the start of main.
#pragma once

namespace mazurka::runtime {

/// Loads the libraries that executions are known to dlopen. \pre The snapshot is not taken yet, and no other thread has
/// thread-local storage.
void load_libraries();

}  // namespace mazurka::runtime
