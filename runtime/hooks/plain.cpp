// A hook is called just before its access, which is part of the same step. If plain accesses are scheduling points,
// every instrumented one is, also on stacks: threads share addresses of their locals. The compilers do not instrument
// what cannot be shared.
#include "runtime/hooks/plain.hpp"

#include "runtime/arch.hpp"
#include "runtime/detector/atomic_checks.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/findings.hpp"
#include "runtime/detector/intended_races.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/waiting/clean_stack.hpp"
#include "runtime/waiting/library_code.hpp"
#include "runtime/waiting/private_stacks.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kLargest = 255;  // limit of Operation::size

/// Whether an access is not a scheduling point although plain accesses are: it is to a private stack, or a library spin
/// accesses its own locals, whose addresses it shares with nobody.
bool is_private(const volatile void* address, std::uint64_t site) {
  const auto place = reinterpret_cast<std::uint64_t>(address);
  if (scheduling.in_section) return false;
  if (is_on_private_stack(place)) return true;
  const std::uint32_t index = self().index;
  return scheduling.knows_bounded_spins && plain_accesses_are_steps() && place >= stack_bottom(index) &&
         place < stack_top(index) && in_bounded_spin(site);
}

/// Slow path: the thread has made many accesses without a step, or keeps_states needs every access.
__attribute__((noinline)) void after_many_accesses(const void* address, std::uint32_t bytes, bool write,
                                                   std::uint64_t site) {
  if (scheduling.keeps_states)
    add_plain_to_segment(address, bytes, write ? Touch::Write : Touch::Read, site);
  else
    give_way(site);
}

}  // namespace

__attribute__((noinline)) void visible_access(bool write, const volatile void* address, std::uint8_t bytes,
                                              std::uint64_t site) {
  Operation result;
  result.kind = write ? OperationKind::Store : OperationKind::Load;
  result.flags = kPlain;
  result.size = bytes;
  result.object = reinterpret_cast<std::uint64_t>(address);
  if (is_private(address, site)) {
    scheduling.record = nullptr;
    return;
  }
  perform(result, site);
  if (detector.guarding) guard(address, bytes, write ? Touch::Write : Touch::Read, place_of(site));
  if (write || scheduling.record == nullptr) return;
  std::uint64_t value = 0;
  copy_bytes(&value, const_cast<const void*>(address), bytes < 8 ? bytes : 8);
  observe(value);
}

__attribute__((noinline)) void visible_range(bool write, const volatile void* address, std::size_t bytes,
                                             std::uint64_t site) {
  const auto* byte = static_cast<const volatile std::uint8_t*>(address);
  for (; bytes > 0;) {
    const std::size_t part = bytes < kLargest ? bytes : kLargest;
    visible_access(write, byte, static_cast<std::uint8_t>(part), site);
    byte += part;
    bytes -= part;
  }
}

void visible_copy(void* to, const void* from, std::size_t bytes, std::uint64_t site) {
  const auto distance = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  const bool from_the_end = distance < bytes;  // so that no part is overwritten before it is read
  std::uint8_t buffer[kLargest];
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = bytes - done < kLargest ? bytes - done : kLargest;
    const std::size_t at = from_the_end ? bytes - done - part : done;
    const auto* source = static_cast<const std::uint8_t*>(from) + at;
    auto* target = static_cast<std::uint8_t*>(to) + at;
    visible_access(false, source, static_cast<std::uint8_t>(part), site);
    copy_bytes(buffer, source, part);
    visible_access(true, target, static_cast<std::uint8_t>(part), site);
    copy_bytes(target, buffer, part);
    done += part;
  }
}

void visible_fill(void* to, std::uint8_t value, std::size_t bytes, std::uint64_t site) {
  auto* target = static_cast<volatile std::uint8_t*>(to);
  while (bytes > 0) {
    const std::size_t part = bytes < kLargest ? bytes : kLargest;
    visible_access(true, target, static_cast<std::uint8_t>(part), site);
    for (std::size_t i = 0; i < part; ++i) target[i] = value;
    target += part;
    bytes -= part;
  }
}

char visible_load(const char* from, std::uint64_t site) {
  const auto address = reinterpret_cast<std::uint64_t>(from);
  if (!image.has_constant(address)) visible_access(false, from, 1, site);
  return *static_cast<const volatile char*>(from);
}

void visible_store(char* to, char value, std::uint64_t site) {
  visible_access(true, to, 1, site);
  *static_cast<volatile char*>(to) = value;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

#define MAZURKA_ACCESS(NAME, WRITE, BYTES)                                                          \
  MAZURKA_EXPORT void NAME(void* address) {                                                         \
    if (detector.checking) [[unlikely]] {                                                           \
      if (--detector.accesses_left == 0) [[unlikely]]                                               \
        after_many_accesses(address, BYTES, WRITE, MAZURKA_SITE);                                   \
      touch_plain(address, BYTES, WRITE ? Touch::Write : Touch::Read, __builtin_return_address(0)); \
    } else if (detector.hooked && scheduling.exploring) [[unlikely]] {                              \
      visible_access(WRITE, address, BYTES, MAZURKA_SITE);                                          \
    }                                                                                               \
    clean_a_little();                                                                               \
  }
#define MAZURKA_ACCESSES(BYTES)                                       \
  MAZURKA_ACCESS(__tsan_read##BYTES, false, BYTES)                    \
  MAZURKA_ACCESS(__tsan_write##BYTES, true, BYTES)                    \
  MAZURKA_ACCESS(__tsan_unaligned_read##BYTES, false, BYTES)          \
  MAZURKA_ACCESS(__tsan_unaligned_write##BYTES, true, BYTES)          \
  MAZURKA_ACCESS(__tsan_volatile_read##BYTES, false, BYTES)           \
  MAZURKA_ACCESS(__tsan_volatile_write##BYTES, true, BYTES)           \
  MAZURKA_ACCESS(__tsan_unaligned_volatile_read##BYTES, false, BYTES) \
  MAZURKA_ACCESS(__tsan_unaligned_volatile_write##BYTES, true, BYTES)

MAZURKA_ACCESSES(1)
MAZURKA_ACCESSES(2)
MAZURKA_ACCESSES(4)
MAZURKA_ACCESSES(8)
MAZURKA_ACCESSES(16)

// A compound access reads and then writes, in one step.
#define MAZURKA_COMPOUND(BYTES)                         \
  MAZURKA_ACCESS(__tsan_read_write##BYTES, true, BYTES) \
  MAZURKA_ACCESS(__tsan_unaligned_read_write##BYTES, true, BYTES)
MAZURKA_COMPOUND(1)
MAZURKA_COMPOUND(2)
MAZURKA_COMPOUND(4)
MAZURKA_COMPOUND(8)
MAZURKA_COMPOUND(16)

MAZURKA_EXPORT void __tsan_read_range(void* address, unsigned long bytes) {
  if (detector.checking) {
    touch_range(address, bytes, Touch::Read, __builtin_return_address(0));
    return clean_a_little();
  }
  if (!detector.hooked || !scheduling.exploring) return;
  visible_range(false, address, bytes, MAZURKA_SITE);
  clean_a_little();
}
MAZURKA_EXPORT void __tsan_write_range(void* address, unsigned long bytes) {
  if (detector.checking) {
    touch_range(address, bytes, Touch::Write, __builtin_return_address(0));
    return clean_a_little();
  }
  if (!detector.hooked || !scheduling.exploring) return;
  visible_range(true, address, bytes, MAZURKA_SITE);
  clean_a_little();
}
MAZURKA_ACCESS(__tsan_vptr_read, false, 8)
MAZURKA_EXPORT void __tsan_vptr_update(void** address, void* value) {
  // Constructors and destructors store the vtable pointer repeatedly; only a store that changes it can matter to
  // others.
  if (detector.checking && *address != value) {
    note_in_segment(address, 8, Touch::Write);
    touch_plain(address, 8, Touch::Write, __builtin_return_address(0));
    return clean_a_little();
  }
  if (!detector.hooked || !scheduling.exploring || *address == value) return;
  visible_access(true, address, 8, MAZURKA_SITE);
  clean_a_little();
}

MAZURKA_EXPORT void __tsan_init() {}
MAZURKA_EXPORT void __tsan_func_entry(void* return_address) {
  if (detector.following) [[unlikely]] {
    if (detector.tracing) enter_call(return_address);
    if (detector.suppressing) enter_suppressed(return_address);
    enter_from(return_address);
    enter_function(__builtin_return_address(0));
  }
}
MAZURKA_EXPORT void __tsan_func_exit() {
  if (detector.following) [[unlikely]] {
    leave_function();
    leave_callee();
    if (detector.suppressing) leave_suppressed();
    if (detector.tracing) leave_call();
    clean_stack();
  }
}
