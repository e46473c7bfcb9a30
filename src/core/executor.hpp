// The only way an explorer touches a system: hand over a schedule, get the whole execution back.
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

  /// Follows the prefix exactly, then goes on as the job says. The result stays valid until the next call. The first
  /// step of the prefix that is not possible ends the execution as Outcome::Diverged.
  virtual const Execution& run(const Job& job) = 0;

  /// Says that the job will be run, with Job::begun set and perhaps after others: an executor with a processor of its
  /// own may start with it.
  virtual void begin(const Job&) {}

  /// Says that nothing will be begun ahead: the explorer and the system work in turns, and one processor will do.
  virtual void take_turns() {}

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
