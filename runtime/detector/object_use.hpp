// Synchronisation objects as memory: making and destroying one is a write that must be ordered with every use, and none
// may be used after it was destroyed or its memory freed.
#pragma once

#include <cstdint>

#include "core/failure_kind.hpp"

namespace mazurka::runtime {

/// Stands in an object from its destruction to its next initialisation.
inline constexpr std::uint32_t kDestroyed = 0xdede5704;

/// A use by the running thread, about to happen; `mark` is where kDestroyed would stand. Where plain accesses are steps
/// what matters is the moment of the use, to be told of by object_used().
void use_object(const void* object, std::uint32_t mark, ObjectKind kind, std::uint64_t site);
/// The step of the use has been taken.
void object_used(const void* object, std::uint32_t mark, ObjectKind kind, std::uint64_t site);
/// The step of an initialisation or destruction, where that is one.
void announce_initialisation(const void* object, std::uint64_t site);
void announce_destruction(const void* object, std::uint64_t site);
/// The initialisation or destruction.
void write_object(const void* object, std::uint64_t site);

}  // namespace mazurka::runtime
