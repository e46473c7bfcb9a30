// Profiles an exploration: sums up ticks per block of code and converts them to shares of the total time.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/ticks.hpp"

namespace mazurka {

/// Adds the ticks until the end of its scope.
class Stopwatch {
 public:
  explicit Stopwatch(std::uint64_t& sum) : sum_(sum) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { sum_ += ticks() - start_; }

 private:
  std::uint64_t& sum_;
  std::uint64_t start_ = ticks();
};

/// Converts ticks to seconds, calibrated over its own lifetime.
class TickScale {
 public:
  double seconds(std::uint64_t sum) const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return elapsed.count() * static_cast<double>(sum) / static_cast<double>(ticks() - start_ticks_);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t start_ticks_ = ticks();
};

}  // namespace mazurka
