#include "cli/output_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"

namespace mazurka::cli {
namespace {

namespace fs = std::filesystem;

/// Zero, or what went wrong.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

int close_after(int error, int file) {
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

int write_into(const std::string& file, std::string_view text) {
  const int target = open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (target < 0) return errno;
  return close_after(write_all(target, text), target);
}

int replace(const std::string& file, mode_t mode, std::string_view text) {
  std::string beside = file + ".XXXXXX";
  const int target = mkostemp(beside.data(), O_CLOEXEC);
  if (target < 0) return errno;
  int error = write_all(target, text);
  if (error == 0 && fchmod(target, mode) != 0) error = errno;
  error = close_after(error, target);
  if (error == 0 && rename(beside.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) unlink(beside.c_str());
  return error;
}

int write_whole(const std::string& file, std::string_view text) {
  struct stat known {};
  if (stat(file.c_str(), &known) != 0) {
    if (errno != ENOENT) return errno;
    const mode_t mask = umask(0);
    umask(mask);
    return replace(file, 0666 & ~mask, text);
  }
  if (S_ISDIR(known.st_mode)) return EISDIR;
  if (!S_ISREG(known.st_mode)) return write_into(file, text);
  if (access(file.c_str(), W_OK) != 0) return errno;
  // A link stays one: what it points to is replaced.
  std::error_code error;
  const fs::path target = fs::canonical(file, error);
  return error ? error.value() : replace(target.string(), known.st_mode & 07777, text);
}

}  // namespace

void write_output(const std::string& file, const std::string& text) {
  if (const int error = write_whole(file, text))
    throw InputError({file}, fmt::format("cannot be written: {}", std::strerror(error)));
}

bool write_beside_answer(Context& context, const std::string& file, const std::string& text) {
  try {
    write_output(file, text);
    return true;
  } catch (const InputError& error) {
    context.unwritten.emplace_back(error.what());
    return false;
  }
}

}  // namespace mazurka::cli
