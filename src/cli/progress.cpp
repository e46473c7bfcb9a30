#include "cli/progress.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace mazurka::cli {

Progress::Progress(bool wanted)
    : active_(wanted && isatty(STDERR_FILENO) == 1), last_(std::chrono::steady_clock::now()) {}

bool Progress::due() {
  if (!active_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(250)) return false;
  last_ = now;
  return true;
}

void Progress::show(const std::string& line) {
  fmt::print(stderr, "\r\x1b[K{}", line);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

std::string grouped(unsigned long long number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace mazurka::cli
