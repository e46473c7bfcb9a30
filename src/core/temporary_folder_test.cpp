#include "core/temporary_folder.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"

namespace mazurka {
namespace {

namespace fs = std::filesystem;

/// Sets TMPDIR to a folder that only the test uses.
class TemporaryFolderTest : public testing::Test {
 protected:
  TemporaryFolderTest() {
    fs::permissions(around_.path(), fs::perms::all);
    setenv("TMPDIR", around_.path().c_str(), 1);
  }
  ~TemporaryFolderTest() override {
    if (before_.empty())
      unsetenv("TMPDIR");
    else
      setenv("TMPDIR", before_.c_str(), 1);
  }

  /// Waits for the cleaner, which is nobody's child any more.
  bool becomes_empty() const {
    constexpr int kPatience = 3000;  // times 10 ms
    for (int i = 0; i < kPatience && !fs::is_empty(around_.path()); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return fs::is_empty(around_.path());
  }

  /// A child in a process group of its own that does something and stops; one that cannot exits with 1.
  static pid_t start(const std::function<void()>& action) {
    const pid_t child = fork();
    if (child != 0) return child;
    setpgid(0, 0);
    try {
      action();
    } catch (const InputError&) {
      _exit(1);
    }
    raise(SIGSTOP);
    _exit(0);
  }

  static void create_with_content() {
    const TemporaryFolder folder;
    fs::create_directories(folder.path() / "a/b");
    for (const char* name : {"x", "a/y", "a/b/z"}) std::ofstream(folder.path() / name) << "content";
    fs::create_directory_symlink("/", folder.path() / "a/root");
    raise(SIGSTOP);
  }

  /// The signal that ended the child, 0 if it exited by itself.
  static int end_by(pid_t target, pid_t child, int signal_number) {
    int status = 0;
    waitpid(child, &status, WUNTRACED);
    if (WIFSTOPPED(status)) {
      kill(target, signal_number);
      kill(target, SIGCONT);
      waitpid(child, &status, 0);
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

 private:
  const std::string before_ = std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR");
  const TemporaryFolder around_;
};

TEST_F(TemporaryFolderTest, GoesWithItsObject) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_TRUE(fs::is_directory(path));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    for (int i = 0; i < 300; ++i) std::ofstream(path / std::to_string(i)) << i;
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolderTest, GoesIfItsProcessOrProcessGroupIsKilled) {
  for (const int number : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    for (const int target : {1, -1}) {
      const pid_t child = start(create_with_content);
      ASSERT_EQ(end_by(target * child, child, number), number);
      ASSERT_TRUE(becomes_empty()) << number << ' ' << target;
    }
  }
}

/// Killed before and after each system call of the constructor. Steps are counted, not timed.
TEST_F(TemporaryFolderTest, GoesWheneverItsProcessGroupIsKilled) {
  constexpr int kMost = 1000;
  bool created = false;
  int steps = 0;
  for (; steps < kMost && !created; ++steps) {
    const pid_t child = start([] {
      ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      raise(SIGSTOP);
      create_with_content();
    });
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSTOPPED(status));
    ASSERT_EQ(ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD), 0);
    for (int i = 0; i < steps && !created; ++i) {
      ASSERT_EQ(ptrace(PTRACE_SYSCALL, child, nullptr, nullptr), 0);
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFSTOPPED(status)) << status;
      created = WSTOPSIG(status) == SIGSTOP;
    }
    kill(-child, SIGKILL);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(becomes_empty()) << "killed after " << steps;
  }
  EXPECT_TRUE(created) << "not every moment was tried";
  EXPECT_GT(steps, 20);
}

TEST_F(TemporaryFolderTest, GoesUnderLimits) {
  const auto check = [this](auto kind, rlim_t value) {
    const pid_t child = start([&] {
      const rlimit limit{value, value};
      setrlimit(kind, &limit);
      signal(SIGXFSZ, SIG_IGN);
      create_with_content();
    });
    end_by(child, child, SIGKILL);
    ASSERT_TRUE(becomes_empty()) << kind << ' ' << value;
  };
  for (const rlim_t files : {3, 4, 5, 6, 7, 8}) check(RLIMIT_NOFILE, files);
  for (const auto kind : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_FSIZE, RLIMIT_CPU, RLIMIT_NPROC}) check(kind, 1);
}

TEST_F(TemporaryFolderTest, IsNotCreatedWithoutACleaner) {
  const auto exit_code_under = [](auto kind, rlim_t value) {
    const pid_t child = start([&] {
      constexpr uid_t kNobody = 65534;  // for root there is no limit on processes
      if (kind == RLIMIT_NPROC && getuid() == 0 && setuid(kNobody) != 0) return;
      const rlimit limit{value, value};
      setrlimit(kind, &limit);
      const TemporaryFolder folder;
    });
    int status = 0;
    waitpid(child, &status, WUNTRACED);
    if (WIFSTOPPED(status)) end_by(child, child, SIGKILL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(exit_code_under(RLIMIT_NOFILE, 3), 1);
  EXPECT_EQ(exit_code_under(RLIMIT_NPROC, 0), 1);
  ASSERT_TRUE(becomes_empty());
}

TEST_F(TemporaryFolderTest, NeedsAFolderToBeIn) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "content";
  setenv("TMPDIR", (folder.path() / "file").c_str(), 1);
  EXPECT_THROW(TemporaryFolder(), InputError);
  setenv("TMPDIR", "/proc", 1);
  EXPECT_THROW(TemporaryFolder(), InputError);
}

}  // namespace
}  // namespace mazurka
