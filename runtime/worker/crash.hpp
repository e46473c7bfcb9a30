// Signals that the program raises by its own doing. Since the snapshot restores everything the program can write, most
// crashes end an execution and not the worker.
#pragma once

namespace mazurka::runtime {

void catch_crashes();

}  // namespace mazurka::runtime
