// A failure as text that is equal for equal failures only: kind, detail, and how many wait in a deadlock.
#pragma once

#include <set>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/execution.hpp"

namespace mazurka::testing {

class FailureKey {
 public:
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const GivenWords& words) const { return words; }
  std::string operator()(const MemoryClash& clash) const {
    return fmt::format("{:#x}: {}, {}, {}", clash.address, key(clash.now), key(clash.before), key(clash.block));
  }
  std::string operator()(const LeakedBlocks& leak) const {
    return fmt::format("{} blocks, {}", leak.count, key(leak.first));
  }
  std::string operator()(const ObjectMisuse& misuse) const {
    return fmt::format("object {} {:#x} of {}", static_cast<int>(misuse.kind), misuse.object, misuse.holder);
  }
  std::string operator()(const BlockedAlone& blocked) const {
    return fmt::format("{}{}", name(blocked.operation), blocked.in_section ? " in a section" : "");
  }
  std::string operator()(const RaisedSignal& raised) const {
    return fmt::format("{} at {:#x}", raised.number, raised.address);
  }
  std::string operator()(const ProcessDeath& death) const { return to_string(death); }
  std::string operator()(const StuckInSystemCall& call) const { return call.name; }
  std::string operator()(const WithoutProgress& loop) const {
    return fmt::format("{} ms{}", loop.milliseconds, loop.in_plain_loop ? " in a plain loop" : "");
  }
  std::string operator()(const Difference& difference) const {
    return fmt::format("event {} was {}, is {}", difference.index, key(difference.before), key(difference.now));
  }
  std::string operator()(const ImpossibleStep& step) const {
    return fmt::format("step {} ({}, {})", step.index, step.process, step.alternative);
  }

 private:
  static std::string key(const MemoryUse& use) {
    return fmt::format("use {} of {} by {} at {}", static_cast<int>(use.use), use.bytes, use.process,
                       fmt::join(use.stack, "<"));
  }
  static std::string key(const AllocatedBlock& block) {
    return fmt::format("block {:#x} of {} by {} at {}", block.address, block.bytes, block.process,
                       fmt::join(block.stack, "<"));
  }
  static std::string key(const Event& event) {
    return fmt::format("{} {} {} = {} at {}", event.process, name(event.operation.kind), event.operation.object,
                       event.observed(), event.site);
  }
};

/// What is to be known of a failure besides its kind.
inline std::string failure_detail(const Execution& execution) {
  std::string text = std::visit(FailureKey(), execution.failure.detail);
  if (execution.failure.kind == FailureKind::ExitStatus)
    return fmt::format("{} {}", execution.failure.process == kNoProcess ? "returned" : "exit", execution.exit_status);
  if (execution.outcome != Outcome::Deadlock) return text;
  std::set<ProcessIndex> waiting;
  for (const Offer& offer : execution.pending) waiting.insert(offer.process);
  return fmt::format("{}{} wait", text, waiting.size());
}

/// `exit-status: returned 3`
inline std::string failure_key(const Execution& execution) {
  return fmt::format("{}: {}", name(execution.failure.kind), failure_detail(execution));
}

}  // namespace mazurka::testing
