#include "runtime/waiting/read_size.hpp"

namespace mazurka::runtime {

std::uint32_t read_size(const std::uint8_t* instruction) {
  bool is_short = false;
  while (*instruction == 0x66 || *instruction == 0x2e || *instruction == 0x3e || *instruction == 0x64 ||
         *instruction == 0x65)
    is_short = *instruction++ == 0x66 || is_short;
  const bool has_rex = (*instruction & 0xf0) == 0x40;
  const bool is_long = has_rex && (*instruction & 8) != 0;
  if (has_rex) ++instruction;
  const std::uint32_t word = is_long ? 8 : is_short ? 2 : 4;
  const std::uint8_t opcode = *instruction;
  if (opcode == 0x0f) {
    switch (instruction[1]) {
      case 0xb6:
      case 0xbe: return 1;  // movzx, movsx
      case 0xb7:
      case 0xbf: return 2;
      case 0xaf: return word;                                                // imul
      default: return (instruction[1] & 0xf0) == 0x40 ? word : kWidestRead;  // cmov
    }
  }
  if (opcode == 0x63) return 4;                                                // movsxd
  if (opcode < 0x40 && (opcode & 7) < 4) return (opcode & 1) != 0 ? word : 1;  // add, or, …, cmp
  switch (opcode) {
    case 0x80:
    case 0x84:
    case 0x86:
    case 0x8a:
    case 0xf6: return 1;
    case 0x69:
    case 0x6b:
    case 0x81:
    case 0x83:
    case 0x85:
    case 0x87:
    case 0x8b:
    case 0xf7: return word;
    default: return kWidestRead;
  }
}

}  // namespace mazurka::runtime
