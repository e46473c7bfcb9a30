// How the tests of this module find the programs that were built for them.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "program/worker.hpp"

namespace mazurka::program {

inline Configuration configure(const std::string& family, const std::string& program,
                               std::vector<std::string> arguments = {}) {
  Configuration configuration;
  configuration.binary = fmt::format("{}/tests/programs/{}/{}", MAZURKA_BUILD_DIR, family, program);
  configuration.arguments = std::move(arguments);
  configuration.watchdog = std::chrono::milliseconds(5000);
  return configuration;
}

}  // namespace mazurka::program
