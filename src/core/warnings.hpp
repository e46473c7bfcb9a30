// What was dubious in the executions of a system, and in how many of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

struct CountedWarning {
  std::uint32_t warning = 0;  ///< one bit kWarn…
  std::uint64_t executions = 0;
  Execution first;  ///< the first of them
};

class WarningCounts {
 public:
  void add(const Execution& execution);
  const std::vector<CountedWarning>& all() const { return all_; }
  std::vector<CountedWarning>& all() { return all_; }

 private:
  void add(std::uint32_t warning, const Execution& execution);

  std::vector<CountedWarning> all_;
};

}  // namespace mazurka
