#include "core/executor.hpp"

#include <filesystem>

namespace mazurka {

bool CodePlace::in_system_header() const {
  const std::string plain = std::filesystem::path(path).lexically_normal().string();
  return plain.starts_with("/usr/include/") || plain.starts_with("/usr/lib/");
}

ProcessIndex Executor::process_named(std::string_view name) {
  for (ProcessIndex process = 0; process < process_count(); ++process)
    if (process_name(process) == name) return process;
  return kNoProcess;
}

std::string Executor::object(const Operation&) const { return ""; }

std::string Executor::source(std::uint64_t) const { return ""; }

CodePlace Executor::place(std::uint64_t) const { return {}; }

}  // namespace mazurka
