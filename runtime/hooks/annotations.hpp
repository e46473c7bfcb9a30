// The effects of annotations, whatever their names.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Everything released at the address so far happens before what follows. The address serves as a name only.
void annotate_acquire(const volatile void* address, std::uint64_t site);
/// Everything so far happens before later acquires at the address.
void annotate_release(const volatile void* address, std::uint64_t site);

/// `depth` is a nesting depth of the running thread.
void begin_ignoring(std::uint32_t& depth);
void end_ignoring(std::uint32_t& depth);

}  // namespace mazurka::runtime
