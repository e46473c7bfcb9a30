// One execution: from main, or from a checkpoint, to its end, however it ends.
#pragma once

namespace mazurka::runtime {

struct ProgramStart {
  int (*main)(int, char**, char**);
  int argc;
  char** argv;
  char** environment;
  void (*closure)(void*);  ///< if not null, runs instead of main: the body of a unit test
  void* argument;
};

/// Call once, before take_snapshot().
void prepare_executions(const ProgramStart& program);

/// Flushes the program's streams.
void flush_streams();

/// Runs the program once, as the job says, and undoes its file changes. \pre The driver runs.
void execute_to_the_end();

// Call these inside an execution.

/// Abandons the program and continues in the driver.
[[noreturn]] void back_to_driver();

/// Abandons the execution and repeats it: the runtime has learnt something that it should have known at the start.
/// Returns if standalone or under a debugger: there is no earlier execution to be consistent with.
void repeat_execution();

/// Ensures that there are `wanted` donors. Under an explorer that abandons and repeats the execution, since a new donor
/// changes memory that the snapshot covers.
void provide_donors(unsigned wanted);

}  // namespace mazurka::runtime
