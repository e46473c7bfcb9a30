// What all subcommands share: the options of every command, how input is read, and how a verdict becomes an exit code.
#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace mazurka::cli {

/// One run of the program: what was asked of it, and what it will answer to the shell.
struct Context {
  bool json = false;
  bool stats = false;
  bool quiet = false;
  int exit_code = 0;
};

// Each subcommand lives in the file of its name: it adds its options to `app` and a callback that does the work.
void register_check(CLI::App& app, Context& context);
void register_replay(CLI::App& app, Context& context);
void register_gen(CLI::App& app, Context& context);
void register_states(CLI::App& app, Context& context);
void register_unfold(CLI::App& app, Context& context);

/// Makes the subcommand `name` with the options that every subcommand has (--json, --stats, --quiet).
CLI::App* add_command(CLI::App& app, Context& context, const std::string& name, const std::string& description);

/// The whole of an input: a file, or standard input where the name is `-`. Throws InputError.
std::string read_input(const std::string& file);

/// Writes a whole file or throws InputError; nothing is left behind when it fails.
void write_output(const std::string& file, const std::string& text);

/// The keys that every JSON answer has: `result`, `seconds`, `peak_rss_kib`.
nlohmann::ordered_json json_frame(Result result);

long peak_rss_kib();
double seconds_since_start();

}  // namespace mazurka::cli
