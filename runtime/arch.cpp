#include "runtime/arch.hpp"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

// Each thread has its own rounding modes and exception flags: MXCSR and the x87 control word are switched too. Loading
// them is slow and nearly always in vain, so they are compared first. The x87 status word is not switched: exceptions
// of long double arithmetic are those of all threads.
__asm__(R"(
.text
.globl mazurka_switch_stack
.hidden mazurka_switch_stack
.type mazurka_switch_stack, @function
mazurka_switch_stack:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  push $0
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  mov (%rsp), %eax
  movzwl 4(%rsp), %ecx
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  cmp %eax, (%rsp)
  jne 1f
  cmp %cx, 4(%rsp)
  jne 1f
2:
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
1:
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  jmp 2b
.size mazurka_switch_stack, . - mazurka_switch_stack
.globl mazurka_leave_stack
.hidden mazurka_leave_stack
.type mazurka_leave_stack, @function
mazurka_leave_stack:
  push $0
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  mov (%rsp), %eax
  movzwl 4(%rsp), %ecx
  mov %rdi, %rsp
  cmp %eax, (%rsp)
  jne 1f
  cmp %cx, 4(%rsp)
  jne 1f
2:
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  pop %rcx
  jmp *%rcx
1:
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  jmp 2b
.size mazurka_leave_stack, . - mazurka_leave_stack
.globl mazurka_system_call
.hidden mazurka_system_call
.type mazurka_system_call, @function
mazurka_system_call:
  mov %rdi, %rax
  mov %rsi, %rdi
  mov %rdx, %rsi
  mov %rcx, %rdx
  mov %r8, %r10
  mov %r9, %r8
  mov 8(%rsp), %r9
  syscall
.globl mazurka_system_call_return
.hidden mazurka_system_call_return
mazurka_system_call_return:
  ret
.size mazurka_system_call, . - mazurka_system_call
.section .note.GNU-stack,"",@progbits
.text
)");

namespace mazurka::runtime {

bool has_wrfsbase() {
  constexpr unsigned long kFsGsBase = 2;  // HWCAP2_FSGSBASE
  return (getauxval(AT_HWCAP2) & kFsGsBase) != 0;
}

bool has_bmi2() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("bmi2") != 0;
}

void write_thread_pointer_slowly(std::uint64_t value) {
  raw_syscall(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(value));
}

}  // namespace mazurka::runtime
