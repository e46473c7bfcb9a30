// The warnings of an exploration, and the number of executions that have each.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

struct CountedWarning {
  std::uint32_t warning = 0;      ///< one bit kWarn…
  std::uint64_t executions = 0;   ///< in the current exploration
  std::uint64_t most_before = 0;  ///< the maximum over earlier explorations
  Execution first;                ///< the first execution that has it
};

class WarningCounts {
 public:
  void add(const Execution& execution);
  /// Those of other executions of the same exploration.
  void add(const WarningCounts& other);
  /// Starts counting anew: another exploration may repeat the same executions, which must not be counted twice.
  void begin_exploration();
  const std::vector<CountedWarning>& all() const { return all_; }
  std::vector<CountedWarning>& all() { return all_; }

 private:
  void add(std::uint32_t warning, const Execution& execution);

  std::vector<CountedWarning> all_;
};

}  // namespace mazurka
