// Suppressions: how their files are parsed, what patterns match, and which races of a program they suppress.
#include "program/suppressions.hpp"

#include <set>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

TEST(Suppressions, AreReadAsThreadSanitizerReadsThem) {
  const auto rules =
      parse_suppressions("# comment\n\n  race:push \r\nrace_top:a b\ndeadlock:x\nrace:ns::f(int)", "file");
  ASSERT_EQ(rules.size(), 4U);
  EXPECT_EQ(to_string(rules[0]), "race:push");
  EXPECT_EQ(to_string(rules[1]), "race_top:a b");
  EXPECT_EQ(rules[1].kind, Suppression::Kind::RaceTop);
  EXPECT_EQ(rules[2].kind, Suppression::Kind::WithoutEffect);
  EXPECT_EQ(to_string(rules[3]), "race:ns::f(int)");
  for (const char* wrong : {"race", "race:", "leak:x", "push", ":x"})
    EXPECT_THROW(parse_suppressions(std::string("race:a\n") + wrong, "file"), InputError) << wrong;
  try {
    parse_suppressions("race:a\nleak:x\n", "file");
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("file:2:")) << error.what();
  }
}

TEST(Suppressions, MatchAnywhereUnlessAnchored) {
  EXPECT_TRUE(matches("pop", "Stack<int>::pop(int)"));
  EXPECT_TRUE(matches("Stack*pop", "Stack<int>::pop(int)"));
  EXPECT_FALSE(matches("pop*Stack", "Stack<int>::pop(int)"));
  EXPECT_TRUE(matches("^pop", "pop(int)"));
  EXPECT_FALSE(matches("^op", "pop(int)"));
  EXPECT_TRUE(matches("^pop$", "pop"));
  EXPECT_FALSE(matches("^pop$", "pop2"));
  EXPECT_TRUE(matches("p*p*p", "ppp"));
  EXPECT_FALSE(matches("p*p*p", "pp"));
  EXPECT_TRUE(matches("*", "x"));
  EXPECT_FALSE(matches("*", "")) << "what has no name";
}

/// How the executions of a scenario end, and which rules suppressed races.
std::set<std::string> found(const char* build, const char* scenario, const std::string& rules) {
  Configuration configuration = configure(build, "suppressed", {scenario});
  configuration.settings.plain = protocol::Plain::Check;
  configuration.suppressions = parse_suppressions(rules, "test");
  ProgramExecutor executor(configuration);
  std::set<std::string> ends;
  testing::Exhaustive(executor, [&](const Execution& execution) {
    ends.insert(execution.failure ? std::string(name(execution.failure.kind)) : "ok");
  }).run();
  for (const protocol::IntendedRace& race : executor.intended_races())
    ends.insert(race.rule < configuration.suppressions.size()     ? to_string(configuration.suppressions[race.rule])
                : race.rule == protocol::IntendedRace::kAnnotated ? "annotated"
                                                                  : "by a caller");
  return ends;
}

class SuppressedRaces : public ::testing::TestWithParam<const char*> {};

TEST_P(SuppressedRaces, AreListedAndEndNothing) {
  using Ends = std::set<std::string>;
  const char* const build = GetParam();
  EXPECT_TRUE(found(build, "direct", "").contains("data race"));
  EXPECT_EQ(found(build, "direct", "race:count_up"), (Ends{"ok", "race:count_up"}));
  EXPECT_EQ(found(build, "direct", "race:^counter$"), (Ends{"ok", "race:^counter$"}));
  EXPECT_EQ(found(build, "direct", "race:suppressed.cpp"), (Ends{"ok", "race:suppressed.cpp"}));
  EXPECT_EQ(found(build, "direct", "race_top:count_up"), (Ends{"ok", "race_top:count_up"}));
  EXPECT_TRUE(found(build, "direct", "race:nowhere\nrace:^count$\ndeadlock:*").contains("data race"));
  // A caller of the access, on either side.
  EXPECT_TRUE(found(build, "called", "race:through").contains("ok"));
  EXPECT_FALSE(found(build, "called", "race:through").contains("data race"));
  EXPECT_TRUE(found(build, "called", "race_top:through").contains("data race"));
  // The same access outside of that caller is not suppressed.
  EXPECT_TRUE(found(build, "both_ways", "race:through").contains("data race"));
  // Memory errors are never suppressed.
  EXPECT_TRUE(found(build, "freed", "race:*").contains("use-after-free"));
  EXPECT_FALSE(found(build, "freed_beside", "race:*").contains("ok"));
}

INSTANTIATE_TEST_SUITE_P(Builds, SuppressedRaces, ::testing::Values("gcc-O0", "gcc-O2", "clang-O0", "clang-O2"),
                         [](const auto& build) {
                           std::string name = build.param;
                           name.replace(name.find('-'), 1, "_");
                           return name;
                         });

TEST(Suppressions, OfTheProgramItself) {
  EXPECT_EQ(default_suppressions(configure("gcc-O0", "suppressed").binary), "race:suppressed_by_default\n");
  EXPECT_EQ(default_suppressions(configure("gcc-O0", "races").binary), "");
}

}  // namespace
}  // namespace mazurka::program
