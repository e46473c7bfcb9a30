// What the program prints goes to the explorer, without a system call, unless the worker is told to let it pass.
#pragma once

namespace mazurka::runtime {

/// Replaces stdout and stderr before the program's constructors run.
void capture_output();
/// The same in the middle of a program: what its streams hold is dropped, and nothing stays in them from now on.
void capture_streams();

}  // namespace mazurka::runtime
