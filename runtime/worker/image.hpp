// Where the code of the program and of the unwinder lies. Found before the snapshot is taken, and never changed after.
#pragma once

#include <cstdint>

#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

struct alignas(kPage) Image {
  std::uint64_t base;
  std::uint64_t text_begin;
  std::uint64_t text_end;
  std::uint64_t constants_begin;  ///< what of the image nobody can write
  std::uint64_t constants_end;
  std::uint64_t unwinder_begin;  ///< the code of the library that unwinds stacks
  std::uint64_t unwinder_end;

  /// Whether an address lies in the code of the program.
  bool has_code(std::uint64_t address) const { return address >= text_begin && address < text_end; }
  bool has_constant(std::uint64_t address) const { return address >= constants_begin && address < constants_end; }
  bool is_unwinder(std::uint64_t address) const { return address >= unwinder_begin && address < unwinder_end; }
};
MAZURKA_SHARED Image image;

/// Fills it in, and finds how large the static thread-local storage is.
void find_image();

}  // namespace mazurka::runtime
