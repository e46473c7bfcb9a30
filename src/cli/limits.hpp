// What a limit on the command line may be.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka::cli {

// Validators for CLI11: empty where the text is right, else what it should be.

/// Seconds: a number above 0, perhaps with a fraction.
std::string check_seconds(const std::string& text);
/// A whole number above 0.
std::string check_count(const std::string& text);
/// A whole number, 0 or more.
std::string check_natural(const std::string& text);
/// A number of explorers, 0 for one per processor.
std::string check_jobs(const std::string& text);

/// The number of explorers that this means.
std::uint32_t jobs_or_processors(std::uint32_t jobs);

}  // namespace mazurka::cli
