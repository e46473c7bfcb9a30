// mazurka replay: run one saved schedule again.
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/debugger.hpp"
#include "cli/intended_races.hpp"
#include "cli/newer_sources.hpp"
#include "cli/reports.hpp"
#include "cli/system.hpp"
#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "report/schedule_file.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string file;
  bool under_gdb = false;
  std::string system;  ///< instead of the one that the schedule names
  bool force = false;  ///< also a system that is not the one the schedule was saved for
  ReportOptions reports;
};

/// Makes the system's name meaningful: by going where it was checked, which also gives relative names in compiler
/// options and in the program their meaning back, or by finding it here or beside the schedule.
std::string find_system(const ReplayOptions& options, const report::ScheduleFile& schedule) {
  if (!options.system.empty()) return options.system;
  if (schedule.system == "-")
    throw InputError({options.file}, "the system came from standard input; name it with --system FILE");
  std::error_code error;
  const fs::path here = fs::current_path();
  const fs::path name = schedule.system;
  if (fs::is_regular_file(schedule.folder / name, error)) {
    if (fs::path(schedule.folder) != here && name.is_relative())
      fmt::print(stderr, "mazurka: note: replaying {}\n", (schedule.folder / name).lexically_normal().string());
    fs::current_path(schedule.folder, error);
    if (!error) return schedule.system;
  }
  if (fs::is_regular_file(name, error)) return schedule.system;
  const fs::path beside = fs::absolute(options.file).parent_path() / name.filename();
  if (fs::is_regular_file(beside, error)) return beside.string();
  throw InputError(
      {options.file},
      fmt::format("{} is neither in {}, where the schedule was saved, nor here, nor beside the schedule; name it "
                  "with --system FILE",
                  schedule.system, schedule.folder.empty() ? "the folder" : schedule.folder));
}

void run_replay(const ReplayOptions& options, Context& context) {
  const report::ScheduleFile schedule = report::read_schedule(read_input(options.file), options.file);
  // Files are written where the user is now, wherever the system is.
  ReportOptions reports = options.reports;
  for (std::string* file : {&reports.html, &reports.sarif, &reports.junit})
    if (!file->empty()) *file = fs::absolute(*file).string();
  SystemOptions system_options;
  system_options.input = find_system(options, schedule);
  system_options.any_clients = true;
  system_options.arguments = schedule.arguments;
  system_options.from_lines(schedule.options);
  std::optional<TemporaryFolder> scratch;  // for the debugger's script
  if (options.under_gdb) {
    if (context.json) throw InputError("--gdb and --json both want standard output");
    system_options.pass_output = true;
    system_options.debugger = debugger_words(scratch.emplace().path().string());
  }
  if (!options.force) system_options.expected_hash = schedule.hash;
  const std::unique_ptr<System> system = load_system(system_options);
  if (system->hash() != schedule.hash)
    fmt::print(stderr, "mazurka: note: {} has changed since this schedule was saved\n", system_options.input);
  const report::Replay replay = report::replay(system->executor(), system->names(), schedule, options.under_gdb);
  const Execution& execution = replay.execution;
  if (options.under_gdb && execution.outcome == Outcome::Stopped) return;  // left before the program ended

  report::Summary summary;
  summary.system = system_options.input;
  summary.version = MAZURKA_VERSION;
  summary.command = "replay";
  summary.result = execution.failure ? Result::Bug : Result::Ok;
  if (!replay.differences.empty()) summary.result = Result::Nondeterminism;
  report::Story story = report::tell(system->names(), system->prepared_for_report(execution));
  story.replay = "mazurka replay " + options.file;
  summary.statistics.executions = 1;
  summary.statistics.events = execution.events.size();
  summary.seconds = seconds_since_start();
  if (summary.result == Result::Bug) summary.errors.push_back(story);
  if (const std::string advice = race_advice(system->names(), execution);
      summary.result == Result::Bug && !advice.empty())
    summary.notes.push_back(advice);
  add_newer_sources(summary);
  write_reports(context, reports, summary);
  context.exit_code = exit_code(summary.result);
  if (context.json) {
    auto answer = to_json(summary);
    answer["differences"] = replay.differences;
    print_answer(answer);
    return;
  }
  if (context.quiet) return;
  fmt::print("{}", report::text(story, output_style()));
  for (const std::string& note : summary.notes) print_sentence("note: " + note);
  if (replay.differences.empty()) return;
  fmt::print("\nthe schedule behaves differently from when it was saved:\n");
  for (const std::string& difference : replay.differences) print_sentence("  " + difference);
}

}  // namespace

void register_replay(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "replay", "Run one saved schedule again");
  auto options = std::make_shared<ReplayOptions>();
  command->add_option("schedule", options->file, "A .mzk file that `mazurka check --save` wrote")->required();
  command->add_flag(
      "--gdb", options->under_gdb,
      "Run it under gdb up to the failure, with commands for the threads and steps of the report (MAZURKA_GDB names "
      "another gdb)");
  command->add_option("--system", options->system, "The program or network, if it has moved");
  command->add_flag("--force", options->force, "Replay even if the system has changed since the schedule was saved");
  add_report_options(*command, options->reports);
  command->callback([options, &context] { run_replay(*options, context); });
}

}  // namespace mazurka::cli
