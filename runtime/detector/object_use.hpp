// Synchronisation objects as memory: initialisation and destruction are writes that must be ordered with every use, and
// an object must not be used after it was destroyed or freed.
#pragma once

#include <cstdint>

#include "core/failure_kind.hpp"

namespace mazurka::runtime {

/// Value of an object's mark from its destruction to its next initialisation.
inline constexpr std::uint32_t kDestroyed = 0xdede5704;

/// Checks a use that the running thread is about to make; `mark` is the field that would hold kDestroyed. If plain
/// accesses are scheduling points, object_used() checks after the step instead.
void use_object(const void* object, std::uint32_t mark, ObjectKind kind, std::uint64_t site);
/// Checks the use after its step was taken.
void object_used(const void* object, std::uint32_t mark, ObjectKind kind, std::uint64_t site);
/// The scheduling point of an initialisation or destruction, if lifetimes are scheduling points.
void announce_initialisation(const void* object, std::uint64_t site);
void announce_destruction(const void* object, std::uint64_t site);
/// The initialisation or destruction itself.
void write_object(const void* object, std::uint64_t site);

}  // namespace mazurka::runtime
