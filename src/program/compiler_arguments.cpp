#include "program/compiler_arguments.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "program/command_line.hpp"

namespace mazurka::program {
namespace {

using Words = std::vector<std::string>;

constexpr std::array kWithValue = {"-o",
                                   "-I",
                                   "-L",
                                   "-l",
                                   "-D",
                                   "-U",
                                   "-x",
                                   "-MF",
                                   "-MT",
                                   "-MQ",
                                   "-include",
                                   "-imacros",
                                   "-isystem",
                                   "-idirafter",
                                   "-T",
                                   "-Xlinker",
                                   "-Xclang",
                                   "-Xassembler",
                                   "-mllvm",
                                   "-iquote",
                                   "-u",
                                   "-z",
                                   "-arch",
                                   "-target",
                                   "-isysroot",
                                   "-iprefix",
                                   "-iwithprefix",
                                   "-e",
                                   "-Xpreprocessor",
                                   "--param",
                                   "-aux-info",
                                   "-dumpbase",
                                   "-dumpdir"};

}  // namespace

bool takes_value(std::string_view option) {
  return std::find(kWithValue.begin(), kWithValue.end(), option) != kWithValue.end();
}

bool is_source(std::string_view file) {
  const auto dot = file.rfind('.');
  if (dot == std::string_view::npos) return false;
  constexpr std::array kEndings = {"c", "i", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"};
  return std::find(kEndings.begin(), kEndings.end(), file.substr(dot + 1)) != kEndings.end();
}

bool is_compiler_input(std::string_view file) {
  constexpr std::array kEndings = {".s", ".S", ".sx", ".o", ".a", ".so"};
  return is_source(file) ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return file.ends_with(ending); });
}

Words expand_files(const Words& arguments) {
  Words result;
  for (const std::string& argument : arguments) {
    std::ifstream file(argument.size() > 1 && argument[0] == '@' ? argument.substr(1) : std::string());
    if (!file.is_open()) {
      result.push_back(argument);
      continue;
    }
    std::ostringstream text;
    text << file.rdbuf();
    for (std::string& word : expand_files(split_words(text.str()))) result.push_back(std::move(word));
  }
  return result;
}

CompilerCommand analyse(const Words& arguments) {
  CompilerCommand command;
  bool inputs = false;
  bool stops_early = false;
  bool explicit_language = false;
  bool makes_objects = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty()) continue;
    if (argument == "-c" || argument == "-S" || argument == "-E" || argument == "-M" || argument == "-MM" ||
        argument == "-fsyntax-only" || argument == "--precompile") {
      stops_early = true;
      makes_objects = makes_objects && argument == "-c";
    }
    if (argument == "-shared" || argument == "--shared" || argument == "-r")
      command.shared = true;
    else if (argument == "-static" || argument == "--static" || argument == "-static-pie")
      command.is_static = true;
    else if (argument == "-x" && i + 1 < arguments.size())
      explicit_language = arguments[i + 1] != "none";
    if (takes_value(argument)) {
      if (argument == "-l") inputs = true;
      ++i;
    } else if (argument[0] != '-' || argument == "-") {
      inputs = true;
      if (explicit_language || is_source(argument)) command.sources.push_back(argument);
    }
  }
  command.links = inputs && !stops_early;
  command.assembles = inputs && makes_objects;
  return command;
}

}  // namespace mazurka::program
