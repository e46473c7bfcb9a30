// An installation that was moved after it was made, used as a stranger would: from the shell, and by a CMake project
// outside the tree, with each generator and compiler.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>

#include <pugixml.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

namespace fs = std::filesystem;
using mazurka::testing::Answer;

/// Makes the installation once, in one place, and moves it to another.
const fs::path& prefix() {
  static const struct Installation {
    Installation() {
      std::string pattern = (fs::temp_directory_path() / "mazurka-install-XXXXXX").string();
      folder = mkdtemp(pattern.data());
      const std::string command = "cmake --install " MAZURKA_BUILD_DIR " --prefix " + (folder / "first").string() +
                                  " >" + (folder / "log").string() + " 2>&1";
      if (std::system(command.c_str()) != 0) ADD_FAILURE() << mazurka::testing::slurp(folder / "log");
      fs::rename(folder / "first", folder / "moved");
      place = folder / "moved";
    }
    ~Installation() { fs::remove_all(folder); }
    fs::path folder;
    fs::path place;
  } installation;
  return installation.place;
}

class Install : public mazurka::testing::CommandLine {};

TEST_F(Install, EverythingIsThere) {
  for (const char* file :
       {"bin/mazurka", "bin/mazurka-cc", "bin/mazurka-c++", "lib/mazurka/libmazurka_runtime.a",
        "lib/mazurka/exports.list", "lib/mazurka/tools/as", "lib/mazurka/include/mazurka/mazurka.h",
        "include/mazurka/mazurka.h", "include/mazurka/test.hpp", "lib/mazurka/include/mazurka/frameworks/catch2.hpp",
        "lib/cmake/mazurka/MazurkaDiscovery.cmake", "share/man/man1/mazurka.1",
        "share/bash-completion/completions/mazurka", "lib/cmake/mazurka/mazurka-config.cmake",
        "lib/cmake/mazurka/mazurka-config-version.cmake"})
    EXPECT_TRUE(fs::exists(prefix() / file)) << file;
}

TEST_F(Install, TheBinaryUsesTheRuntimeBesideIt) {
  write("p.c",
        "#include <mazurka/mazurka.h>\n#include <pthread.h>\nstatic void* f(void* p) { return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return pthread_join(t, 0); }\n");
  const std::string bin = (prefix() / "bin/").string();
  const Answer compiled = shell(bin + "mazurka-cc -v p.c -o p");
  EXPECT_EQ(compiled.exit_code, 0) << compiled.err;
  EXPECT_NE(compiled.err.find((prefix() / "lib/mazurka/libmazurka_runtime.a").string()), std::string::npos);
  EXPECT_EQ(compiled.err.find(MAZURKA_BUILD_DIR), std::string::npos) << "nothing of the build is used";
  EXPECT_EQ(shell(bin + "mazurka check ./p").exit_code, 0);
  EXPECT_EQ(shell(bin + "mazurka check p.c").exit_code, 0);
}

TEST_F(Install, WithoutTheRuntimeItSaysWhatIsMissing) {
  fs::create_directories(folder_ / "alone");
  fs::copy_file(prefix() / "bin/mazurka", folder_ / "alone/mazurka");
  write("p.c", "int main(void) { return 0; }\n");
  const Answer answer = shell("alone/mazurka check p.c");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("MAZURKA_RUNTIME"), std::string::npos) << answer.err;
}

TEST_F(Install, ThePageOfTheManualIsWellFormedAndNamesTheOptions) {
  const std::string page = (prefix() / "share/man/man1/mazurka.1").string();
  const std::string text = mazurka::testing::slurp(page);
  for (const char* words : {"mazurka check", "mazurka replay", "mazurka states", "mazurka unfold", "mazurka gen",
                            "\\-\\-html", "\\-\\-cover", "\\-\\-verify\\-reduction", "\\-\\-help"})
    EXPECT_NE(text.find(words), std::string::npos) << words;
  // Every line that begins with a point is a request that man knows.
  EXPECT_EQ(shell("grep '^[.]' " + page + " | grep -vE '^[.](TH|SH|SS|TP|B|BR|RI|I|br)( |$)'").out, "");
}

TEST_F(Install, BashCompletesCommandsOptionsAndValues) {
  const auto complete = [&](const std::string& words, int cursor) {
    const std::string bin = (prefix() / "bin").string();
    write("complete.sh", "PATH=" + bin + ":$PATH; source " +
                             (prefix() / "share/bash-completion/completions/mazurka").string() +
                             "; compopt() { :; }\nCOMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(cursor) +
                             "; _mazurka; printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    return shell("bash complete.sh").out;
  };
  EXPECT_EQ(complete("mazurka re", 1), "replay\n");
  EXPECT_EQ(complete("mazurka check --ht", 2), "--html\n");
  EXPECT_EQ(complete("mazurka check --plain = ex", 4), "explore\n");
  write("bug.mzk", "");
  write("other.txt", "");
  EXPECT_EQ(complete("mazurka replay ''", 2), "bug.mzk\n");
  EXPECT_EQ(complete("mazurka gen mp", 2), "mpat\n");
}

class ExternalProject : public Install,
                        public ::testing::WithParamInterface<std::tuple<const char*, const char*, const char*>> {
 protected:
  /// CTest's results of a test in one of its own files, below an element <testcase> or <Test>.
  pugi::xml_node result_of(const std::string& file, const std::string& path, const std::string& test) {
    EXPECT_TRUE(results_.load_file(file.c_str())) << file;
    for (const pugi::xpath_node& node : results_.select_nodes(path.c_str()))
      if (node.node().attribute("name").value() == test || node.node().child_value("Name") == test) return node.node();
    ADD_FAILURE() << file << " has no results of " << test;
    return {};
  }

  /// What CTest read from the file that Mazurka wrote about a test.
  std::string attached(const std::string& test) {
    const std::string file = shell("ls -t build/Testing/*/Test.xml | head -1").out;
    const pugi::xml_node results = result_of((folder_ / file.substr(0, file.size() - 1)).string(), "//Test", test);
    const std::string name = test + ".xml";
    for (const pugi::xml_node& measurement : results.children("NamedMeasurement")) {
      if (measurement.attribute("filename").value() != name) continue;
      write("attached", measurement.child_value("Value"));
      return shell("base64 --decode --ignore-garbage attached | tar xzOf -").out;
    }
    return {};
  }

 private:
  pugi::xml_document results_;
};

TEST_P(ExternalProject, BuildsAndPasses) {
  const auto& [generator, cc, cxx] = GetParam();
  fs::copy(MAZURKA_SOURCE_DIR "/examples/cmake-project", folder_ / "project", fs::copy_options::recursive);
  const Answer configured =
      shell("cmake -S project -B build -G '" + std::string(generator) + "' -DCMAKE_C_COMPILER=" + cc +
            " -DCMAKE_CXX_COMPILER=" + cxx + " -DCMAKE_PREFIX_PATH=" + prefix().string());
  ASSERT_EQ(configured.exit_code, 0) << configured.out << configured.err;
  const Answer built = shell("cmake --build build --verbose");
  ASSERT_EQ(built.exit_code, 0) << built.out << built.err;
  EXPECT_NE(built.out.find(std::string("launch ")), std::string::npos);
  const std::string ctest = "ctest --test-dir build --output-on-failure -T Test --output-junit all.xml";
  const Answer tested = shell(ctest);
  EXPECT_EQ(tested.exit_code, 0) << tested.out;
  EXPECT_NE(tested.out.find("100% tests passed, 0 tests failed out of 4"), std::string::npos) << tested.out;
  EXPECT_TRUE(fs::exists(folder_ / "build/tickets_are_unique.html"));
  // CTest's results hold the JUnit file, and what it says is what CTest says in a JUnit file of its own.
  const std::string test = "tickets_are_unique";
  const auto compare_with_ctest = [&](const char* failure) {
    EXPECT_EQ(attached(test), mazurka::testing::slurp(folder_ / "build/tickets_are_unique.xml"));
    pugi::xml_document ours;
    ASSERT_TRUE(ours.load_string(attached(test).c_str()));
    const pugi::xml_node own = ours.child("testsuites").child("testsuite").child("testcase");
    const pugi::xml_node theirs = result_of((folder_ / "build/all.xml").string(), "/testsuite/testcase", test);
    EXPECT_EQ(fs::path(own.attribute("name").value()).filename(), test);
    for (const pugi::xml_node& testcase : {own, theirs}) {
      EXPECT_NE(testcase.attribute("classname").value(), std::string());
      EXPECT_GT(testcase.attribute("time").as_double(), 0.0);
      EXPECT_EQ(testcase.child("failure").empty(), std::string_view(failure).empty());
      EXPECT_NE(std::string(testcase.child_value("system-out")).find(failure), std::string::npos);
    }
  };
  compare_with_ctest("");
  // A second build has nothing to do.
  const Answer again = shell("cmake --build build");
  EXPECT_EQ(again.out.find("Building"), std::string::npos) << again.out;
  // A bug in the library under test makes a test fail, with a report.
  write("project/src/ticket.cpp",
        "#include \"ticket.hpp\"\n#include <atomic>\nstatic std::atomic<int> next{0};\n"
        "int next_ticket() { const int mine = next; next = mine + 1; return mine; }\n");
  ASSERT_EQ(shell("cmake --build build").exit_code, 0);
  const Answer failed = shell(ctest);
  EXPECT_NE(failed.exit_code, 0);
  EXPECT_NE(failed.out.find("75% tests passed, 1 tests failed out of 4"), std::string::npos) << failed.out;
  EXPECT_NE(failed.out.find("assertion: "), std::string::npos) << failed.out;
  EXPECT_NE(failed.out.find("ticket.cpp"), std::string::npos) << "the step in the library has its line";
  compare_with_ctest("assertion: ");
}

INSTANTIATE_TEST_SUITE_P(Builds, ExternalProject,
                         ::testing::Values(std::tuple("Unix Makefiles", "gcc", "g++"),
                                           std::tuple("Unix Makefiles", "clang", "clang++"),
                                           std::tuple("Ninja", "gcc", "g++"), std::tuple("Ninja", "clang", "clang++")),
                         [](const auto& build) {
                           return std::string(std::get<0>(build.param)).substr(0, 1) == "U"
                                      ? std::string("make_") + std::get<1>(build.param)
                                      : std::string("ninja_") + std::get<1>(build.param);
                         });

}  // namespace
