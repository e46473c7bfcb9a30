// The page of the manual, from the same table of commands and options as --help, so that it cannot be out of date.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace mazurka::cli {

/// mazurka(1), for man(1).
std::string manual(const CLI::App& app);

}  // namespace mazurka::cli
