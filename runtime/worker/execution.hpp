// One execution: from main, or from a checkpoint, to its end, however it ends.
#pragma once

namespace mazurka::runtime {

struct ProgramStart {
  int (*main)(int, char**, char**);
  int argc;
  char** argv;
  char** environment;
  void (*closure)(void*);  ///< what is executed instead of main, if not null: the body of a unit test
  void* argument;
};

/// To be called once, before the snapshot is taken.
void prepare_executions(const ProgramStart& program);

/// Writes out what the program's streams still hold.
void flush_streams();

/// Runs the program once, as the job says, and puts its files back. To be called by the driver.
void execute_to_the_end();

// To be called inside an execution.

/// Abandons the program and goes on in the driver.
[[noreturn]] void back_to_driver();

/// Abandons the execution, which is then repeated: the runtime has learnt something it should have known at the start.
/// Without an explorer there is nothing to compare with, and it goes on.
void repeat_execution();

/// Sees to it that there are `wanted` donors. Under an explorer the execution is abandoned and repeated, since a new
/// donor changes memory that the snapshot covers.
void provide_donors(unsigned wanted);

}  // namespace mazurka::runtime
