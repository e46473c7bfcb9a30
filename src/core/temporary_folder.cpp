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

std::string new_folder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  const char* const wanted = std::getenv("TMPDIR");
  if (error)
    throw InputError({wanted == nullptr ? "/tmp" : wanted}, "is not a folder for temporary files; set TMPDIR to one");
  std::string pattern = (parent / "mazurka-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw InputError({pattern}, std::string("cannot be created: ") + std::strerror(errno) +
                                    "; set TMPDIR to a folder with free space");
  return pattern;
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

TemporaryFolder::TemporaryFolder() : path_(new_folder()) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;  // then the folder is removed by the destructor only
  cleaner_ = fork();
  if (cleaner_ == 0) {
    close(ends[1]);
    remove_once_alone(path_, ends[0]);
  }
  close(ends[0]);
  alive_ = ends[1];
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (alive_ >= 0) close(alive_);
  if (cleaner_ > 0) waitpid(cleaner_, nullptr, 0);
}

}  // namespace mazurka
