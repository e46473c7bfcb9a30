// File system changes of executions are undone: each execution, and whoever comes after, finds the original state.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/temporary_folder.hpp"
#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;
using FileEnds = std::set<std::string>;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(folder_.path());
    fs::create_directory("full");
    std::ofstream("full/file") << "inside";
    std::ofstream("old.txt") << "old";
    fs::create_symlink("old.txt", "link");
    fs::permissions("old.txt", fs::perms(0604));
    const timespec times[2] = {{100, 1}, {200, 2}};
    for (const char* path : {"old.txt", "full/file", "full", "."}) utimensat(AT_FDCWD, path, times, 0);
  }
  void TearDown() override { fs::current_path(before_); }

  /// Everything visible, except for what cannot be set.
  static std::string everything() {
    std::map<std::string, std::string> all;
    const auto add = [&](const fs::path& path) {
      struct stat what {};
      lstat(path.c_str(), &what);
      std::ostringstream text;
      text << std::oct << what.st_mode << ' ' << what.st_uid << ' ' << what.st_gid << ' ' << what.st_nlink;
      if (!S_ISLNK(what.st_mode)) text << ' ' << std::dec << what.st_mtim.tv_sec << '.' << what.st_mtim.tv_nsec;
      if (S_ISREG(what.st_mode)) text << ' ' << std::ifstream(path).rdbuf();
      if (S_ISLNK(what.st_mode)) text << ' ' << fs::read_symlink(path).string();
      all[path.string()] = text.str();
    };
    add(".");
    for (const auto& entry : fs::recursive_directory_iterator(".")) add(entry.path());
    std::string text;
    for (const auto& [path, what] : all) text += path + ": " + what + "\n";
    return text;
  }

  static FileEnds ends(const Configuration& configuration, bool reduced = true) {
    const std::string before = everything();
    FileEnds found;
    std::size_t executions = 0;
    {
      ProgramExecutor executor(configuration);
      testing::Exhaustive(
          executor,
          [&](const Execution& execution) {
            ++executions;
            found.insert(output_or_failure(execution));
            // The answer comes after the files are restored.
            if (executions > 3) return;
            EXPECT_EQ(everything(), before) << "after execution " << executions;
          },
          reduced)
          .run();
    }
    EXPECT_EQ(everything(), before) << "at the end";
    return found;
  }

  fs::path before_;
  TemporaryFolder folder_;
};

struct FileScenario {
  const char* name;
  FileEnds ends;
};

TEST_F(Files, AreTheSameInEveryExecution) {
  const FileScenario scenarios[] = {
      {"makes_folder", {"1"}},
      {"creates", {"1one"}},
      {"appends", {"old+"}},
      {"overwrites", {"oldNow"}},
      {"removes", {"old1100"}},
      {"renames", {"000otherchanged"}},
      {"exchanges", {"01old"}},
      {"links", {"000through"}},
      {"truncates", {"00o200"}},
      {"whole_tree", {"201"}},
      {"attributes", {"388 200 4162000"}},
      {"moves_about", {"18insidenone"}},
      {"descriptors", {"00o"}},
      {"by_number", {"0"}},
      {"locks", {"00"}},
      {"devices", {"ok"}},
      {"reads_mapped", {"old"}},
      {"socket_file", {"0"}},
      {"two_writers", {"12", "21"}},
      {"reader_and_writer", {"0", "-1"}},
      {"two_streams", {"12", "21"}},
      {"stream_in_memory", {"12", "21"}},
      {"end_of_stream", {"0", "1"}},
      {"looks_twice", {"00", "01", "11"}},
      {"two_readers", {"0"}},
      {"unseen_before_threads", {"012", "021"}},
  };
  umask(022);
  for (const FileScenario& scenario : scenarios)
    for (const char* family : {"gcc", "clang"})
      for (const protocol::Isolation isolation : {protocol::Isolation::Memory, protocol::Isolation::Fork}) {
        const bool by_fork = isolation == protocol::Isolation::Fork;
        if (by_fork && std::string(family) == "clang") continue;
        Configuration configuration = configure(family, "files", {scenario.name});
        configuration.settings.isolation = isolation;
        EXPECT_EQ(ends(configuration), scenario.ends) << scenario.name << ' ' << family << (by_fork ? " fork" : "");
      }
}

TEST_F(Files, WithTemporaryNamesHaveTheSameInEveryExecution) {
  EXPECT_EQ(ends(configure("gcc", "files", {"temporary"})).size(), 1U);
}

TEST_F(Files, OfEveryInterleavingAreThoseOfTheReducedSearch) {
  for (const char* scenario : {"reader_and_writer", "two_streams", "makes_folder"}) {
    const Configuration configuration = configure("gcc", "files", {scenario});
    EXPECT_EQ(ends(configuration), ends(configuration, false)) << scenario;
  }
}

TEST_F(Files, AreRefusedByNameWhereTheyCannotBeUndone) {
  const std::map<std::string, std::string> messages = {
      {"maps", "mmap() with MAP_SHARED of a file that is open for writing"},
      {"extended", "setxattr()"},
      {"devices_made", "mknodat() of a device"},
      {"new_root", "chroot()"},
      {"unlinks_one_name", "unlink() of a file that has other names"},
      {"writes_to_kernel", "openat() of a file of the kernel"},
      {"redirects", "dup2() of descriptor 1, which was open before main,"},
      {"shared_memory", "shmget()"},
      {"unseen_order", "write() on files that several threads use"},
  };
  for (const auto& [scenario, message] : messages) {
    const std::string before = everything();
    ProgramExecutor executor(configure("gcc", "files", {scenario}));
    const Execution& execution = executor.run({});
    EXPECT_EQ(execution.outcome, Outcome::Unsupported) << scenario;
    EXPECT_EQ(execution.failure.words(), message + " cannot be controlled") << scenario;
    EXPECT_EQ(everything(), before) << scenario;
  }
}

TEST_F(Files, ArePutBackAfterAProgramThatFails) {
  EXPECT_EQ(ends(configure("gcc", "files", {"dies"})), (FileEnds{"", "abort: "}));
}

TEST_F(Files, ArePutBackForAWorkerThatDies) {
  for (const protocol::Isolation isolation : {protocol::Isolation::Memory, protocol::Isolation::Fork}) {
    const std::string before = everything();
    Configuration configuration = configure("gcc", "files", {"is_killed"});
    configuration.watchdog = std::chrono::milliseconds(300);
    configuration.settings.isolation = isolation;
    ProgramExecutor executor(configuration);
    EXPECT_TRUE(executor.run({}).failure);
    EXPECT_EQ(everything(), before);
  }
}

TEST_F(Files, OpenedBeforeMainAreAsTheyWereInEveryExecution) {
  setenv("MAZURKA_TEST_EARLY", "1", 1);
  for (const protocol::Isolation isolation : {protocol::Isolation::Memory, protocol::Isolation::Fork}) {
    const std::string before = everything();
    {
      Configuration configuration = configure("gcc", "files", {"before_main"});
      configuration.settings.isolation = isolation;
      ProgramExecutor executor(configuration);
      FileEnds found;
      testing::Exhaustive(executor, [&](const Execution& execution) {
        EXPECT_FALSE(execution.failure) << testing::failure_key(execution);
        found.insert(execution.output);
      }).run();
      EXPECT_EQ(found, FileEnds{"beforebeforemain"});
      EXPECT_NE(everything(), before) << "the file is there as long as the worker is";
    }
    EXPECT_EQ(everything(), before);
  }
  unsetenv("MAZURKA_TEST_EARLY");
}

}  // namespace
}  // namespace mazurka::program
