// Explores a closure of a unit test as the program under test.
//
// The test process forks twice: one child becomes the explorer, the other, the zygote, stays at the call and forks a
// worker whenever the explorer wants one. So every execution starts in the state at the call, nothing that the closure
// does affects the test process, and a worker that dies can be replaced.
//
//   test ── fork ──▶ explorer (exec) ── its children: the zygote, and the workers that the zygote clones as its
//   siblings
#pragma once

namespace mazurka::runtime {

/// Call before the program starts: if it has closures to explore, restarts it without address randomisation, as
/// explorers start programs, so that addresses are the same in every run.
void fix_addresses(char** argv);

}  // namespace mazurka::runtime
