// mazurka replay: run one saved schedule again.
#include <cstdio>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/reports.hpp"
#include "cli/system.hpp"
#include "core/error.hpp"
#include "report/schedule_file.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

struct Options {
  std::string file;
  ReportOptions reports;
};

void run(const Options& options, Context& context) {
  const report::ScheduleFile schedule = report::read_schedule(read_input(options.file), options.file);
  SystemOptions system_options;
  system_options.input = schedule.system;
  system_options.arguments = schedule.arguments;
  system_options.from_lines(schedule.options);
  system_options.pass_output = !context.json && !context.quiet;
  const std::unique_ptr<System> system = load_system(system_options);
  Executor& executor = system->executor();
  if (system->hash() != schedule.hash)
    fmt::print(stderr, "mazurka: note: {} has changed since this schedule was saved\n", schedule.system);
  const report::Replay replay = report::replay(executor, schedule);
  const Execution& execution = *replay.execution;

  report::Verdict verdict;
  verdict.system = schedule.system;
  verdict.version = MAZURKA_VERSION;
  verdict.command = "replay";
  verdict.result = execution.error_kind.empty() ? Result::Ok : Result::Bug;
  if (!replay.differences.empty()) verdict.result = Result::Nondeterminism;
  report::Story story = report::tell(executor, execution);
  story.replay = "mazurka replay " + options.file;
  verdict.statistics.executions = 1;
  verdict.statistics.events = execution.events.size();
  verdict.seconds = seconds_since_start();
  if (verdict.result == Result::Bug) verdict.errors.push_back(story);
  write_reports(options.reports, verdict);
  context.exit_code = exit_code(verdict.result);
  if (context.json) {
    auto answer = to_json(verdict);
    answer["differences"] = replay.differences;
    fmt::print("{}\n", answer.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  fmt::print("{}", report::text(story, output_style()));
  if (replay.differences.empty()) return;
  fmt::print("\nthe schedule does not do what it did when it was saved:\n");
  for (const std::string& difference : replay.differences) fmt::print("  {}\n", difference);
}

}  // namespace

void register_replay(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "replay", "Run one saved schedule again");
  auto options = std::make_shared<Options>();
  command->add_option("schedule", options->file, "A .mzk file that `mazurka check --save` wrote")->required();
  add_report_options(*command, options->reports);
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace mazurka::cli
