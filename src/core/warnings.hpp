// What was dubious in the executions of a system, and in how many of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

struct CountedWarning {
  std::uint32_t warning = 0;      ///< one bit kWarn…
  std::uint64_t executions = 0;   ///< of the last exploration
  std::uint64_t most_before = 0;  ///< the most of one before it
  Execution first;                ///< the first of them
};

class WarningCounts {
 public:
  void add(const Execution& execution);
  /// Those of another executor, of other executions.
  void add(const WarningCounts& other);
  /// The same executions may come again, and are not to be counted twice.
  void begin_exploration();
  const std::vector<CountedWarning>& all() const { return all_; }
  std::vector<CountedWarning>& all() { return all_; }

 private:
  void add(std::uint32_t warning, const Execution& execution);

  std::vector<CountedWarning> all_;
};

}  // namespace mazurka
