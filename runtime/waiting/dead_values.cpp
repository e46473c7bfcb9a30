// Understands moves and arithmetic on registers, constants and the frame, and jumps, both ways: that is what comes
// between an access and the next call. Anything else ends the search.
#include "runtime/waiting/dead_values.hpp"

#include "runtime/arch.hpp"
#include "runtime/posix/unwind.h"

extern "C" {
#define MAZURKA_HOOKS(BYTES)              \
  void __tsan_read##BYTES(void* address); \
  void __tsan_write##BYTES(void* address);
MAZURKA_HOOKS(1)
MAZURKA_HOOKS(2)
MAZURKA_HOOKS(4)
MAZURKA_HOOKS(8)
MAZURKA_HOOKS(16)
#undef MAZURKA_HOOKS
void __tsan_func_exit();
}

namespace mazurka::runtime {
namespace {

// Register numbers of the instruction encoding.
enum Register : std::uint8_t { kRbx = 3, kRsp = 4, kRbp = 5, kR12 = 12, kR15 = 15, kNoRegister = 16 };

/// The register's number in unwind.h; 0 if it is caller-saved.
std::uint32_t preserved(unsigned number) {
  if (number == kRbx) return 1;
  if (number == kRbp) return 2;
  return number >= kR12 && number <= kR15 ? number - kR12 + 3 : 0;
}

bool is_hook(std::uint64_t address) {
  void (*const hooks[])(void*) = {__tsan_read1,  __tsan_read2,  __tsan_read4,  __tsan_read8,  __tsan_read16,
                                  __tsan_write1, __tsan_write2, __tsan_write4, __tsan_write8, __tsan_write16};
  for (const auto hook : hooks)
    if (reinterpret_cast<std::uint64_t>(hook) == address) return true;
  return reinterpret_cast<std::uint64_t>(__tsan_func_exit) == address;
}

/// The r/m operand of an instruction: a register, or memory.
struct Operand {
  unsigned reg = kNoRegister;
  unsigned base = kNoRegister;  ///< rbp or rsp; if neither, memory outside of the frame
  std::int32_t offset = 0;
};

class Search {
 public:
  Search(const std::uint8_t* code, bool passes_hooks) : code_(code), passes_hooks_(passes_hooks) {}
  /// Not the default: it would call memcpy(), which may be the program's.
  Search(const Search& other) { copy_bytes(this, &other, sizeof other); }
  Search& operator=(const Search&) = delete;

  DeadValues run(unsigned jumps) {
    for (unsigned i = 0; i < kMostInstructions; ++i) {
      const Kind kind = step();
      if (kind == Kind::Unknown) break;
      if (kind != Kind::Branch) continue;
      if (jumps == 0) break;
      Search other = *this;
      other.code_ = target_;
      return in_both(run(jumps - 1), other.run(jumps - 1));
    }
    return dead_;
  }

 private:
  enum class Kind : std::uint8_t { Unknown, Plain, Branch };
  static constexpr unsigned kMostInstructions = 48;

  static DeadValues in_both(const DeadValues& a, const DeadValues& b) {
    DeadValues result;
    result.registers = a.registers & b.registers;
    result.base = a.base;
    for (std::uint32_t i = 0; i < a.count && a.base == b.base; ++i)
      for (std::uint32_t j = 0; j < b.count; ++j)
        if (a.slots[i] == b.slots[j]) {
          result.slots[result.count++] = a.slots[i];
          break;
        }
    return result;
  }

  template <class T>
  T take() {
    T value;
    __builtin_memcpy(&value, code_, sizeof value);
    code_ += sizeof value;
    return value;
  }

  /// Decodes the ModRM byte with SIB and displacement. False if the form is not supported.
  bool take_operands(unsigned rex, unsigned& reg, Operand& other) {
    const auto form = take<std::uint8_t>();
    const unsigned mode = form >> 6;
    reg = ((form >> 3) & 7U) | (rex & 4U) << 1;
    const unsigned low = form & 7U;
    if (mode == 3) {
      other.reg = low | (rex & 1U) << 3;
      return true;
    }
    if (mode == 0) {  // rip-relative: not in the frame
      if (low != 5) return false;
      take<std::int32_t>();
      return true;
    }
    constexpr std::uint8_t kOnlyRsp = 0x24;
    if ((rex & 3U) != 0 || (low == 4 && take<std::uint8_t>() != kOnlyRsp)) return false;
    if (low != 4 && low != 5) return false;
    other.base = low;
    other.offset = mode == 1 ? take<std::int8_t>() : take<std::int32_t>();
    return true;
  }

  bool uses_register(unsigned number) {
    const std::uint32_t bit = 1U << preserved(number);
    if ((dead_.registers & bit) == 0) used_ |= bit;
    return true;
  }
  bool sets_register(unsigned number) {
    if (number == kRsp || number == kRbp) return false;
    const std::uint32_t bit = 1U << preserved(number);
    if (preserved(number) != 0 && (used_ & bit) == 0) dead_.registers |= bit;
    return true;
  }
  /// Slots relative to different registers may alias, so only one base is supported.
  bool is_base(unsigned number) {
    const std::uint32_t base = number == kRsp ? MAZURKA_STACK_POINTER : preserved(kRbp);
    if (has_base_ && base != dead_.base) return false;
    has_base_ = true;
    dead_.base = base;
    return true;
  }

  bool uses_slot(const Operand& slot, std::uint32_t bytes) {
    if (slot.base == kNoRegister) return true;
    if (!is_base(slot.base)) return false;
    for (std::uint32_t i = 0; i < dead_.count; ++i)
      if (dead_.slots[i].offset == slot.offset && dead_.slots[i].bytes >= bytes) return true;
    if (used_count_ == DeadValues::kMost) return false;
    used_slots_[used_count_++] = {slot.offset, bytes};
    return true;
  }
  bool sets_slot(const Operand& slot, std::uint32_t bytes) {
    if (slot.base == kNoRegister || !is_base(slot.base)) return false;
    for (std::uint32_t i = 0; i < used_count_; ++i) {
      const DeadValues::Slot& used = used_slots_[i];
      if (used.offset < slot.offset + static_cast<std::int32_t>(bytes) &&
          slot.offset < used.offset + static_cast<std::int32_t>(used.bytes))
        return true;
    }
    if (dead_.count < DeadValues::kMost) dead_.slots[dead_.count++] = {slot.offset, bytes};
    return true;
  }

  bool uses(const Operand& operand, std::uint32_t bytes) {
    return operand.reg == kNoRegister ? uses_slot(operand, bytes) : uses_register(operand.reg);
  }

  Kind step() {
    const bool is_short = *code_ == 0x66;
    if (is_short) ++code_;
    const unsigned rex = (*code_ & 0xf0) == 0x40 ? *code_++ : 0;
    const std::uint32_t word = (rex & 8U) != 0 ? 8 : is_short ? 2 : 4;
    const auto opcode = take<std::uint8_t>();
    if ((opcode & 0xf0) == 0x70 || opcode == 0xeb) return jump(take<std::int8_t>(), opcode != 0xeb);
    if (opcode == 0xe9) return jump(take<std::int32_t>(), false);
    if (opcode == 0x0f && (*code_ & 0xf0) == 0x80) {
      ++code_;
      return jump(take<std::int32_t>(), true);
    }
    return understands(opcode, rex, word) ? Kind::Plain : Kind::Unknown;
  }

  Kind jump(std::int32_t distance, bool conditional) {
    target_ = code_ + distance;
    if (conditional) return Kind::Branch;
    code_ = target_;
    return Kind::Plain;
  }

  /// Decodes an instruction that falls through.
  bool understands(std::uint8_t opcode, unsigned rex, std::uint32_t word) {
    unsigned reg = 0;
    Operand other;
    // add, or, and, sub, xor, cmp: register with register or memory
    if (opcode < 0x40 && (opcode & 7) < 4) {
      if (!take_operands(rex, reg, other) || !is_data(reg) || !is_data(other.reg)) return false;
      if ((opcode & 1) == 0) return is_byte(reg, rex) && uses_register(reg) && uses_byte(other, rex);
      return uses_register(reg) && uses(other, word);
    }
    switch (opcode) {
      case 0x90: return true;  // nop
      case 0x24:               // and, xor, cmp, test of al with a constant
      case 0x34:
      case 0x3c:
      case 0xa8: return take<std::int8_t>(), true;
      case 0x80:  // the same with any operand
      case 0x83:
        if (!take_operands(rex, reg, other) || !is_data(other.reg)) return false;
        take<std::int8_t>();
        return opcode == 0x80 ? uses_byte(other, rex) : uses(other, word);
      case 0x84:  // test
        return take_operands(rex, reg, other) && is_byte(reg, rex) && uses_register(reg) && uses_byte(other, rex);
      case 0x85: return take_operands(rex, reg, other) && uses_register(reg) && uses(other, word);
      case 0x88:  // mov from a register
        return take_operands(rex, reg, other) && is_byte(reg, rex) && other.reg == kNoRegister && uses_register(reg) &&
               sets_slot(other, 1);
      case 0x89:
        if (!take_operands(rex, reg, other)) return false;
        if (other.reg == kNoRegister) return uses_register(reg) && sets_slot(other, word);
        return word >= 4 && uses_register(reg) && sets_register(other.reg);
      case 0x8a:  // mov to a register
        return take_operands(rex, reg, other) && is_byte(reg, rex) && is_data(reg) && uses_byte(other, rex);
      case 0x8b: return take_operands(rex, reg, other) && word >= 4 && uses(other, word) && sets_register(reg);
      case 0x8d:  // lea
        return take_operands(rex, reg, other) && word == 8 && other.reg == kNoRegister && sets_register(reg);
      case 0xc6:  // mov of a constant
        if (!take_operands(rex, reg, other) || reg % 8 != 0) return false;
        take<std::int8_t>();
        return sets_slot(other, 1);
      case 0xc7:
        if (!take_operands(rex, reg, other) || reg % 8 != 0 || word < 4) return false;
        take<std::int32_t>();
        return other.reg == kNoRegister ? sets_slot(other, word) : sets_register(other.reg);
      case 0xe8: {  // call
        const auto distance = take<std::int32_t>();
        return passes_hooks_ && is_hook(reinterpret_cast<std::uint64_t>(code_ + distance));
      }
      case 0x0f: {
        const auto second = take<std::uint8_t>();
        if (!take_operands(rex, reg, other)) return false;
        if ((second & 0xf0) == 0x90) return is_data(other.reg) && uses_byte(other, rex);      // set…
        if (second == 0xb6) return word >= 4 && uses_byte(other, rex) && sets_register(reg);  // movzx
        return second == 0xb7 && word >= 4 && uses(other, 2) && sets_register(reg);
      }
      default: break;
    }
    if ((opcode & 0xf8) != 0xb8 || word < 4) return false;  // mov of a constant to a register
    if (word == 8)
      take<std::int64_t>();
    else
      take<std::int32_t>();
    return sets_register((opcode & 7U) | (rex & 1U) << 3);
  }

  /// rsp and rbp stay fixed.
  static bool is_data(unsigned number) { return number != kRsp && number != kRbp; }
  /// Without a REX prefix, byte registers 4 to 7 are ah, ch, dh and bh.
  static bool is_byte(unsigned number, unsigned rex) { return rex != 0 || number < kRsp; }
  bool uses_byte(const Operand& operand, unsigned rex) {
    return (operand.reg == kNoRegister || is_byte(operand.reg, rex)) && uses(operand, 1);
  }

  const std::uint8_t* code_;
  const std::uint8_t* target_ = nullptr;  // of the last jump
  bool passes_hooks_;
  DeadValues dead_;
  bool has_base_ = false;
  std::uint32_t used_ = 0;  // registers that were read before they were set
  std::uint32_t used_count_ = 0;
  DeadValues::Slot used_slots_[DeadValues::kMost] = {};
};

}  // namespace

DeadValues find_dead_values([[maybe_unused]] const std::uint8_t* code, [[maybe_unused]] bool passes_hooks) {
#if defined(__x86_64__)
  constexpr unsigned kMostJumps = 4;
  return Search(code, passes_hooks).run(kMostJumps);
#else
  return {};
#endif
}

}  // namespace mazurka::runtime
