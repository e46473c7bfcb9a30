#include "cli/input_kind.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include "core/error.hpp"
#include "program/compiler_arguments.hpp"

namespace mazurka::cli {
namespace {

constexpr std::string_view kSystems =
    "a C or C++ source (.c, .cpp, .cc, .cxx, .i, ...), a program built with `mazurka cc` or `mazurka c++`, or a "
    "network "
    "(.tck, .sync)";
constexpr std::string_view kNetworks = "a network (.tck, .sync, or - for a .tck on standard input)";
constexpr std::string_view kNets = "a net (.ll_net, .pnml, .tapn, TINA .net) or a network (.tck, .sync)";

bool ends_with(std::string_view file, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return file.ends_with(ending); });
}

bool is_network(std::string_view file) { return file == "-" || ends_with(file, {".tck", ".sync"}); }
bool is_net(std::string_view file) { return ends_with(file, {".ll_net", ".pnml", ".tapn", ".net", ".xml"}); }

/// ELF: a program, an object or a library.
bool is_binary(const std::string& file) {
  std::array<char, 4> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) ==
         "\x7f"
         "ELF";
}

/// Where a command wants something else: what this is, and which command takes it.
std::string other_use(const std::string& file) {
  if (ends_with(file, {".mzk"})) return "is a schedule; use `mazurka replay`";
  if (ends_with(file, {".aut"})) return "is a single automaton; name the .sync file that composes several";
  if (is_net(file)) return "is a Petri net; use `mazurka unfold`";
  if (is_network(file)) return "is a network; use `mazurka check` or `mazurka states`";
  if (program::is_source(file)) return "is a source; use `mazurka check`";
  if (is_binary(file)) return "is a program; use `mazurka check`";
  return "";
}

void require_file(const std::string& file, std::string_view expected) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw InputError({file}, fmt::format("cannot be read: {}; expected {}", std::strerror(ENOENT), expected));
  if (std::filesystem::is_directory(status))
    throw InputError({file}, fmt::format("is a directory; expected {}", expected));
}

}  // namespace

void require_system(const std::string& file) {
  if (file == "-") return;
  require_file(file, kSystems);
  if (is_network(file) || program::is_source(file)) return;
  if (ends_with(file, {".o", ".a", ".so"}))
    throw InputError({file},
                     "is not a program; pass it to `mazurka check` after a source, or link it with `mazurka cc`");
  if (is_binary(file)) return;
  const std::string use = other_use(file);
  throw InputError({file}, use.empty() ? fmt::format("cannot be checked; expected {}", kSystems) : use);
}

void require_network(const std::string& file) {
  if (file == "-") return;
  require_file(file, kNetworks);
  if (is_network(file)) return;
  const std::string use = other_use(file);
  throw InputError({file}, use.empty() ? fmt::format("has an unknown ending; expected {}", kNetworks) : use);
}

void require_net(const std::string& file) {
  if (file == "-") return;
  require_file(file, kNets);
  if (is_net(file) || is_network(file)) return;
  if (const std::string use = other_use(file); !use.empty()) throw InputError({file}, use);
}

}  // namespace mazurka::cli
