// The functions of mazurka.h.
#include <mazurka/mazurka.h>

#include "runtime/export.hpp"
#include "runtime/hooks/assume.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/assumptions.hpp"
#include "runtime/waiting/clean_stack.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

// In the program's memory, so that the snapshot restores it.
long lowest_value;
long highest_value;
bool range_declared;

std::uint32_t choose_among(std::uint32_t alternatives, std::uint64_t site) {
  if (alternatives < 2) return 0;
  Operation choice = operation(OperationKind::Choose);
  choice.set_alternatives(alternatives);
  perform(choice, site);
  observe(self().alternative);
  return self().alternative;
}

long any_value(std::uint64_t site) {
  const protocol::Settings& settings = worker.channel->settings;
  if (!range_declared && !settings.has_nondet)
    unsupported("a __VERIFIER_nondet_ function without --nondet=lo..hi or mazurka_nondet_range()", site);
  const long lowest = range_declared ? lowest_value : settings.nondet_lowest;
  const long highest = range_declared ? highest_value : settings.nondet_highest;
  const auto count = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) + 1;
  if (count > protocol::kMaxPending) unsupported("a range of more than 16384 values", site);
  return lowest + choose_among(static_cast<std::uint32_t>(count), site);
}

/// Unmapped in every program: dereferencing it crashes.
constexpr std::uintptr_t kWildPointer = 0x1000;

}  // namespace

void assume_at(bool holds, std::uint64_t site) {
  if (holds) return;
  learn_assumption(self());
  perform(operation(OperationKind::Assume), site);
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT unsigned mazurka_choose(unsigned alternatives) { return choose_among(alternatives, MAZURKA_SITE); }
MAZURKA_EXPORT void mazurka_assume(int condition) { assume_at(condition != 0, MAZURKA_SITE); }
MAZURKA_EXPORT void mazurka_atomic_begin() { begin_section(MAZURKA_SITE); }
MAZURKA_EXPORT void mazurka_atomic_end() {
  end_section(MAZURKA_SITE);
  clean_stack();
}
MAZURKA_EXPORT void mazurka_yield() { perform(operation(mazurka::OperationKind::Yield), MAZURKA_SITE); }
MAZURKA_EXPORT void mazurka_nondet_range(long lowest, long highest) {
  lowest_value = lowest;
  highest_value = highest < lowest ? lowest : highest;
  range_declared = true;
}

MAZURKA_EXPORT void __VERIFIER_assume(int condition) { assume_at(condition != 0, MAZURKA_SITE); }
MAZURKA_EXPORT void __VERIFIER_error() {
  fail(FailureKind::ReachedError, "__VERIFIER_error() is reached", MAZURKA_SITE);
}
MAZURKA_EXPORT void __VERIFIER_atomic_begin() { begin_section(MAZURKA_SITE); }
MAZURKA_EXPORT void __VERIFIER_atomic_end() {
  end_section(MAZURKA_SITE);
  clean_stack();
}
MAZURKA_EXPORT bool __VERIFIER_nondet_bool() { return choose_among(2, MAZURKA_SITE) != 0; }
#define MAZURKA_NONDET(NAME, TYPE) \
  MAZURKA_EXPORT TYPE __VERIFIER_nondet_##NAME() { return static_cast<TYPE>(any_value(MAZURKA_SITE)); }
MAZURKA_NONDET(char, char)
MAZURKA_NONDET(uchar, unsigned char)
MAZURKA_NONDET(short, short)
MAZURKA_NONDET(ushort, unsigned short)
MAZURKA_NONDET(int, int)
MAZURKA_NONDET(uint, unsigned)
MAZURKA_NONDET(long, long)
MAZURKA_NONDET(ulong, unsigned long)
MAZURKA_NONDET(longlong, long long)
MAZURKA_NONDET(ulonglong, unsigned long long)
MAZURKA_NONDET(unsigned, unsigned)
MAZURKA_NONDET(u32, unsigned)
MAZURKA_NONDET(size_t, unsigned long)
MAZURKA_NONDET(loff_t, long long)
MAZURKA_NONDET(float, float)
MAZURKA_NONDET(double, double)

// Null or an invalid pointer.
MAZURKA_EXPORT void* __VERIFIER_nondet_pointer() {
  return choose_among(2, MAZURKA_SITE) == 0 ? nullptr : reinterpret_cast<void*>(kWildPointer);
}
MAZURKA_EXPORT char* __VERIFIER_nondet_pchar() {
  return choose_among(2, MAZURKA_SITE) == 0 ? nullptr : reinterpret_cast<char*>(kWildPointer);
}

// Usually defined by the program.
extern "C" __attribute__((weak, visibility("default"))) void reach_error() {
  fail(FailureKind::ReachedError, "reach_error() is reached", MAZURKA_SITE);
}
