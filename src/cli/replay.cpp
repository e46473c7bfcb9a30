// mazurka replay: run one saved schedule again.
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/system.hpp"
#include "core/error.hpp"
#include "program/command_line.hpp"
#include "report/json.hpp"
#include "report/schedule_file.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

/// gdb, or what MAZURKA_GDB says, told to stop where the program fails.
std::vector<std::string> debugger() {
  const char* variable = std::getenv("MAZURKA_GDB");
  std::vector<std::string> words = program::split_words(variable == nullptr || *variable == 0 ? "gdb" : variable);
  if (words.empty()) throw InputError("MAZURKA_GDB must name a debugger");
  const std::vector<std::string> first = {"-q", "-ex", "set breakpoint pending on", "-ex", "break mazurka_failed"};
  words.insert(words.begin() + 1, first.begin(), first.end());
  words.emplace_back("--args");
  return words;
}

void run(const std::string& file, bool under_gdb, Context& context) {
  const report::ScheduleFile schedule = report::read_schedule(read_input(file), file);
  SystemOptions options;
  options.input = schedule.system;
  options.arguments = schedule.arguments;
  options.from_lines(schedule.options);
  options.pass_output = !context.json && !context.quiet;
  if (under_gdb) {
    if (context.json) throw InputError("--gdb and --json both want standard output");
    options.pass_output = true;
    options.debugger = debugger();
  }
  const std::unique_ptr<System> system = load_system(options);
  Executor& executor = system->executor();
  if (system->hash() != schedule.hash)
    fmt::print(stderr, "mazurka: note: {} has changed since this schedule was saved\n", schedule.system);
  const report::Replay replay = report::replay(executor, schedule);
  const Execution& execution = *replay.execution;
  if (under_gdb && execution.outcome == Outcome::Stopped) return;  // left before the program ended

  Result result = execution.error_kind.empty() ? Result::Ok : Result::Bug;
  if (!replay.differences.empty()) result = Result::Nondeterminism;
  context.exit_code = exit_code(result);
  if (context.json) {
    auto answer = json_frame(result);
    answer["errors"] = nlohmann::ordered_json::array();
    if (result == Result::Bug) answer["errors"].push_back(report::json(executor, execution, "mazurka replay " + file));
    answer["differences"] = replay.differences;
    fmt::print("{}\n", answer.dump());
    return;
  }
  fmt::print("{}", report::text(executor, execution));
  if (replay.differences.empty()) return;
  fmt::print("\nthe schedule does not do what it did when it was saved:\n");
  for (const std::string& difference : replay.differences) fmt::print("  {}\n", difference);
}

}  // namespace

void register_replay(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "replay", "Run one saved schedule again");
  auto file = std::make_shared<std::string>();
  command->add_option("schedule", *file, "A .mzk file that `mazurka check --save` wrote")->required();
  auto under_gdb = std::make_shared<bool>(false);
  command->add_flag("--gdb", *under_gdb,
                    "Under gdb, which stops where the program fails (MAZURKA_GDB: another command for it)");
  command->callback([file, under_gdb, &context] { run(*file, *under_gdb, context); });
}

}  // namespace mazurka::cli
