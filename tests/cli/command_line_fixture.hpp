// A folder of its own for each test, and mazurka run in it as a shell would: what the tests of the command line share.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mazurka::testing {

struct Answer {
  int exit_code = -1;  ///< -1 where it did not end by itself
  std::string out;
  std::string err;
};

inline std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class CommandLine : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "mazurka-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Any shell command, in the folder.
  Answer shell(const std::string& command) const {
    const std::string whole = "cd " + folder_.string() + " && ( " + command + " ) >out 2>err";
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(folder_ / "out"), slurp(folder_ / "err")};
  }
  Answer mazurka(const std::string& arguments) const { return shell(MAZURKA_BINARY " " + arguments); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string read(const std::string& name) const { return slurp(folder_ / name); }

  std::filesystem::path folder_;
};

}  // namespace mazurka::testing
