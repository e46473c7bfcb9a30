// A stack that `ulimit -s` does not make smaller. Libraries that read debug information and networks need some hundred
// KiB, and a process whose stack is at its end can say nothing any more.
#pragma once

namespace mazurka::cli {

using Main = int (*)(int argc, char** argv);

/// Calls `main` on the stack of the process if it may grow to a usual size, otherwise on one of its own. The limit
/// stays as it is, so that compilers and programs under test see it too.
int call_with_enough_stack(Main main, int argc, char** argv);

}  // namespace mazurka::cli
