// Which accesses of compiled code a compiler has announced with -fsanitize=thread, and which it has not.
//
// gcc announces the accesses of assignments only: not what it copies to pass a structure by value, nor where it puts
// the structure that a function returns, nor its own expansion of __builtin_memcpy. clang announces accesses of 1, 2,
// 4, 8 and 16 bytes only: not those of a long double, of a bit-field of three bytes, of a vector of 32.
//
// An announcement is a call, and memory is accessed between that call and the next one: calls may do anything to
// memory, so no compiler moves accesses across them. So a stretch of code without calls accesses at most as many bytes
// as the calls right before it have announced. Everything else is *unannounced*. Where control flow joins, nothing is
// known to be announced; an access that is taken for unannounced although it is not is announced twice, which has no
// effect but costs time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/memory_access.hpp"

namespace mazurka::assembly {

class Announcements {
 public:
  void begin_function() { *this = {}; }
  void see_label();
  /// What this instruction accesses without announcement. Accesses to the function's own frame do not count: compilers
  /// keep there what nobody else sees. Nor do constants and what belongs to one thread.
  std::vector<MemoryAccess> see(std::string_view instruction);

 private:
  void see_call(std::string_view target);
  void see_frame_addresses(std::string_view word, const std::vector<std::string_view>& operands);
  void forget();
  bool is_in_frame(std::string_view address) const;
  bool is_own(std::string_view address) const;
  bool is_announced(const MemoryAccess& access);

  std::uint64_t reads_ = 0;               ///< bytes that may still be read
  std::uint64_t writes_ = 0;              ///< bytes that may still be written
  bool used_ = false;                     ///< something was accessed since the last announcement
  std::uint64_t length_ = kUnknown;       ///< in %rsi, the second argument of a call
  std::string constants_;                 ///< a register that points to constants, such as a table of jumps
  std::uint32_t frame_addresses_ = 0;     ///< a bit for each register that points into the function's own frame
  std::vector<std::string> frame_slots_;  ///< places in the frame where such a register is spilled
  bool has_frame_pointer_ = false;

  static constexpr std::uint64_t kUnknown = 1ULL << 40;
};

}  // namespace mazurka::assembly
