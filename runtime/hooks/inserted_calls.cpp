// Calls that `mazurka cc` inserts into the code of compilers (src/assembly/scanner.hpp): after fences in inline
// assembly, and before accesses that the compiler has not announced.
//
// The code around does not know of the call, so all registers and the flags are preserved. C++ code preserves the
// callee-saved ones; XSAVE saves the vector registers up to AVX-512 and the x87 state, whatever the CPU has.
#include "runtime/hooks/inserted_calls.hpp"

#include <cpuid.h>

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/hooks/fence.hpp"
#include "runtime/hooks/plain.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/clean_stack.hpp"

__asm__(R"(
.text
.macro mazurka_restore register  # leaves nothing behind
  popq \register
  movq $0, -8(%rsp)
.endm
.macro mazurka_inserted name, handler, argument=0
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
  .if \argument == 0  # most accesses need nothing
  movq %rbp, %rsi
  call mazurka_access_matters
  testb %al, %al
  je 2f
  .endif
  movl $\argument, %edi
  movq %rbp, %rsi
  leaq \handler(%rip), %rax
  call mazurka_keep_vectors
2:
  call mazurka_cleans_after_calls
  testb %al, %al
  je 3f
  leaq -4096(%rsp), %rdi
  movl $512, %ecx
  xorl %eax, %eax
  rep stosq
3:
  mazurka_restore %r11
  mazurka_restore %r10
  mazurka_restore %r9
  mazurka_restore %r8
  mazurka_restore %rdi
  .if \argument == 0  # that was the address; the program's is above the frame, and the code around does not pop it
  movq 16(%rbp), %rdi
  movq $0, 16(%rbp)
  .endif
  mazurka_restore %rsi
  mazurka_restore %rbx
  mazurka_restore %rdx
  mazurka_restore %rcx
  mazurka_restore %rax
  popfq
  movq $0, -8(%rsp)
  mazurka_restore %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size \name, . - \name
.endm

mazurka_inserted __mazurka_acquire_fence, mazurka_assembly_fence, 2
mazurka_inserted __mazurka_release_fence, mazurka_assembly_fence, 3
mazurka_inserted __mazurka_full_fence, mazurka_assembly_fence, 5
mazurka_inserted __mazurka_access, mazurka_unannounced_access
.purgem mazurka_inserted
.purgem mazurka_restore

.type mazurka_keep_vectors, @function
mazurka_keep_vectors:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rax
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
  call *-8(%rbp)
  movl $0xe7, %eax
  xorl %edx, %edx
  xrstor64 (%rsp)
  jmp 3f
2:
  fxsave64 (%rsp)
  call *-8(%rbp)
  fxrstor64 (%rsp)
3:
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size mazurka_keep_vectors, . - mazurka_keep_vectors

.hidden mazurka_has_xsave  # 0: not asked yet, 1: no, 2: yes
.comm mazurka_has_xsave, 1, 1
)");

using namespace mazurka::runtime;

/// How the vector registers are saved, asked before main: afterwards it would be a step's effect on memory.
extern "C" __attribute__((visibility("hidden"))) char mazurka_has_xsave;
__attribute__((constructor)) static void find_xsave() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  mazurka_has_xsave = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) != 0 ? 2 : 1;
}

/// `order` is a memory order of the C library; the frame starts with the caller's frame pointer and the return address.
extern "C" __attribute__((used, visibility("hidden"))) void mazurka_assembly_fence(int order, void** frame) {
  fence(order, site_of(frame[1], frame));
}

/// A modification is one step, as in the hooks that compilers call.
extern "C" __attribute__((used, visibility("hidden"))) void mazurka_unannounced_access(int, void** frame) {
  const InsertedAccess access(frame);
  const std::uint64_t bytes = access.bytes();
  if (detector.checking) {
    if (access.reads()) touch_range(access.address(), bytes, Touch::Read, frame[1]);
    if (access.writes()) touch_range(access.address(), bytes, Touch::Write, frame[1]);
    return clean_a_little();
  }
  visible_range(access.writes(), access.address(), bytes, site_of(frame[1], frame));
  clean_a_little();
}
