#include "assembly/instruction.hpp"

#include <gtest/gtest.h>

namespace mazurka::assembly {
namespace {

TEST(Instruction, HasTheEffectThatTheTableSays) {
  const std::pair<const char*, Effect> table[] = {
      {"nop", Effect::None},
      {"nopw 0(%rax,%rax,1)", Effect::None},
      {"pause", Effect::None},
      {"rep; nop", Effect::None},
      {"cpuid", Effect::None},
      {"xgetbv", Effect::None},
      {"bswap %eax", Effect::None},
      {"addl %eax, %ebx", Effect::None},
      {"addl $8, %ebx", Effect::None},
      {"movslq %eax, %rbx", Effect::None},
      {"movsd %xmm0, %xmm1", Effect::None},
      {"leaq 8(%rax), %rbx", Effect::None},
      {"prefetcht0 (%rax)", Effect::None},
      {"jne 1b", Effect::None},
      {"pushq %rbx", Effect::None},
      {"popq %rbx", Effect::None},
      {"pushfq", Effect::None},
      {"fadd %st(1), %st", Effect::None},
      {"stmxcsr -4(%rsp)", Effect::None},
      {".align 16", Effect::None},
      {"mfence", Effect::FullFence},
      {"lfence", Effect::AcquireFence},
      {"sfence", Effect::ReleaseFence},
      {"lock addl $0, 0(%rsp)", Effect::FullFence},
      {"lock addl $0,-4(%rsp)", Effect::FullFence},
      {"lock orl $0x0, (%rsp)", Effect::FullFence},
      {"lock orq $0, (%rsp)", Effect::FullFence},
      {"addl $0, (%rsp)", Effect::Memory},
      {"lock addl $1, (%rsp)", Effect::Memory},
      {"lock addl $0, (%rax)", Effect::Memory},
      {"movl x(%rip), %eax", Effect::Memory},
      {"movl x, %eax", Effect::Memory},
      {"movl %eax, (%rdi)", Effect::Memory},
      {"movq %fs:0, %rax", Effect::Memory},
      {"xchgl %eax, -4(%rbp)", Effect::Memory},
      {"lock cmpxchgl %ecx, (%rdx)", Effect::Memory},
      {"lock xaddl %eax, x(%rip)", Effect::Memory},
      {"incl (%rax)", Effect::Memory},
      {"stmxcsr (%rax)", Effect::Memory},
      {"rep movsb", Effect::Memory},
      {"rep stosq", Effect::Memory},
      {"movsl", Effect::Memory},
      {"call f", Effect::Memory},
      {"call *%rax", Effect::Memory},
      {"jmp *(%rax)", Effect::Memory},
      {".byte 0x0f, 0x0b", Effect::Memory},
      {"clflush (%rax)", Effect::None},
      {"rdtsc", Effect::Uncontrolled},
      {"rdrand %eax", Effect::Uncontrolled},
      {"syscall", Effect::Uncontrolled},
      {"int $0x80", Effect::Uncontrolled},
      {"int $3", Effect::None},
  };
  for (const auto& [text, expected] : table) {
    // Prefixes that stand alone are joined by the scanner.
    std::string joined = text;
    if (const std::size_t semicolon = joined.find(';'); semicolon != std::string::npos) joined.erase(semicolon, 1);
    EXPECT_EQ(effect(joined, Syntax::Att), expected) << text;
  }
}

TEST(Instruction, IsReadInIntelSyntaxToo) {
  const std::pair<const char*, Effect> table[] = {
      {"mov eax, ebx", Effect::None},
      {"mov eax, 8", Effect::None},
      {"lea rax, [rbx+8]", Effect::None},
      {"mov eax, DWORD PTR [rbx]", Effect::Memory},
      {"mov eax, x", Effect::Memory},
      {"mfence", Effect::FullFence},
      {"lock or DWORD PTR [rsp], 0", Effect::FullFence},
      {"lock inc DWORD PTR [rax]", Effect::Memory},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(effect(text, Syntax::Intel), expected) << text;
}

TEST(Instruction, KnowsPrefixes) {
  EXPECT_TRUE(is_prefix("lock"));
  EXPECT_TRUE(is_prefix("rep"));
  EXPECT_FALSE(is_prefix("lock addl $0, (%rsp)"));
  EXPECT_FALSE(is_prefix("nop"));
  EXPECT_EQ(mnemonic("lock addl $0, (%rsp)"), "addl");
  EXPECT_TRUE(is_locked("rep lock incl (%rax)"));
}

}  // namespace
}  // namespace mazurka::assembly
