// mazurka cc and mazurka c++: drop-in compilers.
#pragma once

#include <optional>

#include <CLI/CLI.hpp>

namespace mazurka::cli {

inline constexpr const char* kCompilers = "Compilers";

/// Lists the compilers among the commands, for --help.
void register_compilers(CLI::App& app);

/// The exit status, if the command line asks for a compiler: `mazurka cc …`, `mazurka c++ …`, `mazurka launch COMPILER
/// …`, or the binary under the name mazurka-cc or mazurka-c++. None of it is ours to parse.
std::optional<int> run_as_compiler(int argc, char** argv);

}  // namespace mazurka::cli
