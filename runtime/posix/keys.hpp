// Keys of thread-specific data.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

// They return errno values. The order of calls determines who gets which number, and who finds a key deleted, so each
// is a scheduling point.
int create_key(unsigned& key, void (*destructor)(void*), std::uint64_t site);
int delete_key(unsigned key, std::uint64_t site);
/// Reads whether the key is in use.
int set_value(unsigned key, const void* value, std::uint64_t site);

}  // namespace mazurka::runtime
