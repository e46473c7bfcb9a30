#include "core/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/error.hpp"

namespace mazurka {
namespace {

namespace fs = std::filesystem;

/// What mkdtemp() takes.
std::string pattern_in_temporary_folder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  const char* const wanted = std::getenv("TMPDIR");
  if (error)
    throw InputError({wanted == nullptr ? "/tmp" : wanted}, "is not a folder for temporary files; set TMPDIR to one");
  return (parent / "mazurka-XXXXXX").string();
}

/// Makes the folder and puts its name in place of the pattern. Returns the error, 0 if there is none.
int make_folder(std::string& pattern) { return mkdtemp(pattern.data()) == nullptr ? errno : 0; }

bool write_all(int file, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  for (ssize_t done = 0; count > 0; next += done, count -= static_cast<std::size_t>(done))
    if ((done = write(file, next, count)) <= 0) return false;
  return true;
}

bool read_all(int file, void* bytes, std::size_t count) {
  char* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t done = read(file, next, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    next += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

/// A compiler that outlives us may still write to the folder, so removal is retried.
[[noreturn]] void remove_once_alone(const fs::path& folder, int alive) {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(number, SIG_IGN);
  const int null = open("/dev/null", O_RDWR);
  for (const int file : {0, 1, 2}) dup2(null, file);
  dup2(alive, 3);
#ifdef SYS_close_range
  syscall(SYS_close_range, 4U, ~0U, 0U);
#endif
  char byte = 0;
  while (read(3, &byte, 1) < 0 && errno == EINTR) {
  }
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    std::error_code error;
    fs::remove_all(folder, error);
    if (!error) break;
    const timespec pause{0, 100'000'000};
    nanosleep(&pause, nullptr);
  }
  _exit(0);
}

}  // namespace

bool FolderCleaner::start(std::string pattern) {
  int alive[2];
  int answer[2];
  if (pipe2(alive, O_CLOEXEC) != 0) return false;
  const bool has_both = pipe2(answer, O_CLOEXEC) == 0;
  if (has_both) child_ = fork();
  if (child_ == 0) {
    signal(SIGPIPE, SIG_IGN);  // nobody may be left to read the answer
    close(alive[1]);
    close(answer[0]);
    const int error = make_folder(pattern);
    if (write_all(answer[1], &error, sizeof error)) write_all(answer[1], pattern.data(), pattern.size());
    if (error != 0) _exit(1);
    remove_once_alone(pattern, alive[0]);
  }
  close(alive[0]);
  alive_ = alive[1];
  if (!has_both) return false;
  close(answer[1]);
  answer_ = answer[0];
  return child_ > 0;
}

int FolderCleaner::make(std::string& pattern) {
  if (!start(pattern)) return make_folder(pattern);
  int error = 0;
  const bool told = read_all(answer_, &error, sizeof error) && read_all(answer_, pattern.data(), pattern.size());
  return told ? error : ECHILD;
}

FolderCleaner::~FolderCleaner() {
  if (answer_ >= 0) close(answer_);
  if (alive_ >= 0) close(alive_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

TemporaryFolder::TemporaryFolder() {
  std::string name = pattern_in_temporary_folder();
  if (const int error = cleaner_.make(name); error != 0)
    throw InputError(
        {name}, std::string("cannot be created: ") + std::strerror(error) + "; set TMPDIR to a folder with free space");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace mazurka
