// What `check` and `replay` say at the end: on the terminal, as JSON, and in files.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "report/canvas.hpp"
#include "report/summary.hpp"

namespace mazurka::cli {

struct ReportOptions {
  std::string sarif;
  std::string junit;
  std::string html;
};

void add_report_options(CLI::App& command, ReportOptions& options);

/// The width of the terminal (COLUMNS overrides it), and colours if standard output is one and NO_COLOR is not set.
report::Style output_style();
/// A message as it fits the terminal, if standard error is one.
std::string as_message(const std::string& text);
/// Prints a sentence, or lines of such, as they fit the terminal.
void print_sentence(const std::string& text);

/// The errors, each with the command that runs it again.
void print_errors(const report::Summary& summary);
/// The keys that `check` and `replay` have in common.
nlohmann::ordered_json to_json(const report::Summary& summary);
/// `reason`, `message`, `advice` of each: the key `incomplete`.
nlohmann::ordered_json to_json(const std::vector<report::Incompleteness>& reasons);
/// The files that were asked for. What cannot be written does not stand in the way of the answer.
void write_reports(Context& context, const ReportOptions& options, const report::Summary& summary);

}  // namespace mazurka::cli
