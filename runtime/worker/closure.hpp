// A closure of a unit test as the program under test.
//
// The process that asks for it forks twice: one child becomes the explorer, the other stays where the closure is to be
// executed and forks a worker whenever the explorer wants one. So the state at the call is what every execution begins
// with, nothing that the closure does is left in the process that asked, and a worker that dies is replaced.
//
//   test ── fork ──▶ explorer (exec) ── its children: the stayer, and the workers that this one clones as its siblings
#pragma once

namespace mazurka::runtime {

/// Before the program starts: where it has closures to explore, starts it again without address randomisation, as
/// explorers start programs, so that addresses are the same from run to run.
void fix_addresses(char** argv);

}  // namespace mazurka::runtime
