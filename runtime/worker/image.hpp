// The address ranges of the program's and the unwinder's code. Set before the snapshot, constant afterwards.
#pragma once

#include <cstdint>

#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

struct alignas(kPage) Image {
  std::uint64_t base;
  std::uint64_t text_begin;
  std::uint64_t text_end;
  std::uint64_t constants_begin;  ///< the read-only part of the image
  std::uint64_t constants_end;
  std::uint64_t unwinder_begin;  ///< the code of the unwinding library
  std::uint64_t unwinder_end;

  /// Whether an address is in the program's code.
  bool has_code(std::uint64_t address) const { return address >= text_begin && address < text_end; }
  bool has_constant(std::uint64_t address) const { return address >= constants_begin && address < constants_end; }
  bool is_unwinder(std::uint64_t address) const { return address >= unwinder_begin && address < unwinder_end; }
};
MAZURKA_SHARED Image image;

/// Initialises `image` and memory.static_tls_bytes.
void find_image();

}  // namespace mazurka::runtime
