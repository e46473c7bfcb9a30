// The kernel ends a worker together with the *thread* that started it (PR_SET_PDEATHSIG). Explorers are threads that
// come and go; their workers stay. So these are started by one thread, which lasts as long as the process.
#pragma once

#include <functional>

namespace mazurka::program {

/// Calls it there, and returns when it has returned. What it throws is thrown here.
void run_on_lasting_thread(const std::function<void()>& call);

}  // namespace mazurka::program
