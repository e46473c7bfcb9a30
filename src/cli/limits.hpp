// What a limit on the command line may be.
#pragma once

#include <string>

namespace mazurka::cli {

// Validators for CLI11: empty where the text is right, else what it should be.

/// Seconds: a number above 0, perhaps with a fraction.
std::string check_seconds(const std::string& text);
/// A whole number above 0.
std::string check_count(const std::string& text);
/// A whole number, 0 or more.
std::string check_natural(const std::string& text);

}  // namespace mazurka::cli
