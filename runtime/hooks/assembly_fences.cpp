// Fences in inline assembly: `mazurka cc` inserts a call of one of these functions after each
// (src/assembly/scanner.hpp).
//
// The inline assembly does not declare that call as a clobber, so all registers and the flags are preserved. C++ code
// preserves the callee-saved ones; XSAVE saves the vector registers up to AVX-512 and the x87 state, whatever the CPU
// has.
#include "runtime/hooks/fence.hpp"
#include "runtime/scheduling/site.hpp"

__asm__(R"(
.text
.macro mazurka_fence name, order
.globl \name
.type \name, @function
\name:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushfq
  cld
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rbx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  movl $\order, %edi
  movq %rbp, %rsi
  call mazurka_keep_vectors
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rbx
  popq %rdx
  popq %rcx
  popq %rax
  popfq
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size \name, . - \name
.endm

mazurka_fence __mazurka_acquire_fence, 2
mazurka_fence __mazurka_release_fence, 3
mazurka_fence __mazurka_full_fence, 5
.purgem mazurka_fence

.type mazurka_keep_vectors, @function
mazurka_keep_vectors:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $2752, %rsp
  andq $-64, %rsp
  cmpb $0, mazurka_has_xsave(%rip)
  jne 1f
  movl $1, %eax
  xorl %ecx, %ecx
  cpuid
  shrl $27, %ecx
  andl $1, %ecx
  incl %ecx
  movb %cl, mazurka_has_xsave(%rip)
1:
  cmpb $2, mazurka_has_xsave(%rip)
  jne 2f
  xorl %eax, %eax
  movq %rax, 512(%rsp)
  movq %rax, 520(%rsp)
  movq %rax, 528(%rsp)
  movq %rax, 536(%rsp)
  movq %rax, 544(%rsp)
  movq %rax, 552(%rsp)
  movq %rax, 560(%rsp)
  movq %rax, 568(%rsp)
  movl $0xe7, %eax
  xorl %edx, %edx
  xsave64 (%rsp)
  call mazurka_assembly_fence
  movl $0xe7, %eax
  xorl %edx, %edx
  xrstor64 (%rsp)
  jmp 3f
2:
  fxsave64 (%rsp)
  call mazurka_assembly_fence
  fxrstor64 (%rsp)
3:
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size mazurka_keep_vectors, . - mazurka_keep_vectors

.local mazurka_has_xsave  # 0: not asked yet, 1: no, 2: yes
.comm mazurka_has_xsave, 1, 1
)");

using namespace mazurka::runtime;

/// `order` is a memory order of the C library; the frame starts with the caller's frame pointer and the return address.
extern "C" __attribute__((used, visibility("hidden"))) void mazurka_assembly_fence(int order, void** frame) {
  fence(order, site_of(frame[1], frame));
}
