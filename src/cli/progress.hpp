// The progress line: on a terminal only, a few times a second, erased before anything else is printed.
#pragma once

#include <chrono>
#include <string>

#include "report/counted.hpp"

namespace mazurka::cli {

class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// True a few times a second if there is a terminal to write to: time for a new line of text.
  bool due();
  void show(const std::string& line);
  void clear();

 private:
  bool active_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// The line, or as many of its parts, which commas separate, as fit on a terminal of so many columns (0: not known).
std::string fitting(const std::string& line, std::size_t columns);

using report::counted;
using report::grouped;

}  // namespace mazurka::cli
