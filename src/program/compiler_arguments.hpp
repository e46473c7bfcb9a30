// What the arguments of a compiler mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::program {

/// Whether the value of this option is the next word.
bool takes_value(std::string_view option);

/// Whether this is the name of a source in C or C++.
bool is_source(std::string_view file);

/// Whether this is the name of something that a compiler takes: a source, assembly, an object or a library.
bool is_compiler_input(std::string_view file);

/// Replaces @file by the words in it.
std::vector<std::string> expand_files(const std::vector<std::string>& arguments);

/// What a compiler command does.
struct CompilerCommand {
  std::vector<std::string> sources;  ///< empty where nothing is compiled
  bool links = false;
  bool assembles = false;  ///< makes objects, whether it links them or not
  bool shared = false;     ///< links, but not a program: a shared library or a relocatable object
  bool is_static = false;
};
CompilerCommand analyse(const std::vector<std::string>& arguments);

}  // namespace mazurka::program
