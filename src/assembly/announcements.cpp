#include "assembly/announcements.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "assembly/instruction.hpp"

namespace mazurka::assembly {
namespace {

std::optional<std::uint64_t> constant(std::string_view operand) {
  std::uint64_t value = 0;
  if (!operand.starts_with('$')) return {};
  const auto [end, error] = std::from_chars(operand.data() + 1, operand.data() + operand.size(), value);
  if (error != std::errc{} || end != operand.data() + operand.size()) return {};
  return value;
}

/// The number at the end of `__tsan_unaligned_read4`; 0 if there is none.
std::uint64_t number_of(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  std::uint64_t value = 0;
  std::from_chars(name.data() + begin, name.data() + name.size(), value);
  return value;
}

bool is_second_argument(std::string_view operand) { return operand == "%rsi" || operand == "%esi"; }

/// Tables of switches, and what compilers count for coverage.
bool is_compilers(std::string_view address) {
  static constexpr std::array<std::string_view, 5> kNames = {"CSWTCH.", "__gcov", "__llvm_gcov", "__llvm_prf",
                                                             "__profc"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return address.find(name) != std::string_view::npos; });
}

constexpr std::array<std::string_view, 14> kRegisters = {"%rdi", "%rsi", "%rdx", "%rcx", "%rax", "%r8",  "%r9",
                                                         "%r10", "%r11", "%rbx", "%r12", "%r13", "%r14", "%r15"};
constexpr std::uint32_t kFirstArgument = 1U << 0;
constexpr std::uint32_t kChangedByCalls = (1U << 9) - 1;

/// The bit of a 64-bit register; 0 for anything else.
std::uint32_t bit_of(std::string_view operand) {
  const auto found = std::find(kRegisters.begin(), kRegisters.end(), operand);
  return found == kRegisters.end() ? 0 : 1U << (found - kRegisters.begin());
}

/// They leave %rsi as it is although it is their last operand.
bool only_compares(std::string_view word) {
  return word.starts_with("cmp") || word.starts_with("test") || word.starts_with("push") || word.starts_with("bt");
}

}  // namespace

void Announcements::see_label() {
  forget();
  frame_addresses_ = 0;
  frame_slots_.clear();
}

void Announcements::forget() {
  reads_ = writes_ = 0;
  length_ = kUnknown;
  constants_.clear();
}

void Announcements::see_call(std::string_view target) {
  target = target.substr(0, target.find('@'));
  // clang leaves an atomic load in place, and ignores what it loads.
  const bool is_atomic = target.starts_with("__tsan_atomic");
  const bool is_announcement = target.starts_with("__tsan_") && !target.starts_with("__tsan_func") &&
                               !target.starts_with("__tsan_mem") && (!is_atomic || target.ends_with("_load"));
  if (!is_announcement) {
    used_ = false;
    return forget();
  }
  if (used_) reads_ = writes_ = 0;  // of other accesses, which are over
  used_ = false;
  const bool is_range = target.ends_with("_range");
  const bool is_vptr = target.starts_with("__tsan_vptr");
  const bool is_in_frame = (frame_addresses_ & kFirstArgument) != 0;  // what is accessed there does not count
  const std::uint64_t bytes = is_in_frame ? 0
                              : is_range  ? length_
                              : is_vptr   ? 2 * 8  // and an entry of the table
                              : is_atomic ? number_of(target.substr(0, target.find("_load"))) / 8
                                          : number_of(target);
  if (target.find("read") != std::string_view::npos || is_atomic) reads_ += bytes;
  if (target.find("write") != std::string_view::npos || target.find("update") != std::string_view::npos)
    writes_ += bytes;
  length_ = kUnknown;
}

/// An address of the frame is in a register, is copied to another one, or is spilled to the frame and reloaded.
void Announcements::see_frame_addresses(std::string_view word, const std::vector<std::string_view>& operands) {
  if (operands.size() != 2) return;
  const std::string_view source = operands[0];
  const std::string_view target = operands[1];
  const auto slot = [&](std::string_view operand) {
    return std::find(frame_slots_.begin(), frame_slots_.end(), operand);
  };
  const bool is_address = (word == "leaq" && is_in_frame(source)) ||
                          (word == "movq" && (source == "%rsp" || (frame_addresses_ & bit_of(source)) != 0 ||
                                              slot(source) != frame_slots_.end()));
  if (const std::uint32_t bit = bit_of(target); bit != 0) {
    frame_addresses_ = is_address ? frame_addresses_ | bit : frame_addresses_ & ~bit;
  } else if (is_in_frame(target)) {
    if (const auto known = slot(target); known != frame_slots_.end()) frame_slots_.erase(known);
    if (is_address) frame_slots_.emplace_back(target);
  }
}

bool Announcements::is_in_frame(std::string_view address) const {
  const std::string_view base = base_register(address);
  return base == "rsp" || (base == "rbp" && has_frame_pointer_) ||
         (frame_addresses_ & bit_of("%" + std::string(base))) != 0;
}

bool Announcements::is_own(std::string_view address) const {
  const std::string_view base = base_register(address);
  if (is_in_frame(address)) return true;
  // %fs:40 is thread-local; `.LC0` and tables of jumps are constants, as are the addresses that the loader fills in.
  return address.find(':') != std::string_view::npos || address.starts_with('.') || address.starts_with("_ZTV") ||
         address.find("@GOT") != std::string_view::npos || address.find("@gottp") != std::string_view::npos ||
         address.find("@tpoff") != std::string_view::npos || is_compilers(address) ||
         (!base.empty() && base == constants_);
}

bool Announcements::is_announced(const MemoryAccess& access) {
  used_ = true;
  // A bit-field is loaded with its neighbours, also before it is stored. Only the program knows how much a counted
  // access accesses.
  if ((access.reads && reads_ == 0 && writes_ == 0) || (access.writes && writes_ == 0)) return false;
  const std::uint64_t bytes = access.counted ? kUnknown : access.bytes;
  if (access.reads) reads_ -= std::min(reads_, bytes);
  if (access.writes) writes_ -= std::min(writes_, bytes);
  return true;
}

std::vector<MemoryAccess> Announcements::see(std::string_view instruction) {
  const std::string_view word = mnemonic(instruction);
  std::vector<MemoryAccess> found = memory_accesses(instruction);
  std::erase_if(found, [&](const MemoryAccess& access) { return is_own(access.address) || is_announced(access); });
  const std::vector<std::string_view> given = operands(instruction);
  if (word.starts_with("call")) {
    see_call(given.empty() ? std::string_view{} : given[0]);
    frame_addresses_ &= ~kChangedByCalls;
  } else if (word.starts_with("mov") && given.size() == 2 && given[0] == "%rsp" && given[1] == "%rbp") {
    has_frame_pointer_ = true;
  } else if (!given.empty() && !only_compares(word)) {
    see_frame_addresses(word, given);
    const std::string_view target = given.back();
    if (is_second_argument(target))
      length_ = word.starts_with("mov") ? constant(given[0]).value_or(kUnknown) : kUnknown;
    if (word == "leaq" && given[0].starts_with(".L"))
      constants_ = target.substr(1);
    else if (target.substr(std::min<std::size_t>(target.size(), 1)) == constants_)
      constants_.clear();
  }
  return found;
}

}  // namespace mazurka::assembly
