// The functions that -fsanitize=thread calls instead of atomic accesses. There is only one OS thread, and the scheduler
// serialises the steps, so the accesses themselves need not be atomic.
#include "runtime/detector/atomic_checks.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/hooks/fence.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;
__extension__ using Word128 = unsigned __int128;

template <class Word>
Operation access(OperationKind kind, const volatile void* address, int order) {
  Operation result;
  result.kind = kind;
  result.size = sizeof(Word);
  result.memory_order = static_cast<std::uint8_t>(order);
  result.object = reinterpret_cast<std::uint64_t>(address);
  return result;
}

template <class Word>
Word load(const volatile Word* address, int order, std::uint64_t site) {
  perform_access(access<Word>(Load, address, order), 0, site);
  check_load(address, sizeof(Word), order, site);
  const Word value = *address;
  observe(static_cast<std::uint64_t>(value));
  return value;
}

template <class Word>
void store(volatile Word* address, Word value, int order, std::uint64_t site) {
  perform(access<Word>(Store, address, order), site);
  check_store(address, sizeof(Word), order, site);
  observe(static_cast<std::uint64_t>(*address), static_cast<std::uint64_t>(value));
  *address = value;
}

template <class Word, class Change>
Word modify(volatile Word* address, Word operand, int order, std::uint64_t site, Change&& change) {
  perform_access(access<Word>(ReadModifyWrite, address, order), static_cast<std::uint64_t>(operand), site);
  check_modify(address, sizeof(Word), order, site);
  const Word old = *address;
  const Word changed = change(old);
  *address = changed;
  observe(static_cast<std::uint64_t>(old), static_cast<std::uint64_t>(changed));
  return old;
}

/// Compilers leave it to the call to access the expected value, which is a plain variable.
void use_expected(bool write, const void* expected, std::size_t bytes, std::uint64_t site) {
  if (detector.checking) use_buffer(write, expected, bytes, site);
}

template <class Word>
bool compare_exchange(volatile Word* address, Word* expected, Word desired, int order, int failure,
                      std::uint64_t site) {
  Thread& thread = self();
  thread.expected[0] = static_cast<std::uint64_t>(*expected);
  if constexpr (sizeof(Word) == 16) thread.expected[1] = static_cast<std::uint64_t>(*expected >> 64);
  perform_access(access<Word>(CompareExchange, address, order), static_cast<std::uint64_t>(desired), site);
  if (thread.failed)
    check_load(address, sizeof(Word), failure, site);
  else
    check_modify(address, sizeof(Word), order, site);
  const Word old = *address;
  if (thread.failed) {
    observe(static_cast<std::uint64_t>(old), static_cast<std::uint64_t>(*expected));
    *expected = old;
    return false;
  }
  observe(static_cast<std::uint64_t>(old), static_cast<std::uint64_t>(desired));
  *address = desired;
  return true;
}

/// The expected value is a variable of the program.
template <class Word>
bool compare_exchange_in_place(volatile Word* address, Word* expected, Word desired, int order, int failure,
                               std::uint64_t site) {
  use_expected(false, expected, sizeof *expected, site);
  const bool exchanged = compare_exchange(address, expected, desired, order, failure, site);
  if (!exchanged) use_expected(true, expected, sizeof *expected, site);
  return exchanged;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

#define MAZURKA_MODIFY(BITS, WORD, NAME, EXPRESSION)                                                  \
  MAZURKA_EXPORT WORD __tsan_atomic##BITS##_##NAME(volatile WORD* address, WORD operand, int order) { \
    return modify(address, operand, order, MAZURKA_SITE,                                              \
                  [operand](WORD old) { return static_cast<WORD>(EXPRESSION); });                     \
  }

#define MAZURKA_ATOMICS(BITS, WORD)                                                                                    \
  MAZURKA_EXPORT WORD __tsan_atomic##BITS##_load(const volatile WORD* address, int order) {                            \
    return load(address, order, MAZURKA_SITE);                                                                         \
  }                                                                                                                    \
  MAZURKA_EXPORT void __tsan_atomic##BITS##_store(volatile WORD* address, WORD value, int order) {                     \
    store(address, value, order, MAZURKA_SITE);                                                                        \
  }                                                                                                                    \
  MAZURKA_MODIFY(BITS, WORD, exchange, (static_cast<void>(old), operand))                                              \
  MAZURKA_MODIFY(BITS, WORD, fetch_add, old + operand)                                                                 \
  MAZURKA_MODIFY(BITS, WORD, fetch_sub, old - operand)                                                                 \
  MAZURKA_MODIFY(BITS, WORD, fetch_and, old& operand)                                                                  \
  MAZURKA_MODIFY(BITS, WORD, fetch_or, old | operand)                                                                  \
  MAZURKA_MODIFY(BITS, WORD, fetch_xor, old ^ operand)                                                                 \
  MAZURKA_MODIFY(BITS, WORD, fetch_nand, ~(old & operand))                                                             \
  MAZURKA_EXPORT int __tsan_atomic##BITS##_compare_exchange_strong(volatile WORD* address, WORD* expected,             \
                                                                   WORD desired, int order, int failure) {             \
    return compare_exchange_in_place(address, expected, desired, order, failure, MAZURKA_SITE) ? 1 : 0;                \
  }                                                                                                                    \
  MAZURKA_EXPORT int __tsan_atomic##BITS##_compare_exchange_weak(volatile WORD* address, WORD* expected, WORD desired, \
                                                                 int order, int failure) {                             \
    return compare_exchange_in_place(address, expected, desired, order, failure, MAZURKA_SITE) ? 1 : 0;                \
  }                                                                                                                    \
  MAZURKA_EXPORT WORD __tsan_atomic##BITS##_compare_exchange_val(volatile WORD* address, WORD expected, WORD desired,  \
                                                                 int order, int failure) {                             \
    compare_exchange(address, &expected, desired, order, failure, MAZURKA_SITE);                                       \
    return expected;                                                                                                   \
  }

MAZURKA_ATOMICS(8, std::uint8_t)
MAZURKA_ATOMICS(16, std::uint16_t)
MAZURKA_ATOMICS(32, std::uint32_t)
MAZURKA_ATOMICS(64, std::uint64_t)
MAZURKA_ATOMICS(128, Word128)

MAZURKA_EXPORT void __tsan_atomic_thread_fence(int order) { fence(order, MAZURKA_SITE); }
MAZURKA_EXPORT void __tsan_atomic_signal_fence(int) {}
