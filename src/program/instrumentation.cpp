#include "program/instrumentation.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "core/error.hpp"
#include "program/command_line.hpp"
#include "program/compiler_arguments.hpp"

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool sanitizes_threads(std::string_view argument) { return argument == "-fsanitize=thread"; }

constexpr std::array kForGcc = {
    "-Wno-tsan",  // warns that the sanitizer's runtime, not ours, does not support fences
    // No identical code folding: reports would name the lines of the wrong function.
    "-fno-ipa-icf",
    // gcc would inline these after the instrumentation pass, and their accesses would not be seen.
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-memcmp", "-fno-builtin-strlen",
    "-fno-builtin-strnlen", "-fno-builtin-strcpy", "-fno-builtin-stpcpy", "-fno-builtin-strncpy", "-fno-builtin-strcat",
    "-fno-builtin-strncat", "-fno-builtin-strcmp", "-fno-builtin-strncmp", "-fno-builtin-strdup",
    "-fno-builtin-mempcpy", "-fno-builtin-bzero", "-fno-builtin-bcopy", "-fno-builtin-bcmp"};

/// The options that route an object through our assembler: some go before the user's own, some after.
Words flags_before(const Words& compiler) {
  Words flags{"-B" + runtime_directory() + "/tools"};
  // gcc marks source lines in its assembly, clang only in line tables.
  if (is_clang(compiler)) flags.emplace_back("-gline-tables-only");
  return flags;
}
Words flags_behind(const Words& compiler) { return is_clang(compiler) ? Words{"-fno-integrated-as"} : Words{}; }

Words linking() {
  const std::string directory = runtime_directory();
  return {"-Wl,--whole-archive",
          directory + "/libmazurka_runtime.a",
          "-Wl,--no-whole-archive",
          "-Wl,--dynamic-list=" + directory + "/exports.list",
          "-Wl,-z,now",
          "-ldl"};
}

/// Functions named __VERIFIER_atomic_… are atomic sections, which the runtime recognises by their entry and exit hooks:
/// if a source has any, inlining is off.
bool has_section_functions(const std::string& source) {
  const std::string all = read_text(source);
  constexpr std::string_view kPrefix = "__VERIFIER_atomic_";
  for (std::size_t at = all.find(kPrefix); at != std::string::npos; at = all.find(kPrefix, at + 1)) {
    const std::string_view rest = std::string_view(all).substr(at + kPrefix.size());
    if (!rest.starts_with("begin") && !rest.starts_with("end")) return true;
  }
  return false;
}

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// Options that go after the user's own.
void append_instrumentation(Words& words, const Words& compiler, const std::string& source) {
  append(words, instrumenting(compiler));
  if (has_section_functions(source)) words.emplace_back("-fno-inline");
  append(words, flags_behind(compiler));
}

}  // namespace

std::string runtime_directory() {
  if (const char* variable = std::getenv("MAZURKA_RUNTIME"); variable != nullptr && *variable != 0) return variable;
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  for (const char* relative : {"../lib/mazurka", "../../lib/mazurka"})
    if (fs::path folder = binary.parent_path() / relative; fs::exists(folder / "libmazurka_runtime.a", error))
      return fs::weakly_canonical(folder, error).string();
  throw InputError(
      fmt::format("the runtime for programs under test is not at {}; install Mazurka as a whole, or name "
                  "its folder in MAZURKA_RUNTIME",
                  (binary.parent_path() / "../lib/mazurka").lexically_normal().string()));
}

std::string read_text(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool is_clang(const Words& compiler) {
  const std::string name = fs::path(compiler.back()).filename();
  if (name.find("clang") != std::string::npos) return true;
  if (name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos) return false;
  static std::map<Words, bool> known;
  if (const auto answer = known.find(compiler); answer != known.end()) return answer->second;
  Words question = compiler;
  for (const char* word : {"-dM", "-E", "-x", "c", "/dev/null"}) question.emplace_back(word);
  return known[compiler] = output_of(question).find("__clang__") != std::string::npos;
}

Words instrumenting(const Words& compiler) {
  Words flags{"-fsanitize=thread", "-isystem", runtime_directory() + "/include"};
  // clang does not instrument a read that is followed by a write in the same block; as visible operations they are two.
  // For a field or an element of a local variable, it asks whether the address of the field escapes, not that of the
  // variable; if it may look at no uses of an address, it takes every one for escaped. It also omits the table by which
  // debug information is found for an address.
  if (is_clang(compiler))
    for (const char* word : {"-mllvm", "-tsan-instrument-read-before-write=1", "-mllvm",
                             "-capture-tracking-max-uses-to-explore=0", "-gdwarf-aranges"})
      flags.emplace_back(word);
  else
    for (const char* word : kForGcc) flags.emplace_back(word);
  // For <mazurka/test.hpp>, so that a test finds its explorer.
  std::error_code error;
  flags.push_back(fmt::format("-DMAZURKA_EXPLORER=\"{}\"", fs::read_symlink("/proc/self/exe", error).string()));
  // Code generated at link time would not be scanned.
  flags.emplace_back("-fno-lto");
  return flags;
}

Words object_words(const Words& compiler, const Words& arguments, const Words& sources, const std::string& source,
                   bool named) {
  Words words = compiler;
  append(words, flags_before(compiler));
  for (const std::string& argument : arguments)
    if (named || argument == source || std::find(sources.begin(), sources.end(), argument) == sources.end())
      words.push_back(argument);
  append_instrumentation(words, compiler, source);
  return words;
}

Words compile_words(const Words& compiler, const Words& arguments, const std::string& source,
                    const std::string& object) {
  Words words = compiler;
  append(words, flags_before(compiler));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool has_value = takes_value(argument) && i + 1 < arguments.size();
    if (argument == "-o" || argument == "-l" || argument == "-L" || argument == "-Xlinker" || argument == "-T" ||
        argument == "-u" || argument == "-z") {
      ++i;
      continue;
    }
    if (argument.starts_with("-l") || argument.starts_with("-L") || argument.starts_with("-Wl,") ||
        sanitizes_threads(argument))
      continue;
    if (argument[0] != '-') continue;  // inputs: ours comes last
    if (argument == "-x" && has_value) {
      ++i;
      continue;
    }
    words.push_back(argument);
    if (has_value) words.push_back(arguments[++i]);
  }
  append_instrumentation(words, compiler, source);
  // An explicit language applies to the files after it.
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] == source) break;
    if (arguments[i] == "-x") {
      words.emplace_back("-x");
      words.push_back(arguments[i + 1]);
    }
  }
  append(words, {"-c", source, "-o", object});
  return words;
}

Words link_words(const Words& compiler, const Words& arguments, const Words& sources, const Words& objects,
                 bool with_runtime) {
  Words words = compiler;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (sanitizes_threads(argument)) continue;
    if (argument == "-MD" || argument == "-MMD" || argument == "-MP") continue;
    if (argument == "-MF" || argument == "-MT" || argument == "-MQ" || argument == "-x") {
      ++i;
      continue;
    }
    const auto source = std::find(sources.begin(), sources.end(), argument);
    words.push_back(source == sources.end() ? argument : objects[static_cast<std::size_t>(source - sources.begin())]);
    if (source == sources.end() && takes_value(argument) && i + 1 < arguments.size()) words.push_back(arguments[++i]);
  }
  if (with_runtime) append(words, linking());
  words.emplace_back("-fno-lto");
  return words;
}

}  // namespace mazurka::program
