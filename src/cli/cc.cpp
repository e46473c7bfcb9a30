#include "cli/cc.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/compiler.hpp"

namespace mazurka::cli {
namespace {

std::optional<program::Language> language(std::string_view name) {
  if (name == "cc") return program::Language::C;
  if (name == "c++") return program::Language::Cxx;
  return std::nullopt;
}

}  // namespace

void register_compilers(CLI::App& app) {
  const std::pair<const char*, const char*> names[] = {
      {"cc", "Compile C as gcc or clang would, for programs under test (CC=mazurka-cc)"},
      {"c++", "Compile C++ as g++ or clang++ would, for programs under test (CXX=mazurka-c++)"}};
  for (const auto& [name, text] : names)
    app.add_subcommand(name, text)
        ->group(kCompilers)
        ->footer("Takes the arguments of a compiler. MAZURKA_CC and MAZURKA_CXX choose which one it is.");
}

std::optional<int> run_as_compiler(int argc, char** argv) {
  if (argc == 0) return std::nullopt;
  std::string_view name = argv[0];
  name.remove_prefix(name.find_last_of('/') + 1);
  // What build systems put before a command of theirs, see cmake/mazurka-config.cmake.
  if (argc > 2 && std::string_view(argv[1]) == "launch")
    return program::launch_compiler({argv[2]}, std::vector<std::string>(argv + 3, argv + argc));
  constexpr std::string_view kPrefix = "mazurka-";
  int first = 1;
  std::optional<program::Language> chosen;
  if (name.starts_with(kPrefix)) chosen = language(name.substr(kPrefix.size()));
  if (!chosen && argc > 1) {
    chosen = language(argv[1]);
    first = 2;
  }
  if (!chosen) return std::nullopt;
  return program::run_compiler(*chosen, std::vector<std::string>(argv + first, argv + argc));
}

}  // namespace mazurka::cli
