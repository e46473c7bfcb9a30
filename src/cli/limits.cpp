#include "cli/limits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <thread>

#include <fmt/format.h>

namespace mazurka::cli {
namespace {

template <typename Number>
bool read_number(const std::string& text, Number& into) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, into);
  return error == std::errc{} && stop == end;
}

constexpr double kMostSeconds = 1e9;  // thirty years; clocks count in 64-bit nanoseconds

}  // namespace

std::string check_seconds(const std::string& text) {
  double value = 0;
  const bool right = read_number(text, value) && std::isfinite(value) && value > 0 && value <= kMostSeconds;
  return right ? "" : fmt::format("'{}' is not a time: give a positive number of seconds, such as 2.5", text);
}

std::string check_natural(const std::string& text) {
  std::uint64_t value = 0;
  return read_number(text, value) ? "" : fmt::format("'{}' is not a whole number of 0 or more", text);
}

std::string check_count(const std::string& text) {
  std::uint64_t value = 0;
  return read_number(text, value) && value > 0 ? "" : fmt::format("'{}' is not a whole number of 1 or more", text);
}

std::string check_jobs(const std::string& text) {
  const bool number = !text.empty() && text.size() < 4 && text.find_first_not_of("0123456789") == std::string::npos;
  return number ? "" : "give a number of explorers below 1000, or 0 for one on each processor";
}

std::uint32_t jobs_or_processors(std::uint32_t jobs) {
  return jobs != 0 ? jobs : std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace mazurka::cli
