// Plain (non-atomic) memory accesses: the hooks that the compiler inserts, and those of functions on ranges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Whether a plain access is a scheduling point, or part of the current atomic section. Accesses of the runtime inside
/// a call that uses files are not the program's.
inline bool is_visible() {
  return detector.hooked && scheduling.exploring && !detector.checking && !self().using_files;
}

/// The scheduling point of an access. The caller makes the access before its next step.
void visible_access(bool write, const volatile void* address, std::uint8_t bytes, std::uint64_t site);
/// The scheduling points of an access to a range, which the caller makes after all of them.
void visible_range(bool write, const volatile void* address, std::size_t bytes, std::uint64_t site);

// These split the range: each part has its own scheduling points and is read and written in them.
void visible_copy(void* to, const void* from, std::size_t bytes, std::uint64_t site);
void visible_fill(void* to, std::uint8_t value, std::size_t bytes, std::uint64_t site);
/// One byte: how far a string function goes depends on what it reads.
char visible_load(const char* from, std::uint64_t site);
void visible_store(char* to, char value, std::uint64_t site);

}  // namespace mazurka::runtime
