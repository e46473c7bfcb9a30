// Calls by which programs written for other tools mark waits. Mazurka detects waiting loops by itself, so marks of
// loops (GenMC, Dartagnan) are no-ops: a marked round that has an effect is not idle. Awaits (Nidhugg) are an access
// and an assumption about the value read.
#include "runtime/detector/atomic_checks.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/assume.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {
namespace {

/// The awaited condition: bits for greater than, equal to and less than `bound`, and for a signed comparison.
struct Condition {
  static constexpr unsigned kGreater = 1;
  static constexpr unsigned kEqual = 2;
  static constexpr unsigned kLess = 4;
  static constexpr unsigned kSigned = 8;
  unsigned relation;
  unsigned bound;

  bool holds(unsigned value) const {
    const bool is_signed = (relation & kSigned) != 0;
    const bool is_less = is_signed ? static_cast<int>(value) < static_cast<int>(bound) : value < bound;
    const unsigned is = value == bound ? kEqual : is_less ? kLess : kGreater;
    return (relation & is) != 0;
  }
};

Operation access(OperationKind kind, const volatile unsigned* address) {
  Operation result = operation(kind, const_cast<const unsigned*>(address));
  result.size = sizeof *address;
  result.memory_order = __ATOMIC_SEQ_CST;
  return result;
}

/// The condition is part of the thread's local state while it is about to make the access.
void perform_with(const Condition& condition, const Operation& next, unsigned operand, std::uint64_t site) {
  self().condition = std::uint64_t{condition.relation} << 32 | condition.bound;
  perform_access(next, operand, site);
  self().condition = 0;
}

unsigned load_await(volatile unsigned* address, const Condition& condition, std::uint64_t site) {
  perform_with(condition, access(OperationKind::Load, address), 0, site);
  check_load(address, sizeof *address, __ATOMIC_SEQ_CST, site);
  const unsigned value = *address;
  observe(value);
  assume_at(condition.holds(value), site);
  return value;
}

/// Exchanges only if the condition holds; otherwise it writes nothing and is a load.
unsigned exchange_await(volatile unsigned* address, unsigned desired, const Condition& condition, std::uint64_t site) {
  perform_with(condition, access(OperationKind::ReadModifyWrite, address), desired, site);
  check_modify(address, sizeof *address, __ATOMIC_SEQ_CST, site);
  const unsigned old = *address;
  const unsigned changed = condition.holds(old) ? desired : old;
  *address = changed;
  observe(old, changed);
  assume_at(condition.holds(old), site);
  return old;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT unsigned __VERIFIER_load_await_aint(volatile unsigned* address, unsigned relation, unsigned bound) {
  return load_await(address, {relation, bound}, MAZURKA_SITE);
}
MAZURKA_EXPORT unsigned __VERIFIER_xchg_await_aint(volatile unsigned* address, unsigned desired, unsigned relation,
                                                   unsigned bound) {
  return exchange_await(address, desired, {relation, bound}, MAZURKA_SITE);
}

MAZURKA_EXPORT void __VERIFIER_loop_begin() {}
MAZURKA_EXPORT void __VERIFIER_loop_bound(int) {}
MAZURKA_EXPORT void __VERIFIER_spin_start() {}
MAZURKA_EXPORT void __VERIFIER_spin_end(int) {}
/// Whether to run a block that only lengthens executions and ends with a failing assumption: no.
MAZURKA_EXPORT int __VERIFIER_opt_begin() { return 0; }
