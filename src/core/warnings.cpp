#include "core/warnings.hpp"

#include <algorithm>
#include <utility>

namespace mazurka {
namespace {

/// Whether the warning is about the same thing in both executions.
bool same_subject(std::uint32_t warning, const Execution& a, const Execution& b) {
  switch (warning) {
    case kWarnLeak: return a.leak == b.leak;
    case kWarnNotJoined: return a.unjoined == b.unjoined && a.unjoined_count == b.unjoined_count;
    default: return a.left_running == b.left_running;
  }
}

}  // namespace

void WarningCounts::add(const Execution& execution) {
  for (const std::uint32_t warning : {kWarnLeak, kWarnNotJoined, kWarnMainReturned})
    if ((execution.warnings & warning) != 0) add(warning, execution);
}

void WarningCounts::add(const WarningCounts& other) {
  for (const CountedWarning& counted : other.all_) {
    const auto known = std::ranges::find_if(all_, [&](const CountedWarning& own) {
      return own.warning == counted.warning && same_subject(counted.warning, own.first, counted.first);
    });
    if (known == all_.end()) {
      all_.push_back(counted);
      continue;
    }
    known->executions += counted.executions;
    known->most_before = std::max(known->most_before, counted.most_before);
  }
}

void WarningCounts::begin_exploration() {
  for (CountedWarning& counted : all_)
    counted.most_before = std::max(counted.most_before, std::exchange(counted.executions, 0));
}

void WarningCounts::add(std::uint32_t warning, const Execution& execution) {
  auto known = std::ranges::find_if(all_, [&](const CountedWarning& counted) {
    return counted.warning == warning && same_subject(warning, counted.first, execution);
  });
  if (known == all_.end()) known = all_.insert(known, {warning, 0, 0, execution});
  ++known->executions;
}

}  // namespace mazurka
