// mazurka cc and mazurka c++: drop-in compilers.
#pragma once

#include <optional>

namespace mazurka::cli {

/// The exit status, if the command line asks for a compiler: `mazurka cc …`, `mazurka c++ …`, `mazurka launch COMPILER
/// …`, or the binary under the name mazurka-cc or mazurka-c++. None of it is ours to parse.
std::optional<int> run_as_compiler(int argc, char** argv);

}  // namespace mazurka::cli
