// A native program as a system to explore: schedules go to a worker process, executions come back.
//
// Every record of an execution that repeats an earlier one is compared with it: up to the first step where two
// schedules differ, everything must be the same, or the program has a source of nondeterminism that is not under
// control. The execution is then reported as Outcome::Diverged with both events.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/executor.hpp"
#include "core/process_table.hpp"
#include "program/worker.hpp"

namespace mazurka::program {

/// What is dubious, and in how many executions.
using Warnings = std::map<std::string, std::uint64_t, std::less<>>;

class ProgramExecutor : public Executor {
 public:
  explicit ProgramExecutor(Configuration configuration);

  const Execution& run(const Job& job) override;
  /// The worker starts at once.
  void begin(const Job& job) override;
  void take_turns() override { worker_.take_turns(); }
  std::size_t process_count() const override { return processes_.size(); }
  std::string process_name(ProcessIndex process) const override { return processes_.path(process); }
  /// Before the first run this makes the process known, so that a schedule from a file can name threads that do not
  /// exist yet.
  ProcessIndex process_named(std::string_view path) override;
  std::string describe(const Operation& operation) const override;
  std::string object(const Operation& operation) const override;
  std::string source(std::uint64_t site) const override { return site != 0 && site_namer_ ? site_namer_(site) : ""; }
  CodePlace place(std::uint64_t site) const override { return site != 0 && placer_ ? placer_(site) : CodePlace{}; }

  /// As run(), and the first events must be these: for schedules that come from a file.
  const Execution& run_expecting(const Job& job, std::span<const Event> expected);

  /// How objects and places are named in texts. Without, an object is its address and a place an offset in the program.
  /// An empty answer means "not known".
  using Namer = std::function<std::string(std::uint64_t)>;
  void name_objects(Namer namer) { object_namer_ = std::move(namer); }  ///< takes an address, see load_base()
  void name_sites(Namer namer) { site_namer_ = std::move(namer); }      ///< takes a site: relative to the load base
  using Placer = std::function<CodePlace(std::uint64_t)>;
  void place_sites(Placer placer) { placer_ = std::move(placer); }
  /// The function that a site belongs to.
  using Encloser = std::function<protocol::CodeRange(std::uint64_t)>;
  void enclose_sites(Encloser encloser) { encloser_ = std::move(encloser); }
  Execution prepared_for_report(Execution execution) override;

  /// What the program printed in the last execution, standard output and standard error in their order.
  std::string_view output() const;
  /// Bits of the last execution: protocol::kWarn….
  std::uint32_t warnings() const { return worker_.channel().warnings; }
  /// What was dubious in any execution so far, and in how many.
  const Warnings& all_warnings() const { return all_warnings_; }
  /// What the program would have returned to the shell.
  int exit_status() const { return worker_.channel().exit_status; }
  /// Where the last execution failed: a site, 0 if not known.
  std::uint64_t error_site() const { return worker_.channel().error_site; }
  /// Where the image of the program is loaded, the same in every worker: address - load_base() is its symbol's value.
  std::uint64_t load_base() const { return worker_.channel().load_base; }
  /// Where the frame of main begins, which also is the same everywhere.
  std::uint64_t main_frame() const { return worker_.channel().main_frame; }

  const std::string& binary() const { return worker_.configuration().binary; }
  const Configuration& configuration() const { return worker_.configuration(); }
  Worker& worker() { return worker_; }

 private:
  void complete(const Job& job, std::span<const Event> expected, bool requested);
  void write_job(const Job& job);
  std::optional<std::string> read_execution(bool answered, std::span<const Step> prefix);
  void read_processes();
  void read_footprints();
  /// The number of a section's footprint in this process for that in the segment, and back.
  void translate(Operation& operation) const;
  void translate_back(Operation& operation) const;
  ProcessIndex announce(ProcessIndex parent, std::uint32_t ordinal);
  void read_error();
  void report_death(Handover handover);
  void report_deadlock();
  void read_warnings();
  std::string finding_text() const;
  std::string leak_text() const;
  void add_use(std::string& text, const protocol::UseRecord& use, const char* when) const;
  void add_stack(std::string& text, const protocol::CallStack& stack) const;
  void add_block(std::string& text) const;
  void diverge(const std::string& message);
  std::string difference_text(std::size_t index, const Event& before, const Event& now) const;
  std::string describe_event(const Event& event) const;
  /// Sees to it that sites of this execution in system headers are passed over. Whether there are new ones.
  bool pass_over(const Execution& execution);
  /// An address in a known block of the heap; empty where there is none.
  std::string heap_text(std::uint64_t address) const;
  std::string object_text(std::uint64_t address) const;
  std::string site_text(std::uint64_t site) const;

  Worker worker_;
  ProcessTable processes_;
  std::vector<std::uint64_t> footprints_;  ///< by their numbers in the segment
  std::unordered_map<std::uint64_t, std::uint64_t> footprint_numbers_;
  Execution execution_;
  bool is_latest_ = false;  ///< that is what the worker answered last
  // A job that was begun, and what came of it where another one was run in between.
  std::optional<Job> begun_;
  std::vector<Step> begun_prefix_;
  std::vector<Sleeper> begun_sleep_;
  Execution ahead_;
  bool is_ahead_ = false;
  Namer object_namer_;
  Namer site_namer_;
  Placer placer_;
  Encloser encloser_;
  std::vector<protocol::HeapBlock> blocks_;  ///< of the execution that is being shown, in the order of their addresses
  Warnings all_warnings_;
};

}  // namespace mazurka::program
