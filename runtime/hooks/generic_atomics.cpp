// The libatomic calls for atomics that the compiler does not inline: any size, and sixteen bytes in clang. Their names
// are compiler built-ins, so ours get them at the assembler level.
#include "runtime/arch.hpp"
#include "runtime/detector/atomic_checks.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
__extension__ using Word128 = unsigned __int128;

bool equal(const volatile void* a, const void* b, std::size_t bytes) {
  const auto* left = static_cast<const volatile std::uint8_t*>(a);
  const auto* right = static_cast<const std::uint8_t*>(b);
  for (std::size_t i = 0; i < bytes; ++i)
    if (left[i] != right[i]) return false;
  return true;
}

Operation access(OperationKind kind, const volatile void* address, std::size_t bytes, int order) {
  Operation result;
  result.kind = kind;
  result.size = static_cast<std::uint8_t>(bytes < 255 ? bytes : 255);
  result.memory_order = static_cast<std::uint8_t>(order);
  result.object = reinterpret_cast<std::uint64_t>(address);
  return result;
}

/// The first eight bytes of a value.
std::uint64_t first_bytes(const volatile void* address, std::size_t bytes) {
  std::uint64_t value = 0;
  copy_bytes(&value, const_cast<const void*>(address), bytes < 8 ? bytes : 8);
  return value;
}

void observe_bytes(const volatile void* address, std::size_t bytes) { observe(first_bytes(address, bytes)); }
void observe_bytes(const volatile void* address, const void* written, std::size_t bytes) {
  observe(first_bytes(address, bytes), first_bytes(written, bytes));
}

void exchange(volatile void* address, const void* value, void* old, std::size_t bytes, int order, std::uint64_t site) {
  perform(access(ReadModifyWrite, address, bytes, order), site);
  check_modify(address, bytes, order, site);
  observe_bytes(address, value, bytes);
  copy_bytes(old, const_cast<const void*>(address), bytes);
  copy_bytes(const_cast<void*>(address), value, bytes);
}

/// The values that a call takes and returns in memory are plain variables of the program.
bool compare_exchange(volatile void* address, void* wanted, const void* desired, std::size_t bytes, int order,
                      int failure, const Caller& caller) {
  const std::uint64_t site = caller.site();
  const Input input(wanted, bytes, caller);
  const void* const expected = input.address();
  // The scheduler can tell the outcome of sixteen-byte exchanges; all others count as writes.
  const bool comparable = bytes == 16;
  if (comparable) copy_bytes(self().expected, expected, bytes);
  perform(access(comparable ? CompareExchange : ReadModifyWrite, address, bytes, order), site);
  if (equal(address, expected, bytes)) {
    observe_bytes(address, desired, bytes);
    check_modify(address, bytes, order, site);
    copy_bytes(const_cast<void*>(address), desired, bytes);
    return true;
  }
  // If it counts as a write, it writes back the value it read.
  observe_bytes(address, comparable ? expected : const_cast<const void*>(address), bytes);
  check_load(address, bytes, failure, site);
  Output output(wanted, bytes, caller);
  copy_bytes(output.address(), const_cast<const void*>(address), bytes);
  output.wrote(bytes);
  return false;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

#define MAZURKA_NAMED(RESULT, NAME, PARAMETERS)                          \
  MAZURKA_EXPORT RESULT mazurka_generic##NAME PARAMETERS __asm__(#NAME); \
  MAZURKA_EXPORT RESULT mazurka_generic##NAME PARAMETERS

MAZURKA_NAMED(void, __atomic_load, (std::size_t bytes, const volatile void* address, void* result, int order)) {
  const std::uint64_t site = MAZURKA_SITE;
  Output output(result, bytes, MAZURKA_CALLER);
  perform(access(Load, address, bytes, order), site);
  check_load(address, bytes, order, site);
  observe_bytes(address, bytes);
  copy_bytes(output.address(), const_cast<const void*>(address), bytes);
  output.wrote(bytes);
}
MAZURKA_NAMED(void, __atomic_store, (std::size_t bytes, volatile void* address, const void* value, int order)) {
  const std::uint64_t site = MAZURKA_SITE;
  const Input input(value, bytes, MAZURKA_CALLER);
  perform(access(Store, address, bytes, order), site);
  check_store(address, bytes, order, site);
  observe_bytes(address, input.address(), bytes);
  copy_bytes(const_cast<void*>(address), input.address(), bytes);
}
MAZURKA_NAMED(void, __atomic_exchange,
              (std::size_t bytes, volatile void* address, const void* value, void* old, int order)) {
  const Input input(value, bytes, MAZURKA_CALLER);
  Output output(old, bytes, MAZURKA_CALLER);
  exchange(address, input.address(), output.address(), bytes, order, MAZURKA_SITE);
  output.wrote(bytes);
}
MAZURKA_NAMED(bool, __atomic_compare_exchange,
              (std::size_t bytes, volatile void* address, void* expected, const void* desired, int order,
               int failure)) {
  const Input input(desired, bytes, MAZURKA_CALLER);
  return compare_exchange(address, expected, input.address(), bytes, order, failure, MAZURKA_CALLER);
}
MAZURKA_NAMED(bool, __atomic_is_lock_free, (std::size_t bytes, const volatile void*)) { return bytes <= 8; }

MAZURKA_NAMED(Word128, __atomic_load_16, (const volatile void* address, int order)) {
  const std::uint64_t site = MAZURKA_SITE;
  perform(access(Load, address, 16, order), site);
  check_load(address, 16, order, site);
  observe_bytes(address, 16);
  return *static_cast<const volatile Word128*>(address);
}
MAZURKA_NAMED(void, __atomic_store_16, (volatile void* address, Word128 value, int order)) {
  const std::uint64_t site = MAZURKA_SITE;
  perform(access(Store, address, 16, order), site);
  check_store(address, 16, order, site);
  observe_bytes(address, &value, 16);
  *static_cast<volatile Word128*>(address) = value;
}
MAZURKA_NAMED(Word128, __atomic_exchange_16, (volatile void* address, Word128 value, int order)) {
  Word128 old;
  exchange(address, &value, &old, 16, order, MAZURKA_SITE);
  return old;
}
MAZURKA_NAMED(bool, __atomic_compare_exchange_16,
              (volatile void* address, void* expected, Word128 desired, bool, int order, int failure)) {
  return compare_exchange(address, expected, &desired, 16, order, failure, MAZURKA_CALLER);
}
