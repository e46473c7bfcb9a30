// Handles signals that the program causes. Since the snapshot restores everything that the program can write, most
// crashes end the execution but not the worker.
#pragma once

namespace mazurka::runtime {

void catch_crashes();

}  // namespace mazurka::runtime
