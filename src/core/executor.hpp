// The only way an explorer touches a system: hand over a job, get the whole execution back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/execution.hpp"
#include "core/job.hpp"

namespace mazurka {

/// A place in source code, with what is known of it.
struct CodePlace {
  std::string function;  ///< without parameters; empty where it is not known
  std::string file;      ///< the last part of its path; empty without debug information
  std::string path;      ///< as the compiler recorded it
  int line = 0;

  bool in_system_header() const;
};

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Hands a job over. A system with processors of its own starts with it as soon as one of them is free. A job that is
  /// never collected stays until the executor ends.
  virtual JobHandle submit(const Job& job) = 0;
  /// Waits until the job is done: its prefix was followed exactly, then it went on as the job says; the first step of
  /// the prefix that was not possible ended it as Outcome::Diverged. The execution is the caller's; what `into` held
  /// before is replaced, and its memory used again. Jobs may be collected in any order, each once.
  virtual void collect(JobHandle handle, Execution& into) = 0;

  void run(const Job& job, Execution& into) { collect(submit(job), into); }
  Execution run(const Job& job) {
    Execution execution;
    run(job, execution);
    return execution;
  }

  /// All processes seen so far; an index below this number keeps its meaning for ever.
  virtual std::size_t process_count() const = 0;
  virtual std::string process_name(ProcessIndex process) const = 0;
  /// The process of this name, which is the same in every run of the tool; kNoProcess where there can be none.
  virtual ProcessIndex process_named(std::string_view name);
  /// An operation in words: `lock m`, `phil0 acq_fork0 (fork0: free -> held)`.
  virtual std::string describe(const Operation& operation) const = 0;
  /// The name of what it acts on: a variable, a server, a process; empty where it acts on nothing shared.
  virtual std::string object(const Operation& operation) const;
  /// Where in the code a site is, `queue.cpp:12 (push)`; empty for systems without code.
  virtual std::string source(std::uint64_t site) const;
  virtual CodePlace place(std::uint64_t site) const;
  /// The same execution for a report, after which the names of objects are those of this execution until the next run:
  /// where code of system headers performs an operation, its site is where the user's own code calls that, and objects
  /// on the heap are named after where they were allocated. May run it again.
  virtual Execution prepared_for_report(Execution execution) { return execution; }
};

}  // namespace mazurka
