#include "core/temporary_folder.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mazurka {
namespace {

namespace fs = std::filesystem;

/// Whether the folder is empty within half a minute.
bool becomes_empty(const fs::path& folder) {
  for (int i = 0; i < 3000 && !fs::is_empty(folder); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return fs::is_empty(folder);
}

TEST(TemporaryFolder, GoesWithItsObject) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, IsRemovedWheneverItsProcessIsKilled) {
  const TemporaryFolder around;
  const char* const variable = std::getenv("TMPDIR");
  const std::string before = variable == nullptr ? "/tmp" : variable;
  setenv("TMPDIR", around.path().c_str(), 1);
  constexpr int kRounds = 100;
  for (int i = 0; i < kRounds; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const TemporaryFolder folder;
      for (;;) pause();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20 * i));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  setenv("TMPDIR", before.c_str(), 1);
  EXPECT_TRUE(becomes_empty(around.path()));
}

}  // namespace
}  // namespace mazurka
