// What all subcommands share: the options of every command, how input is read, and how a result becomes an exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/interrupt.hpp"
#include "core/result.hpp"

namespace mazurka::cli {

/// One run of the program: what was asked of it, and what it will answer to the shell.
struct Context {
  bool json = false;
  bool stats = false;
  bool quiet = false;
  bool silent = false;                      ///< another rank says whatever there is to say (ranks.hpp)
  std::vector<std::string> compiler_words;  ///< given to `check` for the compiler (compiler_words.hpp)
  int exit_code = 0;
  double time_limit = 0;  ///< of a command that works on a model in memory; 0: none
  /// While a command is at work that has nothing to clean up; gone before it prints.
  std::optional<PromptEnd> prompt_end = std::nullopt;
  std::vector<std::string> unwritten;  ///< files besides the answer that could not be written, and why
};

// Each subcommand lives in the file of its name: it adds its options to `app` and a callback that does the work.
void register_check(CLI::App& app, Context& context);
void register_replay(CLI::App& app, Context& context);
void register_gen(CLI::App& app, Context& context);
void register_states(CLI::App& app, Context& context);
void register_unfold(CLI::App& app, Context& context);

/// Makes the subcommand `name` with the options that every subcommand has (--json, --stats, --quiet).
CLI::App* add_command(CLI::App& app, Context& context, const std::string& name, const std::string& description);

enum class Contents { Text, Bytes };

/// The whole of an input: a file, or standard input where the name is `-`. Throws InputError, also where it is too
/// large or not the text it should be.
std::string read_input(const std::string& file, Contents contents = Contents::Text);

/// How much a command may use that works on a model in memory.
struct LimitOptions {
  double seconds = 0;  ///< 0: as long as it takes
  std::uint64_t mebibytes = 0;
};
void add_limit_options(CLI::App& command, LimitOptions& options);
/// From now on the limits hold, and interrupts end the process promptly until `context.prompt_end` is reset.
void start_within(Context& context, const LimitOptions& options);

/// The keys that every JSON answer has: `result`, `seconds`, `peak_rss_kib`.
nlohmann::ordered_json json_frame(Result result);
/// Prints it on one line. Names and messages may hold any bytes: those that are not UTF-8 are replaced.
void print_answer(const nlohmann::ordered_json& answer);

long peak_rss_kib();
double seconds_since_start();

}  // namespace mazurka::cli
