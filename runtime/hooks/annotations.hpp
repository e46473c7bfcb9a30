// What annotations do, whatever their names.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// All that was released at the address so far happens before what follows. The address is only a name.
void annotate_acquire(const volatile void* address, std::uint64_t site);
/// What came before happens before later acquisitions at the address.
void annotate_release(const volatile void* address, std::uint64_t site);

/// The depths are those of the running thread.
void begin_ignoring(std::uint32_t& depth);
void end_ignoring(std::uint32_t& depth);

}  // namespace mazurka::runtime
