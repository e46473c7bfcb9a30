// The life of a worker: start up, take jobs, run the program from its start for each.
#pragma once

namespace mazurka::runtime {

/// Abandons the program and goes on in the driver.
[[noreturn]] void back_to_driver();

/// Abandons the execution, which is then repeated: the runtime has learnt something it should have known at the start.
/// Without an explorer there is nothing to compare with, and it goes on.
void repeat_execution();

/// Sees to it that there are `wanted` donors. Under an explorer the execution is abandoned and repeated, since a new
/// donor changes memory that the snapshot covers.
void provide_donors(unsigned wanted);

}  // namespace mazurka::runtime
