#include "program/unseen.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "program/command_line.hpp"
#include "program/object_file.hpp"

namespace mazurka::program {
namespace {

/// The libraries that the loader would load, in its own words: `libx.so => /path/libx.so (0x…)`.
std::vector<std::string> shared_libraries(const std::string& interpreter, const std::string& binary) {
  std::vector<std::string> result;
  const std::string text = output_of({interpreter, "--list", binary});
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (const std::size_t arrow = line.find(" => "); arrow != std::string_view::npos) line.remove_prefix(arrow + 4);
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
    const std::size_t address = line.rfind(" (0x");
    // The vDSO has no path.
    if (address != std::string_view::npos && line.find('/') < address) result.emplace_back(line.substr(0, address));
  }
  return result;
}

/// The files with code mapped in a process, except for the program itself. Empty if that cannot be read: otherwise
/// there is at least the loader.
std::vector<std::string> mapped_libraries(pid_t process, const std::string& binary) {
  std::vector<std::string> result;
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);) {
    // 7f11c2a00000-7f11c2a26000 r-xp 00000000 08:01 1234   /usr/lib/libx.so
    const std::size_t mode = line.find(' ') + 1;
    const std::size_t path = line.find('/');
    if (path == std::string::npos || line.compare(mode, 4, "r-xp") != 0) continue;
    std::string file = line.substr(path);
    if (file != binary && std::find(result.begin(), result.end(), file) == result.end())
      result.push_back(std::move(file));
  }
  return result;
}

/// Whether the program only depends on the C and C++ libraries, which only need each other.
bool needs_only_language(const ObjectFile& program) {
  static constexpr std::array<std::string_view, 9> kLibraries = {
      "libc.so.6",      "libm.so.6",   "libstdc++.so.6", "libgcc_s.so.1",       "libpthread.so.0",
      "libatomic.so.1", "libc++.so.1", "libc++abi.so.1", "ld-linux-x86-64.so.2"};
  return !program.libraries.empty() &&
         std::all_of(program.libraries.begin(), program.libraries.end(), [](const std::string& library) {
           return std::find(kLibraries.begin(), kLibraries.end(), library) != kLibraries.end();
         });
}

/// Whether the loader loads libraries that the program does not depend on.
bool preloads() {
  const char* const named = std::getenv("LD_PRELOAD");
  return (named != nullptr && *named != '\0') || access("/etc/ld.so.preload", F_OK) == 0;
}

}  // namespace

UnseenCode unseen_code(const std::string& binary, pid_t process) {
  UnseenCode result;
  std::set<std::string> libraries;
  std::set<std::string> known;
  const auto add = [&](const assembly::Unseen& unseen) {
    if (unseen.kind == assembly::Kind::Library)
      libraries.insert(unseen.file);
    else if (known.insert(assembly::to_record(unseen)).second)
      result.places.push_back(unseen);
  };
  const ObjectFile program = read_object(binary);
  for (const assembly::Unseen& unseen : program.unseen) add(unseen);
  if (!program.scanned) add({assembly::Kind::Object, binary, 0, "", "not compiled by this version of mazurka cc"});
  std::vector<std::string> loaded;
  if (process != 0) loaded = mapped_libraries(process, binary);
  if (loaded.empty() && !program.interpreter.empty() && (preloads() || !needs_only_language(program)))
    loaded = shared_libraries(program.interpreter, binary);
  for (const std::string& file : loaded) {
    if (is_language_runtime(file)) continue;
    const ObjectFile library = read_object(file);
    for (const assembly::Unseen& unseen : library.unseen) add(unseen);
    if (library.seen()) continue;
    const char* const why = library.instrumented ? "instrumented, but not compiled by mazurka cc" : "not instrumented";
    add({belongs_to_system(file) ? assembly::Kind::Library : assembly::Kind::Object, file, 0, "", why});
  }
  result.libraries.assign(libraries.begin(), libraries.end());
  return result;
}

}  // namespace mazurka::program
