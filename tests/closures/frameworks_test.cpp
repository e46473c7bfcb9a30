// Closures inside each test framework, and the example project with each generator and compiler. All of it compiles
// much, so it is for the night.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <tuple>

#include <gmock/gmock.h>

#include "cli/command_line_fixture.hpp"

namespace {

namespace fs = std::filesystem;
using mazurka::testing::Answer;

struct Framework {
  const char* name;
  const char* header;     ///< where Debian has it
  const char* beginning;  ///< of the file
  const char* test;       ///< how a test begins, up to its name
  const char* assertion;  ///< what is wrong: EXPECT(value, expected)
  const char* libraries;
  const char* failed;      ///< what is printed of a test that fails,
  const char* incomplete;  ///< and of one that is incomplete
};

const Framework kFrameworks[] = {
    {"GoogleTest", "gtest/gtest.h", "#include <gtest/gtest.h>\n", "TEST(Closures, NAME)", "EXPECT_EQ(value, expected)",
     "-lgtest -lgtest_main", "[  FAILED  ] Closures.", "[  SKIPPED ] Closures.limited"},
    {"Catch2", "catch2/catch.hpp", "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n", "TEST_CASE(\"NAME\")",
     "CHECK(value == expected)", "", "FAILED:", ": incomplete"},
    {"doctest", "doctest/doctest.h", "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n",
     "TEST_CASE(\"NAME\")", "CHECK(value == expected)", "", "ERROR:", "incomplete"}};

class InFramework : public mazurka::testing::CommandLine, public ::testing::WithParamInterface<Framework> {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    if (!fs::exists(std::string("/usr/include/") + GetParam().header)) GTEST_SKIP() << "is not installed";
  }
  std::string begin(const std::string& name) const {
    std::string text = GetParam().test;
    return text.replace(text.find("NAME"), 4, name);
  }
  Answer run(const std::string& test) const {
    const std::string filter = GetParam().name == std::string("GoogleTest") ? "--gtest_filter=*." + test
                               : GetParam().name == std::string("Catch2")   ? "-s " + test
                                                                            : "-s -tc=" + test;
    return shell("timeout 100 ./tests " + filter);
  }
};

TEST_P(InFramework, AClosurePassesFailsOrIsIncomplete) {
  const Framework& framework = GetParam();
  write("tests.cpp", std::string(framework.beginning) +
                         "#include <mazurka/test.hpp>\n#include <atomic>\n#include <thread>\n"
                         "static void expect(int value, int expected) { " +
                         framework.assertion +
                         "; }\n"
                         "static void count(int inside) {\n"
                         "  std::atomic<int> n{0};\n"
                         "  std::thread other([&] { n = n + 1; if (inside) expect(n, 1); });\n"
                         "  n = n + 1;\n  other.join();\n  if (!inside) expect(n, 2);\n}\n"
                         "static void add() { std::atomic<int> n{0}; std::thread other([&] { ++n; });\n"
                         "  ++n; other.join(); expect(n, 2); }\n" +
                         begin("passes") + " { mazurka::check(add); }\n" + begin("fails") +
                         " { mazurka::check([] { count(0); }); }\n" + begin("inside") +
                         " { mazurka::check([] { count(1); }); }\n" + begin("limited") +
                         " { mazurka::Options o; o.max_executions = 1; mazurka::check(o, add); }\n");
  const Answer built =
      shell(MAZURKA_BINARY " c++ -std=c++17 -g tests.cpp -o tests -pthread " + std::string(framework.libraries));
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Answer passes = run("passes");
  EXPECT_EQ(passes.exit_code, 0) << passes.out;
  EXPECT_NE(passes.out.find("executions 2"), std::string::npos) << passes.out;
  for (const char* test : {"fails", "inside"}) {
    const Answer fails = run(test);
    EXPECT_EQ(fails.exit_code, 1) << fails.out;
    EXPECT_NE(fails.out.find(framework.failed), std::string::npos) << fails.out;
    EXPECT_NE(fails.out.find("assertion: tests.cpp:"), std::string::npos) << fails.out;
    EXPECT_NE(fails.out.find("create 0.1"), std::string::npos) << fails.out;
    EXPECT_NE(fails.out.find("minimal: "), std::string::npos) << fails.out;
  }
  const Answer limited = run("limited");
  EXPECT_NE(limited.out.find(framework.incomplete), std::string::npos) << limited.out;
  // And without Mazurka.
  const Answer plain = shell("c++ -std=c++17 -I" MAZURKA_SOURCE_DIR "/include tests.cpp -o tests -pthread " +
                             std::string(framework.libraries));
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(run("passes").exit_code, 0);
  EXPECT_EQ(run("limited").exit_code, 0);
}

/// Neither passed nor failed; but a test that fails besides is not skipped.
TEST_P(InFramework, AnIncompleteCheckIsSkippedByCTest) {
  const Framework& framework = GetParam();
  const std::string limited =
      " mazurka::Options o; o.max_executions = 1; mazurka::check(o, [] { std::atomic<int> n{0};\n"
      "  std::thread other([&] { ++n; }); ++n; other.join(); });";
  write("tests.cpp", std::string(framework.beginning) +
                         "#include <mazurka/test.hpp>\n#include <atomic>\n#include <thread>\n"
                         "static void expect(int value, int expected) { " +
                         framework.assertion + "; }\n" + begin("limited") + " {" + limited + " }\n" + begin("besides") +
                         " {" + limited + " expect(1, 2); }\n");
  std::string name = framework.name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.21)\nproject(skips LANGUAGES CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
        "find_package(mazurka REQUIRED)\nenable_testing()\nfind_package(Threads)\n"
        "mazurka_add_executable(tests tests.cpp LIBRARIES Threads::Threads " +
            std::string(*framework.libraries == 0 ? "" : "gtest_main gtest") +
            ")\nmazurka_discover_tests(tests FRAMEWORK " + name + ")\n");
  ASSERT_EQ(shell("cmake --install " MAZURKA_BUILD_DIR " --prefix prefix").exit_code, 0);
  const Answer built = shell("cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH=$PWD/prefix && cmake --build build");
  ASSERT_EQ(built.exit_code, 0) << built.out << built.err;
  const Answer tested = shell("ctest --test-dir build");
  EXPECT_EQ(tested.exit_code, 8) << tested.out;
  EXPECT_THAT(tested.out, ::testing::ContainsRegex("limited \\.+\\*\\*\\*Skipped"));
  EXPECT_THAT(tested.out, ::testing::ContainsRegex("besides \\.+\\*\\*\\*Failed"));
}

INSTANTIATE_TEST_SUITE_P(Nightly, InFramework, ::testing::ValuesIn(kFrameworks),
                         [](const auto& framework) { return framework.param.name; });

using Build = std::tuple<const char*, const char*>;  // generator, compiler

class Example : public mazurka::testing::CommandLine, public ::testing::WithParamInterface<Build> {};

TEST_P(Example, BuildsOutsideTheTreeAndPasses) {
  const auto& [generator, compiler] = GetParam();
  ASSERT_EQ(shell("cmake --install " MAZURKA_BUILD_DIR " --prefix prefix").exit_code, 0);
  fs::copy(MAZURKA_SOURCE_DIR "/examples/unit-tests", folder_ / "project", fs::copy_options::recursive);
  for (const std::string plain : {"OFF", "ON"}) {
    const Answer configured =
        shell(std::string("cmake -S project -B build -G '") + generator + "' -DCMAKE_CXX_COMPILER=" + compiler +
              " -DPLAIN=" + plain + " -DCMAKE_PREFIX_PATH=" + (folder_ / "prefix").string());
    ASSERT_EQ(configured.exit_code, 0) << configured.out << configured.err;
    const Answer built = shell("cmake --build build");
    ASSERT_EQ(built.exit_code, 0) << built.out << built.err;
    const Answer tested = shell("ctest --test-dir build --output-on-failure");
    EXPECT_EQ(tested.exit_code, 0) << tested.out;
    EXPECT_NE(tested.out.find("100% tests passed"), std::string::npos) << tested.out;
    if (plain == "ON") continue;
    EXPECT_NE(tested.out.find("ring_test.RingTest.HandsOverInOrder"), std::string::npos) << tested.out;
    // Each test is in one shard.
    const auto listed = [&](const std::string& environment) {
      const std::string text = shell(environment + " ctest --test-dir build -N").out;
      const std::size_t total = text.find("Total Tests: ");
      return total == std::string::npos ? -1 : std::stoi(text.substr(total + 13));
    };
    const int all = listed("");
    EXPECT_GE(all, 3);
    EXPECT_EQ(listed("TEST_TOTAL_SHARDS=2 TEST_SHARD_INDEX=0") + listed("TEST_TOTAL_SHARDS=2 TEST_SHARD_INDEX=1"), all);
  }
}

INSTANTIATE_TEST_SUITE_P(Nightly, Example,
                         ::testing::Combine(::testing::Values("Unix Makefiles", "Ninja"),
                                            ::testing::Values("g++", "clang++")),
                         [](const auto& build) {
                           return std::string(std::get<0>(build.param)[0] == 'U' ? "make_" : "ninja_") +
                                  (std::get<1>(build.param)[0] == 'g' ? "gcc" : "clang");
                         });

}  // namespace
