// Finds the programs that were built for the tests of this module, and compares their executions.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "program/executor.hpp"
#include "support/failure_key.hpp"

namespace mazurka::program {

inline Configuration configure(const std::string& family, const std::string& program,
                               std::vector<std::string> arguments = {}) {
  Configuration configuration;
  configuration.binary = fmt::format("{}/tests/programs/{}/{}", MAZURKA_BUILD_DIR, family, program);
  configuration.arguments = std::move(arguments);
  configuration.watchdog = std::chrono::milliseconds(5000);
  return configuration;
}

/// The output of the program, or its failure.
inline std::string output_or_failure(const Execution& execution) {
  return execution.failure ? testing::failure_key(execution) : execution.output;
}

/// All contents of an execution as bytes.
inline std::string bytes_of(const Execution& execution) {
  std::string bytes;
  const auto add = [&bytes](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (const Event& event : execution.events) {
    add(event.operation);
    for (const std::uint64_t field : {std::uint64_t{event.process}, std::uint64_t{event.alternative}, event.value,
                                      event.site, std::uint64_t{event.offers_begin}, std::uint64_t{event.offers_count}})
      add(field);
  }
  for (const auto* offers : {&execution.offers, &execution.pending})
    for (const Offer& offer : *offers) {
      add(offer.operation);
      for (const std::uint64_t field :
           {std::uint64_t{offer.process}, std::uint64_t{offer.alternative}, std::uint64_t{offer.enabled}, offer.site})
        add(field);
    }
  bytes += name(execution.outcome);
  bytes += testing::failure_key(execution);
  bytes += execution.output;
  return bytes;
}

}  // namespace mazurka::program
