// Whatever a user hands over to be explored: a network, a source file to compile, or a program built with `mazurka cc`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/rank_report.hpp"
#include "core/executor.hpp"
#include "core/names.hpp"
#include "core/warnings.hpp"
#include "program/executor.hpp"
#include "program/protocol.hpp"
#include "program/suppressions.hpp"
#include "program/unseen.hpp"

namespace mazurka::cli {

/// What an execution depends on, besides the schedule: kept in `.mzk` files.
struct SystemOptions {
  std::string input;
  std::vector<std::string> arguments;
  std::string plain = "check";
  std::string isolation = "memory";
  std::string exit = "threads";
  std::string exit_status = "check";
  bool spurious_wakeups = false;
  std::string waiting = "reduce";
  std::vector<protocol::Wait> waits;  ///< of an exploration that found the schedule
  bool strict = false;
  std::string nondet;  ///< `lo..hi`: what __VERIFIER_nondet_ functions return unless the program says; empty: nothing
  std::string suppressions;  ///< a file of them; empty: none
  std::string cflags;        ///< words for the compiler, further sources among them
  double watchdog = 10;      ///< seconds
  bool pass_output = false;
  bool any_clients = false;      ///< those of a network may be cyclic
  bool states = false;           ///< executions are to say what steps change (core/state_hash.hpp)
  bool exact = false;            ///< then: also without hashing (core/state_difference.hpp)
  bool lockstep = false;         ///< the explorer submits nothing early (program::Configuration)
  std::uint32_t explorers = 1;   ///< at the same time
  std::uint32_t ranks_here = 1;  ///< on this machine
  std::shared_ptr<program::ProcessRegistry> registry;  ///< of all ranks; null: there are no others
  std::vector<std::string> debugger;                   ///< the words that start it
  std::string zygote;         ///< where the workers for a closure come from; empty: the input is started
  std::string expected_hash;  ///< of the system; empty: whatever it is

  /// `name=value` for each option that is not at its default, and back.
  std::vector<std::string> to_lines() const;
  void from_lines(const std::vector<std::string>& lines);
};

void add_system_options(CLI::App& command, SystemOptions& options);

class System {
 public:
  virtual ~System() = default;
  virtual Executor& executor() = 0;
  virtual const Names& names() const = 0;
  /// One for each explorer. With a single one that is executor(); else executor() must not be used meanwhile.
  virtual std::vector<Executor*> executors() = 0;
  /// Makes names() know what the executors of explorers have met. \pre Names are not used meanwhile.
  virtual void refresh() {}
  virtual bool is_program() const { return false; }
  /// Of all bytes that make the system: tells whether a schedule still belongs to it.
  virtual std::string hash() const = 0;
  /// What was dubious in the executions so far, and in how many of them.
  virtual WarningCounts warnings() const { return {}; }
  /// Another exploration begins: what it finds dubious is counted by itself.
  virtual void begin_exploration() { ++explorations_begun_; }
  std::uint64_t explorations_begun() const { return explorations_begun_; }
  /// Nothing is explored any more: executor() takes over what explorers have learnt.
  virtual void end_exploration() {}
  /// What executions have shown of a program. \pre No explorer is at work.
  virtual std::optional<program::ProgramExecutor::Knowledge> knowledge() { return std::nullopt; }
  /// Of a program that several ranks explore: takes over what another knows, and what this one has found out.
  virtual void learn(const program::ProgramExecutor::Knowledge&) {}
  virtual std::optional<RankReport> rank_report() { return std::nullopt; }
  /// At rank 0: what another has found out, instead of what it said before. From now on it belongs to what the system
  /// says of itself.
  virtual void set_rank_report(std::uint32_t /*rank*/, RankReport /*report*/) {}
  /// Takes over what an earlier process knew. \pre Nothing was executed.
  virtual void restore(const program::ProgramExecutor::Knowledge&) {}
  virtual void restore_warnings(const WarningCounts&) {}
  /// The same execution with all that a report needs of it. May run it again.
  virtual Execution prepared_for_report(Execution execution) { return execution; }
  /// Where threads were found to wait in loops.
  virtual std::vector<protocol::Wait> waits() const { return {}; }
  /// Whether long waits were taken to outlast everything else (docs/messages.md, Time).
  virtual bool has_long_waits() const { return false; }
  /// The goals that it has declared, and whether they were reached.
  virtual std::vector<program::ProgramExecutor::Goal> goals() const { return {}; }
  /// Data races that were found and are intended: of executions so far.
  virtual std::vector<protocol::IntendedRace> intended_races() const { return {}; }
  /// What IntendedRace::rule numbers.
  virtual std::vector<program::Suppression> suppressions() const { return {}; }
  /// Code of a program that is not seen.
  virtual program::UnseenCode unseen() const { return {}; }

 private:
  std::uint64_t explorations_begun_ = 0;
};

/// Throws InputError, before anything is compiled or run if the system has another hash than the expected one, and with
/// the compiler's own words on standard error where a source does not compile.
std::unique_ptr<System> load_system(const SystemOptions& options);

}  // namespace mazurka::cli
