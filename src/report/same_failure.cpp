#include "report/same_failure.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace mazurka::report {
namespace {

class FailureComparison {
 public:
  FailureComparison(const Names& names, const Failure& a, const Failure& b) : names_(names), a_(a), b_(b) {}

  bool run() const {
    if (a_.kind != b_.kind || a_.detail.index() != b_.detail.index()) return false;
    return std::visit(
        [this](const auto& detail) { return same(detail, std::get<std::decay_t<decltype(detail)>>(b_.detail)); },
        a_.detail);
  }

 private:
  // What kind and words say is all there is.
  static bool same(const std::monostate&, const std::monostate&) { return true; }
  static bool same(const GivenWords& a, const GivenWords& b) { return a == b; }
  static bool same(const Difference& a, const Difference& b) {
    return a.index == b.index && same(a.before, b.before) && same(a.now, b.now);
  }
  static bool same(const Event& a, const Event& b) {
    return a.process == b.process && a.operation == b.operation && a.observed() == b.observed() && a.site == b.site;
  }
  static bool same(const ImpossibleStep& a, const ImpossibleStep& b) { return a == b; }

  static bool same(const BlockedAlone& a, const BlockedAlone& b) { return a == b; }
  static bool same(const RaisedSignal& a, const RaisedSignal& b) { return a == b; }

  // These are about the thread that was running.
  bool same(const ObjectMisuse& a, const ObjectMisuse& b) const {
    return a.kind == b.kind && a.holder == b.holder && a_.process == b_.process &&
           (a.object == b.object || names_.variable(a.object, {}) == names_.variable(b.object, {}));
  }
  bool same(const ProcessDeath& a, const ProcessDeath& b) const { return a == b && a_.process == b_.process; }
  bool same(const StuckInSystemCall& a, const StuckInSystemCall& b) const { return a == b && a_.process == b_.process; }
  bool same(const WithoutProgress& a, const WithoutProgress& b) const { return a == b && a_.process == b_.process; }

  bool same(const MemoryClash& a, const MemoryClash& b) const {
    if (!same(a.now, b.now) || !same(a.before, b.before)) return false;
    if (a.block.address != 0 || b.block.address != 0)
      return a.address == b.address && a.block.address == b.block.address && same(a.block, b.block);
    // Outside the heap an object is known by its name. One that is freed or beyond the heap has none.
    return a.before.use == Use::None || a.before.use == Use::Free || a.address == b.address ||
           names_.variable(a.address, {}) == names_.variable(b.address, {});
  }

  bool same(const LeakedBlocks& a, const LeakedBlocks& b) const { return a.count == b.count && same(a.first, b.first); }

  bool same(const MemoryUse& a, const MemoryUse& b) const {
    return a.use == b.use && a.bytes == b.bytes && a.process == b.process && same(a.stack, b.stack);
  }

  bool same(const AllocatedBlock& a, const AllocatedBlock& b) const {
    return a.bytes == b.bytes && a.process == b.process && same(a.stack, b.stack);
  }

  bool same(const CallStack& a, const CallStack& b) const { return a == b || places(a) == places(b); }

  std::vector<std::string> places(const CallStack& stack) const {
    std::vector<std::string> result;
    for (const std::uint64_t site : stack)
      if (const CodePlace place = names_.place(site); !place.function.starts_with("mazurka_"))
        result.push_back(to_string(place));
    return result;
  }

  const Names& names_;
  const Failure& a_;
  const Failure& b_;
};

template <typename SameOperation>
bool same_waits(const Execution& a, const Execution& b, SameOperation&& same_operation) {
  return std::equal(a.pending.begin(), a.pending.end(), b.pending.begin(), b.pending.end(),
                    [&](const Offer& x, const Offer& y) {
                      return x.process == y.process && x.site == y.site && same_operation(x.operation, y.operation);
                    });
}

}  // namespace

bool same_failure(const Names& names, const Execution& a, const Execution& b) {
  if (a.outcome != b.outcome || !FailureComparison(names, a.failure, b.failure).run()) return false;
  return a.outcome != Outcome::Deadlock || same_waits(a, b, std::equal_to<>());
}

bool same_bug(const Names& names, const Execution& a, const Execution& b) {
  if (a.outcome != b.outcome || !FailureComparison(names, a.failure, b.failure).run()) return false;
  return a.outcome != Outcome::Deadlock || same_waits(a, b, [&](const Operation& x, const Operation& y) {
           return x == y || names.describe(x, {}) == names.describe(y, {});
         });
}

}  // namespace mazurka::report
