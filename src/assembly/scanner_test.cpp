#include "assembly/scanner.hpp"

#include <gtest/gtest.h>

namespace mazurka::assembly {
namespace {

/// A function of gcc's with something in it, in a file with -fsanitize=thread.
std::string function(const std::string& body, const std::string& name = "f") {
  return "\t.file\t\"a.c\"\n\t.text\n\t.globl\t" + name + "\n\t.type\t" + name + ", @function\n" + name +
         ":\n.LFB0:\n\t.cfi_startproc\n" + body + "\tret\n\t.cfi_endproc\n\t.size\t" + name + ", .-" + name +
         "\n\tcall\t__tsan_init@PLT\n";
}

std::string statement(const std::string& text, unsigned line = 7) {
  return "#APP\n# " + std::to_string(line) + " \"a.c\" 1\n\t" + text + "\n# 0 \"\" 2\n#NO_APP\n";
}

TEST(Scanner, LeavesCodeWithoutInstrumentationAlone) {
  const Scan result = scan("f:\n#APP\n# 7 \"a.c\" 1\n\tincl x\n# 0 \"\" 2\n#NO_APP\n", "");
  EXPECT_FALSE(result.instrumented);
  EXPECT_TRUE(result.records.empty());
}

TEST(Scanner, NamesAssemblyThatTouchesMemory) {
  const Scan result = scan(function(statement("movl x(%rip), %eax") + statement("", 8) + statement("pause; nop", 9) +
                                    statement("1:\tlock\n\tincl (%rax)\n\tjne 1b", 10)),
                           "");
  ASSERT_EQ(result.records.size(), 2U);
  EXPECT_EQ(result.records[0], (Unseen{Kind::Assembly, "a.c", 7, "f", "movl x(%rip), %eax"}));
  EXPECT_EQ(result.records[1], (Unseen{Kind::Assembly, "a.c", 10, "f", "lock incl (%rax); jne 1b"}));
}

TEST(Scanner, NamesAPlaceOnceHoweverOftenItIsInlined) {
  EXPECT_EQ(scan(function(statement("incl (%rax)") + statement("incl (%rdx)")), "").records.size(), 1U);
}

TEST(Scanner, FindsThePlacesOfClangInLineTables) {
  const Scan result = scan(function("\t.file\t1 \"/home/me/lib\" \"b.h\"\n\t.loc\t1 12 3\n\t#APP\n\tincl (%rax)\n"
                                    "\t#NO_APP\n"),
                           "/home/me");
  ASSERT_EQ(result.records.size(), 1U);
  EXPECT_EQ(result.records[0], (Unseen{Kind::Assembly, "lib/b.h", 12, "f", "incl (%rax)"}));
}

TEST(Scanner, CallsTheRuntimeBehindFencesOnTheSameLine) {
  const std::string text = function(statement("mfence # all") + statement("lock; addl $0, (%rsp); nop", 8));
  const Scan result = scan(text, "");
  EXPECT_TRUE(result.records.empty());
  EXPECT_NE(result.text.find("\tmfence; leaq -128(%rsp), %rsp; .cfi_adjust_cfa_offset 128; call "
                             "*__mazurka_full_fence@GOTPCREL(%rip); leaq 128(%rsp), %rsp; .cfi_adjust_cfa_offset -128 "
                             "# all\n"),
            std::string::npos)
      << result.text;
  EXPECT_NE(result.text.find("addl $0, (%rsp); leaq"), std::string::npos) << result.text;
  EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
}

TEST(Scanner, CallsTheRuntimeBeforeAccessesThatAreNotAnnounced) {
  const std::string text = function("\tmovq\t(%rcx), %rax # copy\n\tcall\ttake@PLT\n");
  const Scan result = scan(text, "");
  EXPECT_TRUE(result.records.empty());
  EXPECT_NE(
      result.text.find("\tleaq -128(%rsp), %rsp; .cfi_adjust_cfa_offset 128; pushq $65; .cfi_adjust_cfa_offset 8; "
                       "pushq %rdi; .cfi_adjust_cfa_offset 8; leaq (%rcx), %rdi; call "
                       "*__mazurka_access@GOTPCREL(%rip); leaq 144(%rsp), %rsp; .cfi_adjust_cfa_offset -144; "
                       "movq\t(%rcx), %rax # copy\n"),
      std::string::npos)
      << result.text;
  EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(scan(text, "", {"f"}).text, text) << "the function is marked no_sanitize";
}

TEST(Scanner, CallsTheRuntimeBeforeAPrefix) {
  const std::string text = scan(function("\trep;stosq\n"), "").text;
  EXPECT_NE(text.find("cfa_offset -144; rep;stosq\n"), std::string::npos) << text;
}

TEST(Scanner, KeepsAnnouncementsAcrossLabelsOfDebugInformation) {
  const std::string text = function("\tcall\t__tsan_read4@PLT\n.LVL3:\n.LBB12:\n.Ltmp4:\n\tmovl\t(%rcx), %eax\n");
  EXPECT_EQ(scan(text, "").text, text);
}

TEST(Scanner, DoesNotTellUnwindersOfTheStackPointerWhereTheyUseTheFrame) {
  const Scan result = scan(function("\t.cfi_def_cfa_register 6\n" + statement("mfence")), "");
  EXPECT_NE(result.text.find("mfence; leaq -128(%rsp), %rsp; call"), std::string::npos) << result.text;
}

TEST(Scanner, NamesAssemblyOutsideOfFunctions) {
  const std::string clang =
      "# Start of file scope inline assembly\nf:\n\tincl x(%rip)\n\tret\n# End of file scope inline assembly\n";
  const Scan result = scan(clang + function(""), "");
  ASSERT_EQ(result.records.size(), 1U);
  EXPECT_EQ(result.records[0].text, "incl x(%rip); ret");
}

TEST(Scanner, TreatsIntrinsicsAlike) {
  const Scan result = scan(function("\tmfence\n\trdtsc\n\tlock incl\tx(%rip)\n"), "");
  EXPECT_NE(result.text.find("mfence; leaq"), std::string::npos);
  ASSERT_EQ(result.intrinsics.size(), 2U);
  EXPECT_EQ(result.intrinsics[0].text, "rdtsc");
}

TEST(Scanner, SkipsDataThatAssemblyDescribesItselfBy) {
  EXPECT_TRUE(scan(function(statement("990: nop\n\t.pushsection .note.probe,\"\",\"note\"\n\t.8byte 990b\n\t.byte 1\n"
                                      "\t.popsection")),
                   "")
                  .records.empty());
}

TEST(Scanner, NamesFunctionsInAssembly) {
  const Scan result = scan("#APP\n# 3 \"a.c\" 1\n\t.globl g\ng:\tnop\n\tret\n# 0 \"\" 2\n#NO_APP\n" + function(""), "");
  ASSERT_EQ(result.records.size(), 1U);
  EXPECT_EQ(result.records[0].line, 3U);
}

TEST(Scanner, SuspectsFunctionsThatAccessMemoryWithoutInstrumentation) {
  EXPECT_EQ(scan(function("\tmovl\tx(%rip), %eax\n"), "").suspects, std::vector<std::string>{"f"});
  EXPECT_TRUE(scan(function("\tcall\t__tsan_read4@PLT\n\tmovl\tx(%rip), %eax\n"), "").suspects.empty());
  EXPECT_TRUE(scan(function("\tmovl\t4(%rsp), %eax\n"), "").suspects.empty()) << "its own frame";
  EXPECT_TRUE(scan(function("\tmovq\t%rsp, %rbp\n\tmovl\t-4(%rbp), %eax\n"), "").suspects.empty());
  EXPECT_FALSE(scan(function("\tmovl\t-4(%rbp), %eax\n"), "").suspects.empty()) << "%rbp may be any pointer";
  EXPECT_FALSE(scan(function("\tleaq\t4(%rsp), %rdi\n\tcall\tg\n\tmovl\t4(%rsp), %eax\n"), "").suspects.empty())
      << "its frame is handed out";
}

TEST(Scanner, DemanglesNames) {
  EXPECT_EQ(demangled("_ZN5queue4pushEi.part.0"), "queue::push(int)");
  EXPECT_EQ(demangled("x.constprop.0"), "x");
}

TEST(Records, SurviveTheirSection) {
  const std::vector<Unseen> records = {{Kind::Assembly, "a b.c", 7, "f(int)", "movl \"x\"\t, y"},
                                       {Kind::Object, "lib.a", 0, "", "not instrumented: x.o"}};
  std::string section(kScanned);
  for (const Unseen& unseen : records) section += std::string(1, '\0') + to_record(unseen);
  const std::vector<Unseen> read = from_section(section + std::string(2, '\0'));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].text, "movl \"x\" , y") << "tabs separate fields";
  EXPECT_EQ(read[1], records[1]);
  EXPECT_NE(section_text(records).find("\\042x\\042"), std::string::npos);
}

TEST(Scanner, LeavesOutTypesOfSectionsThatTheAssemblerDoesNotKnow) {
  const std::string text = "\tcallq\t__tsan_init@PLT\n\t.section\t\".linker-options\",\"e\"";
  EXPECT_EQ(scan(text + ",@llvm_linker_options\n", "/").text, text + "\n");
}

}  // namespace
}  // namespace mazurka::assembly
