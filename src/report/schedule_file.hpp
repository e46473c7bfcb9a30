// `.mzk` files: one schedule, with what is needed to run it again and to notice where the system no longer does what it
// did. Text, one item a line, so that it can be read, mailed and put under version control:
//
//   mazurka-schedule 3
//   system examples/philosophers.tck
//   folder /home/kant/work  where it was checked, from which the name of the system is to be understood
//   hash 1f0a…            of the system's bytes when the schedule was saved
//   argument …            one line for each argument of a program
//   option plain=check    one line for each option the execution depends on
//   error deadlock
//   step 0 phil0 acq_fork0 (fork0 acq)
//   output 0.1 hello\n    what a process of a program printed after the step before: for the reader
//   end
//
// A step has the alternative taken, the process's name, and what it did.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/executor.hpp"
#include "core/names.hpp"

namespace mazurka::report {

struct ScheduleFile {
  struct Entry {
    std::uint32_t alternative = 0;
    std::string process;
    std::string operation;
  };
  struct Output {
    std::size_t after = 0;  ///< so many steps
    std::string process;
    std::string text;

    bool operator==(const Output&) const = default;
  };
  std::string system;
  std::string folder;
  std::string hash;
  std::vector<std::string> arguments;
  std::vector<std::string> options;
  std::string error;
  std::vector<Entry> steps;
  std::vector<Output> outputs;  ///< in their order
};

inline constexpr int kScheduleFileVersion = 3;

std::string write_schedule(const ScheduleFile& schedule);

/// Throws InputError with `file:line:column`; a file without its `end` line is refused as truncated.
ScheduleFile read_schedule(std::string_view text, const std::string& file);

/// The steps of an execution as a file holds them.
std::vector<ScheduleFile::Entry> entries(const Names& names, const Execution& execution);

/// What it printed.
std::vector<ScheduleFile::Output> outputs(const Names& names, const Execution& execution);

/// The hash of a system's bytes as `.mzk` files hold it.
std::string content_hash(std::string_view bytes);

/// Runs the schedule again, exactly. `differences` says, event by event, where it went another way; empty if nowhere.
struct Replay {
  Execution execution;
  std::vector<std::string> differences;
};
/// In a debugger it runs once only: whether a stopped execution hangs is not probed.
Replay replay(Executor& executor, const Names& names, const ScheduleFile& schedule, bool in_debugger = false);

}  // namespace mazurka::report
