#include "cli/manual.hpp"

#include <fmt/format.h>

#include "cli/cc.hpp"

namespace mazurka::cli {
namespace {

/// Text as roff wants it: a hyphen that is one, no line that begins with a command.
std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    if (c == '\n') result += "\\&";
  }
  return result;
}

std::string option(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames())
    names += fmt::format("{}\\fB\\-{}\\fR", names.empty() ? "" : ", ", name);
  for (const std::string& name : option.get_lnames())
    names += fmt::format("{}\\fB\\-\\-{}\\fR", names.empty() ? "" : ", ", escaped(name));
  if (names.empty()) names = fmt::format("\\fI{}\\fR", escaped(option.get_name()));
  // `TEXT:{a,b}` is what may be given.
  const std::string type = option.get_type_name();
  const bool takes_value = option.get_items_expected_max() != 0 && option.nonpositional();
  if (takes_value) {
    const std::size_t choice = type.find('{');
    names += choice == std::string::npos ? " \\fIvalue\\fR" : " " + escaped(type.substr(choice));
  }
  std::string text = option.get_description();
  if (takes_value && !option.get_default_str().empty()) text += fmt::format(" (default {})", option.get_default_str());
  return fmt::format(".TP\n{}\n{}\n", names, escaped(text));
}

/// The options of a command and of its groups.
std::string options(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* entry : command.get_options()) text += option(*entry);
  for (const CLI::App* group : command.get_subcommands([](const CLI::App* app) { return app->get_name().empty(); }))
    text += options(*group);
  return text;
}

std::string command(const CLI::App& command) {
  return fmt::format(".SS mazurka {}\n{}.\n{}", escaped(command.get_name()), escaped(command.get_description()),
                     options(command));
}

}  // namespace

std::string manual(const CLI::App& app) {
  std::string text =
      ".TH MAZURKA 1 \"\" \"mazurka " MAZURKA_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nmazurka \\- explore every behaviour of a concurrent system\n"
      ".SH SYNOPSIS\n"
      ".B mazurka check\n.RI [ options ] \" system\" \" [\" \\-\\- \" argument ...]\"\n.br\n"
      ".B mazurka replay\n.RI [ options ] \" schedule.mzk\"\n.br\n"
      ".B mazurka states\n.RI [ options ] \" network\"\n.br\n"
      ".B mazurka unfold\n.RI [ options ] \" net\"\n.br\n"
      ".B mazurka gen\n.I family number ...\n.br\n"
      ".B mazurka cc\n.RI | \" c++\" \" argument ...\"\n"
      ".SH DESCRIPTION\n"
      "Mazurka explores every behaviour of a C or C++ program with threads, of a network of automata or of a Petri net "
      "with read arcs, exactly once. It proves that there is no bug, or prints a schedule that exhibits one and can be "
      "replayed.\n"
      ".SH COMMANDS\n";
  const auto is_own = [](const CLI::App* entry) { return entry->get_group() != kCompilers; };
  for (const CLI::App* entry : app.get_subcommands(is_own)) text += command(*entry);
  text +=
      ".SS mazurka cc, mazurka c++\n"
      "Compile as gcc or clang would, for programs under test. Build systems take the names\n.B mazurka\\-cc\nand\n"
      ".BR mazurka\\-c++ .\nWith\n.B mazurka launch\n.I compiler argument ...\nthe compiler is chosen by the caller.\n"
      ".SH EXIT STATUS\n"
      ".TP\n.B 0\nevery behaviour was explored and none fails\n"
      ".TP\n.B 1\na bug was found\n"
      ".TP\n.B 2\nbad usage or input\n"
      ".TP\n.B 3\nincomplete: a limit, an interrupt, or a method that proves nothing\n"
      ".TP\n.B 4\nnondeterminism, or something that cannot be controlled\n"
      ".TP\n.B 70\ninternal error\n"
      ".SH ENVIRONMENT\n"
      ".TP\n.BR MAZURKA_CC \", \" MAZURKA_CXX\nthe compilers for programs under test; cc and c++ if not set\n"
      ".TP\n.B MAZURKA_RUNTIME\nthe folder of the runtime, if not where it was installed\n"
      ".TP\n.B COLUMNS\nthe width of reports\n"
      ".TP\n.B NO_COLOR\nno colours, not even on a terminal\n";
  return text;
}

}  // namespace mazurka::cli
