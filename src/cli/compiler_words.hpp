// What `mazurka check a.c b.c -O2 -Iinclude -- 3` holds for the compiler: options with one dash, which are never ours,
// and the sources after the first.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace mazurka::cli {

struct CheckWords {
  std::vector<std::string> own;       ///< of `check` itself, with `--` and the program's arguments
  std::vector<std::string> compiler;  ///< in their order
};

/// \pre `words` follow the name of `command`. Throws InputError where an option of ours was given with one dash.
CheckWords split_check_words(const CLI::App& command, const std::vector<std::string>& words);

}  // namespace mazurka::cli
