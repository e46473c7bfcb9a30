// What depends on the processor and the kernel: switching stacks and thread pointers, raw system calls, and copying
// without the memcpy that this runtime itself interposes.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__) || !defined(__linux__)
#error "the runtime supports x86-64 Linux only"
#endif

namespace mazurka::runtime {

/// Saves the callee-saved registers on the current stack, stores its top in *save and goes on with the stack `to`.
extern "C" void mazurka_switch_stack(void** save, void* to);

inline std::uint64_t read_thread_pointer() {
  std::uint64_t value;
  __asm__ volatile("mov %%fs:0x10, %0" : "=r"(value));  // the first field of a thread's block is its own address
  return value;
}

/// A function that is called next by whoever asks has its frame from here on downwards.
[[gnu::always_inline]] inline std::uint64_t stack_pointer() {
  std::uint64_t value;
  __asm__ volatile("mov %%rsp, %0" : "=r"(value));
  return value;
}

/// All system calls of the runtime are made by one instruction: see system_call_trap.cpp.
extern "C" long mazurka_system_call(long number, long a, long b, long c, long d, long e, long f);

inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  return mazurka_system_call(number, a, b, c, d, e, f);
}

/// The same without a call, so without the stack; not for system calls that are trapped.
__attribute__((always_inline)) inline long stackless_syscall(long number, long a, long b, long c, long d) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
  return result;
}

/// Whether user code may load the thread pointer itself; asked once, at the start.
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

/// The number of the processor that this runs on.
inline std::uint32_t processor() {
  std::uint32_t number;
  __asm__ volatile("rdtscp" : "=c"(number) : : "eax", "edx");
  return number & 0xfff;  // above it Linux has the number of the node
}

/// The processor's clock, at a constant rate.
inline std::uint64_t ticks() {
  std::uint32_t low;
  std::uint32_t high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return std::uint64_t{high} << 32 | low;
}

}  // namespace mazurka::runtime
