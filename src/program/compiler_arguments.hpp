// Interprets compiler arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::program {

/// Whether the next word is the value of this option.
bool takes_value(std::string_view option);

/// Whether this is the name of a C or C++ source.
bool is_source(std::string_view file);

/// Whether this is the name of a compiler input: a source, assembly, an object or a library.
bool is_compiler_input(std::string_view file);

/// Replaces response files (@file) by their words.
std::vector<std::string> expand_files(const std::vector<std::string>& arguments);

/// What a compiler command does.
struct CompilerCommand {
  std::vector<std::string> sources;  ///< empty if nothing is compiled
  bool links = false;
  bool assembles = false;  ///< creates objects, whether it links them or not
  bool shared = false;     ///< links, but not a program: a shared library or a relocatable object
  bool is_static = false;
};
CompilerCommand analyse(const std::vector<std::string>& arguments);

}  // namespace mazurka::program
