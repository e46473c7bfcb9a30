// A folder of its own for each test, and mazurka run in it as a shell would: what the tests of the command line share.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <pty.h>
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

/// Whether a process catches SIGINT and has been at work for some processor time.
inline bool is_at_work(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  const std::string status = slurp(folder + "/status");
  const std::size_t caught = status.find("SigCgt:");
  if (caught == std::string::npos) return false;
  const unsigned long long mask = std::stoull(status.substr(caught + 7), nullptr, 16);
  std::istringstream fields(slurp(folder + "/stat"));
  std::string field;
  constexpr int kUserTime = 14;  // counted from 1; the name before it has no spaces here
  for (int i = 0; i < kUserTime; ++i) fields >> field;
  const long at_least = sysconf(_SC_CLK_TCK) * 3 / 10;
  return (mask >> (SIGINT - 1) & 1) != 0 && std::stol(field) >= at_least;
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

  /// Interrupts mazurka as Ctrl-C does, once it is at work.
  Answer interrupted(const std::string& arguments) const {
    const pid_t child = fork();
    if (child == 0) run_here(arguments + " >out 2>err");
    while (!is_at_work(child) && !has_ended(child)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return {interrupt(child), slurp(folder_ / "out"), slurp(folder_ / "err")};
  }
  /// The same on a terminal, once this text has appeared there.
  Answer interrupted_on_terminal(const std::string& arguments, const std::string& text,
                                 unsigned short columns = 0) const {
    int terminal = -1;
    const winsize size{24, columns, 0, 0};
    const pid_t child = forkpty(&terminal, nullptr, nullptr, columns == 0 ? nullptr : &size);
    if (child == 0) run_here(arguments);
    std::string shown;
    char buffer[4096];
    ssize_t count = 0;
    while (shown.find(text) == std::string::npos && (count = ::read(terminal, buffer, sizeof buffer)) > 0)
      shown.append(buffer, static_cast<std::size_t>(count));
    const int exit_code = interrupt(child);
    close(terminal);
    return {exit_code, shown, {}};
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string read(const std::string& name) const { return slurp(folder_ / name); }

  std::filesystem::path folder_;

 private:
  [[noreturn]] void run_here(const std::string& arguments) const {
    const std::string command = "cd " + folder_.string() + " && exec " MAZURKA_BINARY " " + arguments;
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(99);
  }
  static bool has_ended(pid_t child) {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == child;
  }
  static int interrupt(pid_t child) {
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

}  // namespace mazurka::testing
