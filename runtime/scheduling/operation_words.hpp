// Avoids failed store forwarding: a load that is wider than the preceding stores stalls until they leave the store
// buffer. An operation is read right after it was written, so it is read field by field and then copied in words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/operation.hpp"

namespace mazurka::runtime {

template <class T>
__attribute__((always_inline)) inline T read_alone(T value) {
  __asm__("" : "+r"(value));  // keeps the compiler from merging adjacent reads
  return value;
}

__attribute__((always_inline)) inline void write_words(Operation& to, std::uint64_t first, std::uint64_t object,
                                                       std::uint64_t second) {
  static_assert(sizeof(Operation) == 24 && offsetof(Operation, kind) == 0 && offsetof(Operation, flags) == 1 &&
                offsetof(Operation, size) == 2 && offsetof(Operation, memory_order) == 3 &&
                offsetof(Operation, detail) == 4 && offsetof(Operation, object) == 8);
  __builtin_memcpy(static_cast<void*>(&to), &first, sizeof first);
  to.object = object;
  to.second = second;
}

__attribute__((always_inline)) inline void copy_words(Operation& to, const Operation& from) {
  std::uint64_t first;
  __builtin_memcpy(&first, &from, sizeof first);
  write_words(to, read_alone(first), read_alone(from.object), read_alone(from.second));
}

}  // namespace mazurka::runtime
