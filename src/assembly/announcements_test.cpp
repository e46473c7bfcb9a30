#include "assembly/announcements.hpp"

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

namespace mazurka::assembly {
namespace {

/// The addresses of unannounced accesses in a function; a line that ends with a colon is a label.
std::string unannounced(std::initializer_list<const char*> function) {
  Announcements announcements;
  announcements.begin_function();
  std::string result;
  for (const std::string_view line : function) {
    if (line.ends_with(':')) {
      announcements.see_label();
      continue;
    }
    for (const MemoryAccess& access : announcements.see(line)) {
      if (!result.empty()) result += ' ';
      result += (access.writes ? "w" : "r") + std::to_string(access.bytes) + access.address.data();
      result.resize(result.rfind(access.address) + access.address.size());
    }
  }
  return result;
}

TEST(Announcements, AreThoseOfTheCallsRightBefore) {
  EXPECT_EQ(unannounced({"call __tsan_read4@PLT", "movl (%rbx), %eax"}), "");
  EXPECT_EQ(unannounced({"call __tsan_read4@PLT", "movl (%rbx), %eax", "movl 4(%rbx), %eax"}), "r44(%rbx)");
  EXPECT_EQ(unannounced({"call __tsan_read4@PLT", "movl %eax, (%rbx)"}), "w4(%rbx)");
  EXPECT_EQ(unannounced({"call __tsan_read4@PLT", "call f@PLT", "movl (%rbx), %eax"}), "r4(%rbx)");
  EXPECT_EQ(unannounced({"call __tsan_read4@PLT", "movl (%rbx), %eax", "call __tsan_write4@PLT", "movl %eax, (%rbx)"}),
            "");
  EXPECT_EQ(unannounced({"call __tsan_read4@PLT", "call __tsan_write4@PLT", "addl $1, (%rbx)"}), "");
}

TEST(Announcements, AreForgottenWhereControlFlowJoins) {
  EXPECT_EQ(unannounced({"call __tsan_read4@PLT", ".L2:", "movl (%rbx), %eax"}), "r4(%rbx)");
}

TEST(Announcements, OfRangesHaveTheirLengthInASecondArgument) {
  EXPECT_EQ(unannounced({"movl $24, %esi", "call __tsan_read_range@PLT", "movdqu (%rbx), %xmm0", "movq 16(%rbx), %rax",
                         "movq 24(%rbx), %rax"}),
            "r824(%rbx)");
  EXPECT_EQ(unannounced({"movq %rax, %rsi", "call __tsan_write_range@PLT", "rep stosq"}), "");
}

TEST(Announcements, OfBitFieldsCoverTheirNeighboursAndTheLoadBeforeAStore) {
  EXPECT_EQ(unannounced({"movl $3, %esi", "call __tsan_read_range@PLT", "movl (%rbx), %eax"}), "");
  EXPECT_EQ(unannounced({"movl $3, %esi", "call __tsan_write_range@PLT", "movzwl (%rbx), %eax", "movw %ax, (%rbx)",
                         "movzbl 2(%rbx), %eax", "movb %al, 2(%rbx)"}),
            "");
}

TEST(Announcements, ComeWithAtomicLoadsThatClangLeavesInPlace) {
  EXPECT_EQ(unannounced({"callq __tsan_atomic32_load@PLT", "movl x(%rip), %ecx"}), "");
  EXPECT_EQ(unannounced({"callq __tsan_atomic32_store@PLT", "movl x(%rip), %ecx"}), "r4x(%rip)");
}

TEST(Announcements, OfVirtualCallsCoverTheTable) {
  EXPECT_EQ(unannounced({"call __tsan_vptr_read@PLT", "movq (%rbx), %rax", "call *8(%rax)"}), "");
}

TEST(Announcements, OfTheFrameAreForTheFrameOnly) {
  EXPECT_EQ(unannounced({"leaq -8(%rsp), %rdi", "call __tsan_write8@PLT", "movq %rdi, -8(%rsp)", "movq %rax, (%rbx)"}),
            "w8(%rbx)");
  EXPECT_EQ(unannounced({"leaq 8(%rsp), %rbx", "movq %rbx, %rdi", "call __tsan_write8@PLT", "movq %rax, (%rcx)"}),
            "w8(%rcx)");
  EXPECT_EQ(unannounced(
                {"leaq 8(%rsp), %rdi", "call f@PLT", "movq %rax, %rdi", "call __tsan_write8@PLT", "movq %rax, (%rcx)"}),
            "");
}

TEST(Announcements, AreNotNeededForWhatIsNotShared) {
  EXPECT_EQ(unannounced({"movl 8(%rsp), %eax", "movl %fs:40, %eax", "movsd .LC0(%rip), %xmm0",
                         "movq f@GOTPCREL(%rip), %rax", "addq $1, 8+__gcov0.main(%rip)"}),
            "");
  EXPECT_EQ(unannounced({"movl -8(%rbp), %eax"}), "r4-8(%rbp)");
  EXPECT_EQ(unannounced({"movq %rsp, %rbp", "movl -8(%rbp), %eax"}), "");
  EXPECT_EQ(unannounced({"leaq .LJTI2_0(%rip), %rcx", "movslq (%rcx,%rax,4), %rax"}), "");
  EXPECT_EQ(unannounced({"leaq .LJTI2_0(%rip), %rcx", "movq %rbx, %rcx", "movslq (%rcx,%rax,4), %rax"}),
            "r4(%rcx,%rax,4)");
}

}  // namespace
}  // namespace mazurka::assembly
