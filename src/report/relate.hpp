// Which steps of an execution directly happen after which of other processes, and which concern nobody else. An
// execution may be long: the time that this takes is in proportion to its length.
#pragma once

#include <cstddef>
#include <vector>

#include "core/execution.hpp"

namespace mazurka::report {

struct Relations {
  std::vector<std::vector<std::size_t>> causes;  ///< per event: those of other processes it directly happens after
  std::vector<char> alone;  ///< per event: no other process has one, or waits for one, that depends on it
};

Relations relate(const Execution& execution);

}  // namespace mazurka::report
