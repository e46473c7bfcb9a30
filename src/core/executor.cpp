#include "core/executor.hpp"

namespace mazurka {

ProcessIndex Executor::process_named(std::string_view name) {
  for (ProcessIndex process = 0; process < process_count(); ++process)
    if (process_name(process) == name) return process;
  return kNoProcess;
}

std::string Executor::object(const Operation&) const { return ""; }

std::string Executor::source(std::uint64_t) const { return ""; }

CodePlace Executor::place(std::uint64_t) const { return {}; }

}  // namespace mazurka
