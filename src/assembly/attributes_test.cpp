#include "assembly/attributes.hpp"

#include <gtest/gtest.h>

namespace mazurka::assembly {
namespace {

TEST(Attributes, GiveTheFunctionTheyBelongTo) {
  const std::pair<const char*, const char*> table[] = {
      {"__attribute__((no_sanitize(\"thread\"))) void f(int);", "f"},
      {"static __attribute__((noinline, no_sanitize_thread)) int* f(void) { return 0; }", "f"},
      {"__attribute__((__no_sanitize__(\"undefined\", \"thread\"))) int f() {}", "f"},
      {"[[gnu::no_sanitize(\"thread\")]] void A::f() {}", "f"},
      {"[[clang::no_sanitize(\"all\")]] A::~A() {}", "~A"},
      {"__attribute__((disable_sanitizer_instrumentation)) bool operator==(A, A);", "operator=="},
      {"__attribute__((no_sanitize(\"thread\"))) int operator()(int) const;", "operator()"},
      {"__attribute__((no_sanitize(\"thread\"))) __attribute__((cold)) alignas(8) void f();", "f"},
      {"__attribute__((no_sanitize_thread)) operator int() const;", "operator int"},
      {"bool operator==(A, A) __attribute__((no_sanitize_thread));", "operator=="},
      {"void f(int (*g)(int)) __attribute__((no_sanitize(\"thread\")));", "f"},
      {"template <> void f<int>(int) __attribute__((no_sanitize(\"thread\")));", "f"},
      {"auto l = [&](int) __attribute__((no_sanitize(\"thread\"))) { ++x; };", "operator()"},
  };
  for (const auto& [text, name] : table) {
    const auto found = exemptions(text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].function, name) << text;
  }
}

TEST(Attributes, OfOtherKindsDoNotCount) {
  for (const char* text : {"__attribute__((no_sanitize(\"address\"))) void f();",
                           "void no_sanitize(const char*); void g() { no_sanitize(\"thread\"); }",
                           "const char* s = \"__attribute__((no_sanitize_thread))\";",
                           "const char* s = R\"x(__attribute__((no_sanitize_thread)) )x\";",
                           "int a = 1'000; char c = '\"'; // no_sanitize"})
    EXPECT_TRUE(exemptions(text).empty()) << text;
}

TEST(Attributes, HaveThePlacesOfTheSource) {
  const auto found = exemptions(
      "# 1 \"a.c\"\nint x;\n# 1 \"b.h\" 1\n\nvoid h(void);\n# 9 \"a.c\" 2\n\n__attribute__((no_sanitize_thread))\n"
      "int f(void);\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].file, "a.c");
  EXPECT_EQ(found[0].line, 10U);
}

TEST(Attributes, OfPragmasAreForAnyFunction) {
  const auto found = exemptions(
      "#pragma clang attribute push(__attribute__((no_sanitize(\"thread\"))), apply_to = function)\nint f();\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].function, "");
  EXPECT_EQ(exempt_functions({"_Z1fv"}, found).size(), 1U);
}

TEST(Attributes, ExemptSuspectsOfTheirNameOnly) {
  const auto found = exemptions("__attribute__((no_sanitize_thread)) void push(int);");
  const auto functions = exempt_functions({"_ZN5queue4pushEi", "_ZN5queue3popEv"}, found);
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].function, "queue::push(int)");
  EXPECT_EQ(functions[0].kind, Kind::Function);
}

TEST(Attributes, LastNames) {
  EXPECT_EQ(last_name("f"), "f");
  EXPECT_EQ(last_name("queue<int, (kind)2>::push(std::function<void ()>) const"), "push");
  EXPECT_EQ(last_name("void f<int>(int)"), "f");
  EXPECT_EQ(last_name("(anonymous namespace)::f(int)"), "f");
  EXPECT_EQ(last_name("main::{lambda(int)#1}::operator()(int) const"), "operator()");
  EXPECT_EQ(last_name("f(int)::{lambda()#1}::operator()() const"), "operator()");
  EXPECT_EQ(last_name("A::operator==(A const&) const"), "operator==");
  EXPECT_EQ(last_name("A::~A()"), "~A");
}

}  // namespace
}  // namespace mazurka::assembly
