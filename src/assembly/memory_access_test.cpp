#include "assembly/memory_access.hpp"

#include <gtest/gtest.h>

namespace mazurka::assembly {
namespace {

constexpr bool kReads = true;

MemoryAccess read(std::string_view address, std::uint32_t bytes) { return {address, bytes, kReads, false, false}; }
MemoryAccess write(std::string_view address, std::uint32_t bytes) { return {address, bytes, !kReads, true, false}; }
MemoryAccess modification(std::string_view address, std::uint32_t bytes) { return {address, bytes, true, true, false}; }
MemoryAccess counted(MemoryAccess access) {
  access.counted = true;
  return access;
}

TEST(MemoryAccess, IsThatOfTheTable) {
  const std::pair<const char*, std::vector<MemoryAccess>> table[] = {
      {"addl %eax, %ebx", {}},
      {"leaq 8(%rax), %rbx", {}},
      {"jmp .L3", {}},
      {"call f@PLT", {}},
      {"movq 8(%rax,%rcx,4), %rdx", {read("8(%rax,%rcx,4)", 8)}},
      {"movl x(%rip), %eax", {read("x(%rip)", 4)}},
      {"movw %ax, (%rdx)", {write("(%rdx)", 2)}},
      {"movb %sil, (%rdx)", {write("(%rdx)", 1)}},
      {"movb $1, x+3(%rip)", {write("x+3(%rip)", 1)}},
      {"movq %r10, (%rdx)", {write("(%rdx)", 8)}},
      {"movl %r10d, (%rdx)", {write("(%rdx)", 4)}},
      {"movzbl 2(%rax), %edx", {read("2(%rax)", 1)}},
      {"movzwl 2(%rax), %edx", {read("2(%rax)", 2)}},
      {"movslq (%rdx,%rax,4), %rax", {read("(%rdx,%rax,4)", 4)}},
      {"movsbl (%rdx), %eax", {read("(%rdx)", 1)}},
      {"addl $1, (%rdx)", {modification("(%rdx)", 4)}},
      {"addl (%rdx), %eax", {read("(%rdx)", 4)}},
      {"sall %cl, (%rdx)", {modification("(%rdx)", 4)}},
      {"incq x(%rip)", {modification("x(%rip)", 8)}},
      {"cmpb $0, (%rdx)", {read("(%rdx)", 1)}},
      {"cmpl %eax, (%rdx)", {read("(%rdx)", 4)}},
      {"testb $4, 1(%rdx)", {read("1(%rdx)", 1)}},
      {"sete 5(%rdx)", {write("5(%rdx)", 1)}},
      {"cmovne (%rdx), %eax", {read("(%rdx)", 4)}},
      {"imull 4(%rdx), %eax", {read("4(%rdx)", 4)}},
      {"pushq 16(%rax)", {read("16(%rax)", 8)}},
      {"popq 16(%rax)", {write("16(%rax)", 8)}},
      {"call *16(%rax)", {read("16(%rax)", 8)}},
      {"movdqu (%rbx), %xmm0", {read("(%rbx)", 16)}},
      {"movups %xmm0, (%rbx)", {write("(%rbx)", 16)}},
      {"vmovdqu (%rbx), %ymm0", {read("(%rbx)", 32)}},
      {"vmovups %zmm0, (%rbx)", {write("(%rbx)", 64)}},
      {"movss (%rbx), %xmm0", {read("(%rbx)", 4)}},
      {"movsd %xmm0, (%rbx)", {write("(%rbx)", 8)}},
      {"movq %xmm0, (%rbx)", {write("(%rbx)", 8)}},
      {"movd (%rbx), %xmm0", {read("(%rbx)", 4)}},
      {"movhps %xmm0, 8(%rbx)", {write("8(%rbx)", 8)}},
      {"addsd (%rbx), %xmm0", {read("(%rbx)", 8)}},
      {"vaddps (%rbx), %ymm0, %ymm1", {read("(%rbx)", 32)}},
      {"vbroadcastss (%rbx), %ymm1", {read("(%rbx)", 4)}},
      {"vextractf128 $1, %ymm0, (%rbx)", {write("(%rbx)", 16)}},
      {"cvtsi2sdl (%rbx), %xmm0", {read("(%rbx)", 4)}},
      {"cvtsi2sdq (%rbx), %xmm0", {read("(%rbx)", 8)}},
      {"cvttsd2si (%rbx), %eax", {read("(%rbx)", 8)}},
      {"pmovzxbd (%rbx), %xmm0", {read("(%rbx)", 4)}},
      {"pextrw $2, %xmm0, (%rbx)", {write("(%rbx)", 2)}},
      {"fldt (%rbx)", {read("(%rbx)", 10)}},
      {"fstpt (%rbx)", {write("(%rbx)", 10)}},
      {"fldl (%rbx)", {read("(%rbx)", 8)}},
      {"fildl (%rbx)", {read("(%rbx)", 4)}},
      {"fistpll (%rbx)", {write("(%rbx)", 8)}},
      {"rep stosq", {counted(write("(%rdi)", 8))}},
      {"rep movsb", {counted(read("(%rsi)", 1)), counted(write("(%rdi)", 1))}},
      {"movsl", {read("(%rsi)", 4), write("(%rdi)", 4)}},
  };
  for (const auto& [text, expected] : table) {
    const std::vector<MemoryAccess> found = memory_accesses(text);
    ASSERT_EQ(found.size(), expected.size()) << text;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].address, expected[i].address) << text;
      EXPECT_EQ(found[i].bytes, expected[i].bytes) << text;
      EXPECT_EQ(found[i].reads, expected[i].reads) << text;
      EXPECT_EQ(found[i].writes, expected[i].writes) << text;
      EXPECT_EQ(found[i].counted, expected[i].counted) << text;
    }
  }
}

TEST(MemoryAccess, HasABaseRegister) {
  EXPECT_EQ(base_register("8(%rax,%rcx,4)"), "rax");
  EXPECT_EQ(base_register("x(%rip)"), "rip");
  EXPECT_EQ(base_register("table(,%rcx,8)"), "");
  EXPECT_EQ(base_register("x"), "");
}

}  // namespace
}  // namespace mazurka::assembly
