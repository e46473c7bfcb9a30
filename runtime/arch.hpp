// What depends on the CPU and the kernel: switching stacks and thread pointers, raw system calls, and memory copies
// that do not call memcpy, which this runtime interposes.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__) || !defined(__linux__)
#error "the runtime supports x86-64 Linux only"
#endif

namespace mazurka::runtime {

/// Pushes the callee-saved registers and the floating-point control words, stores the stack pointer in *save and
/// continues on the stack `to`.
extern "C" void mazurka_switch_stack(void** save, void* to);

/// Continues on the stack `to` and never returns to this one. The CPU predicts returns by a stack of its own: neither
/// the way here nor the jump there changes it, so those of the thread on `to` are predicted if it was the last to run.
[[noreturn, gnu::always_inline]] inline void leave_stack(void* to) {
  __asm__ volatile("jmp mazurka_leave_stack" : : "D"(to) : "memory");
  __builtin_unreachable();
}

/// Where mazurka_switch_stack() pushes rbp down to r15, above the stack pointer that it stores.
inline constexpr std::uint64_t kSavedRegisters = 8;

/// A stack as mazurka_switch_stack() leaves it, which begins with `function` and the caller's rounding mode. The zero
/// above is a return address at which unwinding ends.
inline void* first_stack(std::uint64_t end, void (*function)()) {
  auto* top = reinterpret_cast<std::uint64_t*>(end);
  *--top = 0;
  *--top = reinterpret_cast<std::uint64_t>(function);
  for (int i = 0; i < 6; ++i) *--top = 0;
  *--top = 0;
  __asm__ volatile("stmxcsr (%0)\n\tfnstcw 4(%0)" : : "r"(top) : "memory");
  return top;
}

inline std::uint64_t read_thread_pointer() {
  std::uint64_t value;
  __asm__ volatile("mov %%fs:0x10, %0" : "=r"(value));  // tcbhead_t::self
  return value;
}

/// The frame of a function that the caller calls next lies below this address.
[[gnu::always_inline]] inline std::uint64_t stack_pointer() {
  std::uint64_t value;
  __asm__ volatile("mov %%rsp, %0" : "=r"(value));
  return value;
}

/// The only system call instruction of the runtime, so that the trap can tell its calls apart: see
/// system_call_trap.cpp.
extern "C" long mazurka_system_call(long number, long a, long b, long c, long d, long e, long f);

inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  return mazurka_system_call(number, a, b, c, d, e, f);
}

/// An inlined system call that does not touch the stack; not for system calls that are trapped.
__attribute__((always_inline)) inline long stackless_syscall(long number, long a, long b, long c, long d) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
  return result;
}

/// Whether user code may execute wrfsbase; checked once, at the start.
bool has_wrfsbase();
void write_thread_pointer_slowly(std::uint64_t value);

inline void write_thread_pointer(std::uint64_t value, bool fast) {
  if (!fast) [[unlikely]]
    return write_thread_pointer_slowly(value);
  __asm__ volatile("wrfsbase %0" ::"r"(value) : "memory");
}

inline void copy_bytes(void* to, const void* from, std::size_t count) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

inline void zero_bytes(void* to, std::size_t count) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(0) : "memory");
}

/// The rounding modes of floating-point operations, which of their exceptions are unmasked, and which of those of the
/// vector unit have happened.
inline std::uint64_t floating_point_control() {
  std::uint32_t vector_control;
  std::uint16_t control;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vector_control), "=m"(control));
  return std::uint64_t{vector_control} << 16 | control;
}

/// Clears the registers in which arguments are passed, and the others that calls do not preserve. They hold remains of
/// earlier calls, and functions with an ellipsis save all of the former on the stack. Call at the end of a function.
[[gnu::always_inline]] inline void clear_call_registers() {
  __asm__ volatile(
      "xorl %%eax, %%eax; xorl %%ecx, %%ecx; xorl %%edx, %%edx; xorl %%esi, %%esi; xorl %%edi, %%edi;"
      "xorl %%r8d, %%r8d; xorl %%r9d, %%r9d; xorl %%r10d, %%r10d; xorl %%r11d, %%r11d;"
      "pxor %%xmm0, %%xmm0; pxor %%xmm1, %%xmm1; pxor %%xmm2, %%xmm2; pxor %%xmm3, %%xmm3;"
      "pxor %%xmm4, %%xmm4; pxor %%xmm5, %%xmm5; pxor %%xmm6, %%xmm6; pxor %%xmm7, %%xmm7"
      :
      :
      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
        "xmm6", "xmm7", "cc");
}

/// Clears the register that holds a pointer that is needed no more.
template <class Pointed>
[[gnu::always_inline]] inline void clear_register(Pointed* pointer) {
  __asm__ volatile("xorl %k0, %k0" : "+r"(pointer) : : "cc");
}

/// Where a function with an ellipsis has saved the registers in which arguments are passed: six of eight bytes and
/// eight of sixteen. The layout of the list is that of the ABI; the compiler does not name its fields.
constexpr std::size_t kSavedRegisterBytes = std::size_t{6} * 8 + std::size_t{8} * 16;
inline void* saved_registers(va_list arguments) {
  struct List {
    std::uint32_t general_offset, vector_offset;
    void* on_stack;
    void* saved;
  };
  return reinterpret_cast<const List*>(arguments)->saved;
}

/// Whether the CPU has BMI2; checked once, at the start.
bool has_bmi2();
/// Moves the lowest bits of a word to the places of the ones in `places` (pdep). \pre has_bmi2()
inline std::uint64_t deposit_bits(std::uint64_t bits, std::uint64_t places) {
  std::uint64_t result;
  __asm__("pdep %2, %1, %0" : "=r"(result) : "r"(bits), "r"(places));
  return result;
}

/// The number of the current CPU.
inline std::uint32_t processor() {
  std::uint32_t number;
  __asm__ volatile("rdtscp" : "=c"(number) : : "eax", "edx");
  return number & 0xfff;  // Linux stores the NUMA node in the upper bits
}

/// The time stamp counter.
inline std::uint64_t ticks() {
  std::uint32_t low;
  std::uint32_t high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return std::uint64_t{high} << 32 | low;
}

}  // namespace mazurka::runtime
