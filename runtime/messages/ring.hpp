// A growing byte queue in the program's memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka::runtime {

/// Allocates zeroed memory for the state of an object.
void* new_state(std::size_t bytes, std::uint64_t site);

struct Ring {
  std::uint8_t* bytes;
  std::size_t size;  ///< capacity
  std::size_t first;
  std::size_t count;

  void put(const void* from, std::size_t number) {
    if (count + number > size) grow(count + number);
    const auto* source = static_cast<const std::uint8_t*>(from);
    for (std::size_t i = 0; i < number; ++i) bytes[(first + count + i) % size] = source[i];
    count += number;
  }
  void take(void* to, std::size_t number) {
    auto* target = static_cast<std::uint8_t*>(to);
    for (std::size_t i = 0; i < number; ++i) target[i] = bytes[(first + i) % size];
    first = number == 0 ? first : (first + number) % size;
    count -= number;
  }

 private:
  void grow(std::size_t needed) {
    constexpr std::size_t kLeast = 64;
    std::size_t larger = size < kLeast ? kLeast : 2 * size;
    while (larger < needed) larger *= 2;
    auto* const larger_place = static_cast<std::uint8_t*>(new_state(larger, 0));
    const std::size_t kept = count;
    take(larger_place, kept);
    *this = {larger_place, larger, 0, kept};
  }
};

}  // namespace mazurka::runtime
