#include "core/temporary_folder.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/remove_tree.hpp"

namespace mazurka {
namespace {

namespace fs = std::filesystem;

/// Random, so that a folder of this name is ours.
fs::path new_name() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  const char* const wanted = std::getenv("TMPDIR");
  if (error)
    throw InputError({wanted == nullptr ? "/tmp" : wanted}, "is not a folder for temporary files; set TMPDIR to one");
  std::uint64_t number[2] = {};
  while (getrandom(number, sizeof number, 0) < 0 && errno == EINTR) {
  }
  return parent / fmt::format("mazurka-{:016x}{:016x}", number[0], number[1]);
}

/// The cleaner. It makes system calls only, for it may have been forked while another thread held the allocator's lock.
/// A compiler that outlives us may still write to the folder, so removal is retried.
[[noreturn]] void remove_once_alone(const char* folder, int alive) {
  for (const int file : {0, 1, 2})
    if (file != alive) close(file);
#ifdef SYS_close_range
  if (alive > 3) syscall(SYS_close_range, 3U, alive - 1, 0U);
  syscall(SYS_close_range, alive + 1, ~0U, 0U);
#endif
  char byte = 0;
  while (read(alive, &byte, 1) < 0 && errno == EINTR) {
  }
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts && !remove_tree(folder); ++i) {
    const timespec pause{0, 100'000'000};
    nanosleep(&pause, nullptr);
  }
  _exit(0);
}

[[noreturn]] void refuse(const fs::path& folder, int error, const char* advice) {
  throw InputError({folder.string()}, std::string("cannot be created: ") + std::strerror(error) + advice);
}

}  // namespace

/// No signal to the process group reaches the cleaner: it starts with all signals blocked, and for the one that cannot
/// be blocked this process moves it to a group of its own.
void TemporaryFolder::start_cleaner() {
  constexpr const char* kAdvice = ", which leaves nobody to remove it; raise the limits (see `ulimit -a`)";
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse(path_, errno, kAdvice);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  cleaner_ = fork();
  const int error = errno;
  if (cleaner_ == 0) {
    close(ends[1]);
    remove_once_alone(path_.c_str(), ends[0]);
  }
  if (cleaner_ > 0) setpgid(cleaner_, cleaner_);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(ends[0]);
  alive_ = ends[1];
  if (cleaner_ > 0) return;
  close(alive_);
  refuse(path_, error, kAdvice);
}

TemporaryFolder::TemporaryFolder() : path_(new_name()) {
  start_cleaner();
  if (mkdir(path_.c_str(), S_IRWXU) == 0) return;
  const int error = errno;
  kill(cleaner_, SIGKILL);  // if a folder of this name exists, it is not ours
  close(alive_);
  waitpid(cleaner_, nullptr, 0);
  refuse(path_, error, "; set TMPDIR to a folder with free space");
}

TemporaryFolder::~TemporaryFolder() {
  remove_tree(path_.c_str());
  close(alive_);
  waitpid(cleaner_, nullptr, 0);
}

}  // namespace mazurka
