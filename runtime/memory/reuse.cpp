#include "runtime/memory/reuse.hpp"

#include "runtime/arch.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::size_t kUnit = 16;
constexpr std::size_t kSmall = 64U << 10;  // up to this size, classes are multiples of the unit
constexpr std::size_t kSmallClasses = kSmall / kUnit + 1;
constexpr std::uint32_t kHasClass = 1U << 31;  // a flag in Header::site, which is unused standalone

struct Freed {
  Freed* next;
};
Freed* lists[kSmallClasses + 64];

/// Binary logarithm, rounded up.
unsigned logarithm(std::size_t bytes) { return 64U - static_cast<unsigned>(__builtin_clzll(bytes - 1)); }

Freed*& list_of(std::size_t bytes) {
  const std::size_t size = class_bytes(bytes);
  return lists[size <= kSmall ? size / kUnit : kSmallClasses + logarithm(size)];
}

}  // namespace

std::size_t class_bytes(std::size_t bytes) {
  if (bytes <= kSmall) return bytes == 0 ? kUnit : (bytes + kUnit - 1) & ~(kUnit - 1);
  return bytes > std::size_t{1} << 62 ? bytes : std::size_t{1} << logarithm(bytes);
}

void* take_freed(std::size_t bytes) {
  if (bytes > std::size_t{1} << 62) return nullptr;
  Freed*& list = list_of(bytes);
  Freed* const block = list;
  if (block == nullptr) return nullptr;
  list = block->next;
  zero_bytes(block, class_bytes(bytes));
  *header_of(block) = {bytes, kLive, kHasClass};
  return block;
}

void mark_class(Header& header) { header.site = kHasClass; }

void keep_freed(Header& header) {
  if ((header.site & kHasClass) == 0) return;
  auto* block = reinterpret_cast<Freed*>(&header + 1);
  Freed*& list = list_of(header.bytes);
  block->next = list;
  list = block;
}

}  // namespace mazurka::runtime
