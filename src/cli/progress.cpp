#include "cli/progress.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace mazurka::cli {
namespace {

/// Of the terminal that standard error goes to; 0 where that is not known.
std::size_t error_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

Progress::Progress(bool wanted)
    : active_(wanted && isatty(STDERR_FILENO) == 1), last_(std::chrono::steady_clock::now()) {}

std::string fitting(const std::string& line, std::size_t columns) {
  if (columns == 0 || line.size() < columns) return line;
  // Whole parts, which commas and blanks separate: a number must not lose its last digits.
  const std::size_t end = line.rfind(", ", columns - 1);
  return end == std::string::npos || end == 0 ? line.substr(0, columns - 1) : line.substr(0, end);
}

bool Progress::due() {
  if (!active_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(250)) return false;
  last_ = now;
  return true;
}

void Progress::show(const std::string& line) {
  // A line that wraps cannot be erased: the terminal would fill with its beginnings. The last column stays free, since
  // some terminals wrap as soon as it is written.
  fmt::print(stderr, "\r\x1b[K{}", fitting(line, error_width()));
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace mazurka::cli
