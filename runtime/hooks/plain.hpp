// Memory accesses that are not atomic: the hooks that the compiler inserts, and those of functions on ranges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

/// Whether an access that is not atomic is a step of its own, or part of the atomic section under way. What the runtime
/// does for a call that uses files is not the program's.
inline bool is_visible() {
  return detector.hooked && scheduling.exploring && !detector.checking && !self().using_files;
}

/// The step of an access; whoever asks for it makes the access before the next step.
void visible_access(bool write, const volatile void* address, std::uint8_t bytes, std::uint64_t site);
/// The steps of an access to a range that somebody else makes after all of them.
void visible_range(bool write, const volatile void* address, std::size_t bytes, std::uint64_t site);

// These take their steps part by part, and read and write each part in its own step.
void visible_copy(void* to, const void* from, std::size_t bytes, std::uint64_t site);
void visible_fill(void* to, std::uint8_t value, std::size_t bytes, std::uint64_t site);
/// One byte: how far a function on strings goes depends on what it finds.
char visible_load(const char* from, std::uint64_t site);
void visible_store(char* to, char value, std::uint64_t site);

}  // namespace mazurka::runtime
