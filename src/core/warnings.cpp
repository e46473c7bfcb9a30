#include "core/warnings.hpp"

#include <algorithm>

namespace mazurka {

void WarningCounts::add(const Execution& execution) {
  if ((execution.warnings & kWarnLeak) != 0) add(kWarnLeak, execution.leak);
  for (const std::uint32_t warning : {kWarnNotJoined, kWarnMainReturned})
    if ((execution.warnings & warning) != 0) add(warning, {});
}

void WarningCounts::add(std::uint32_t warning, const LeakedBlocks& leak) {
  auto known = std::ranges::find_if(
      all_, [&](const CountedWarning& counted) { return counted.warning == warning && counted.leak == leak; });
  if (known == all_.end()) known = all_.insert(known, {warning, leak, 0});
  ++known->executions;
}

}  // namespace mazurka
