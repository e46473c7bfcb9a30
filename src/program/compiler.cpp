#include "program/compiler.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "assembly/assembler.hpp"
#include "assembly/records.hpp"
#include "core/error.hpp"
#include "program/command_line.hpp"
#include "program/link_map.hpp"

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Options whose value is the next word.
constexpr std::array kWithValue = {"-o",
                                   "-I",
                                   "-L",
                                   "-l",
                                   "-D",
                                   "-U",
                                   "-x",
                                   "-MF",
                                   "-MT",
                                   "-MQ",
                                   "-include",
                                   "-imacros",
                                   "-isystem",
                                   "-idirafter",
                                   "-T",
                                   "-Xlinker",
                                   "-Xclang",
                                   "-Xassembler",
                                   "-mllvm",
                                   "-iquote",
                                   "-u",
                                   "-z",
                                   "-arch",
                                   "-target",
                                   "-isysroot",
                                   "-iprefix",
                                   "-iwithprefix",
                                   "-e",
                                   "-Xpreprocessor",
                                   "--param",
                                   "-aux-info",
                                   "-dumpbase",
                                   "-dumpdir"};

bool takes_value(std::string_view option) {
  return std::find(kWithValue.begin(), kWithValue.end(), option) != kWithValue.end();
}

bool is_source(std::string_view file) {
  const auto dot = file.rfind('.');
  if (dot == std::string_view::npos) return false;
  constexpr std::array kEndings = {"c", "i", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"};
  return std::find(kEndings.begin(), kEndings.end(), file.substr(dot + 1)) != kEndings.end();
}

/// Replaces @file by the words in it.
Words expand(const Words& arguments) {
  Words result;
  for (const std::string& argument : arguments) {
    std::ifstream file(argument.size() > 1 && argument[0] == '@' ? argument.substr(1) : std::string());
    if (!file.is_open()) {
      result.push_back(argument);
      continue;
    }
    std::ostringstream text;
    text << file.rdbuf();
    for (std::string& word : expand(split_words(text.str()))) result.push_back(std::move(word));
  }
  return result;
}

bool sanitizes_threads(std::string_view argument) { return argument == "-fsanitize=thread"; }

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

constexpr std::array kForGcc = {
    "-Wno-tsan",  // which says that the sanitizer's runtime, not ours, does not know fences
    // Functions with equal code must stay apart, or reports would name the lines of the wrong one.
    "-fno-ipa-icf",
    // gcc expands these in place after it has instrumented the rest, and their accesses would not be seen.
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-memcmp", "-fno-builtin-strlen",
    "-fno-builtin-strnlen", "-fno-builtin-strcpy", "-fno-builtin-stpcpy", "-fno-builtin-strncpy", "-fno-builtin-strcat",
    "-fno-builtin-strncat", "-fno-builtin-strcmp", "-fno-builtin-strncmp", "-fno-builtin-strdup"};

Words instrumenting(const Words& compiler) {
  Words flags{"-fsanitize=thread", "-isystem", runtime_directory() + "/include"};
  // clang leaves out a read that is followed by a write in the same block; as visible operations they are two. It also
  // leaves out the table by which debug information is found for an address.
  if (is_clang(compiler))
    for (const char* word : {"-mllvm", "-tsan-instrument-read-before-write=1", "-gdwarf-aranges"})
      flags.emplace_back(word);
  else
    for (const char* word : kForGcc) flags.emplace_back(word);
  // Code that is made when the program is linked is seen by nobody.
  flags.emplace_back("-fno-lto");
  return flags;
}

/// The options by which an object is made through our assembler: some before the user's own, some behind.
Words flags_before(const Words& compiler) {
  Words flags{"-B" + runtime_directory() + "/tools"};
  // gcc says in the assembly which line a statement stands in, clang only in line tables.
  if (is_clang(compiler)) flags.emplace_back("-gline-tables-only");
  return flags;
}
Words flags_behind(const Words& compiler) { return is_clang(compiler) ? Words{"-fno-integrated-as"} : Words{}; }

/// The command that preprocesses what `words` compile.
Words preprocessing(const Words& words) {
  Words result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" || word == "-MJ")
      ++i;
    else if (word != "-c" && word != "-MD" && word != "-MMD" && word != "-MP" && word != "-MG" &&
             !word.starts_with("-Wp,-M") && !word.starts_with("-save-temps") && !word.starts_with("--save-temps"))
      result.push_back(word);
  }
  result.emplace_back("-E");
  result.emplace_back("-w");
  return result;
}

/// Runs a command that makes one object, with our assembler in the place of the compiler's.
int compile(const Words& compiler, const Words& words) {
  Words question = compiler;
  question.emplace_back("-print-prog-name=as");
  std::string assembler = output_of(question);
  while (!assembler.empty() && assembler.back() == '\n') assembler.pop_back();
  setenv(assembly::kAssembler, assembler.empty() ? "as" : assembler.c_str(), 1);
  setenv(assembly::kPreprocessor, assembly::join_command(preprocessing(words)).c_str(), 1);
  // ccache must not give out what another version of our assembler made.
  const char* const files = std::getenv("CCACHE_EXTRAFILES");
  const std::string own = runtime_directory() + "/tools/as";
  if (files == nullptr || std::string_view(files).find(own) == std::string_view::npos)
    setenv("CCACHE_EXTRAFILES", files == nullptr || *files == 0 ? own.c_str() : (own + ":" + files).c_str(), 1);
  return run_command(words);
}

Words linking() {
  const std::string directory = runtime_directory();
  return {"-Wl,--whole-archive",
          directory + "/libmazurka_runtime.a",
          "-Wl,--no-whole-archive",
          "-Wl,--dynamic-list=" + directory + "/exports.list",
          "-Wl,-z,now",
          "-ldl"};
}

/// Functions named __VERIFIER_atomic_… are atomic sections, which the runtime sees by their being entered and left:
/// where a source has any, nothing is expanded inline.
bool has_section_functions(const std::string& source) {
  std::ifstream file(source);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  constexpr std::string_view kPrefix = "__VERIFIER_atomic_";
  for (std::size_t at = all.find(kPrefix); at != std::string::npos; at = all.find(kPrefix, at + 1)) {
    const std::string_view rest = std::string_view(all).substr(at + kPrefix.size());
    if (!rest.starts_with("begin") && !rest.starts_with("end")) return true;
  }
  return false;
}

constexpr const char* kNoInline = "-fno-inline";

/// The words of one compilation out of a command that also links.
Words compile_words(const Words& compiler, const Words& arguments, const std::string& source,
                    const std::string& object) {
  Words words = compiler;
  for (std::string& flag : flags_before(compiler)) words.push_back(std::move(flag));
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
    if (argument[0] != '-') continue;  // the inputs: ours comes last
    if (argument == "-x" && has_value) {
      ++i;
      continue;
    }
    words.push_back(argument);
    if (has_value) words.push_back(arguments[++i]);
  }
  for (std::string& flag : instrumenting(compiler)) words.push_back(std::move(flag));
  if (has_section_functions(source)) words.emplace_back(kNoInline);
  for (std::string& flag : flags_behind(compiler)) words.push_back(std::move(flag));
  // A language that was given explicitly holds for the files after it.
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] == source) break;
    if (arguments[i] == "-x") {
      words.emplace_back("-x");
      words.push_back(arguments[i + 1]);
    }
  }
  for (const std::string& word : {std::string("-c"), source, std::string("-o"), object}) words.push_back(word);
  return words;
}

/// The words of the link, with the sources replaced by their objects.
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
  if (with_runtime)
    for (std::string& word : linking()) words.push_back(std::move(word));
  words.emplace_back("-fno-lto");
  return words;
}

std::string file_text(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The names of the user's own assembly, with commas between them.
std::string assembly_sources(const Words& words) {
  std::string result;
  for (const std::string& word : words)
    if (word[0] != '-' && (word.ends_with(".s") || word.ends_with(".S") || word.ends_with(".sx")))
      result += (result.empty() ? "" : ", ") + word;
  return result.empty() ? "an object that is gone" : result;
}

/// Links, and once more with a record of what is not seen where there is any.
int link_and_record(const Words& compiler, Words words, const std::string& folder) {
  std::string map = map_file(words);
  if (map.empty()) {
    map = folder + "/map";
    words.push_back("-Wl,-Map=" + map);
  }
  if (const int status = run_command(words); status != 0) return status;
  std::vector<assembly::Unseen> unseen =
      unseen_files(linked_files(file_text(map)), runtime_directory() + "/libmazurka_runtime.a");
  if (unseen.empty()) return 0;
  // Objects that are gone were made of assembly among the words.
  for (assembly::Unseen& file : unseen)
    if (std::error_code error; !fs::exists(file.file, error)) file.file = assembly_sources(words);
  const std::string source = folder + "/unseen.s";
  const std::string object = folder + "/unseen.o";
  std::ofstream(source) << assembly::section_text(unseen) << "\t.section .note.GNU-stack,\"\",@progbits\n";
  Words assembling = compiler;
  for (const std::string& word : {std::string("-c"), source, std::string("-o"), object}) assembling.push_back(word);
  if (const int status = run_command(assembling); status != 0) return status;
  words.push_back(object);
  return run_command(words);
}

/// A folder that goes with its object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (fs::temp_directory_path() / "mazurka-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) throw InputError("no temporary folder can be made");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A source that is read from standard input may be needed twice.
void keep_standard_input(const Words& sources, const std::string& folder) {
  unsetenv(assembly::kSource);
  if (std::find(sources.begin(), sources.end(), "-") == sources.end()) return;
  const std::string file = folder + "/input";
  std::ofstream copy(file, std::ios::binary);
  char buffer[65536];
  for (ssize_t got = 0; (got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0;) copy.write(buffer, got);
  copy.close();
  const int input = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (!copy || input < 0 || dup2(input, STDIN_FILENO) < 0) throw InputError("standard input cannot be kept");
  close(input);
  setenv(assembly::kSource, file.c_str(), 1);
}

/// Makes an object of each source, by one command each.
int compile_each(const Words& compiler, const Words& arguments, const Words& sources, const std::string& folder) {
  const bool named = std::find(arguments.begin(), arguments.end(), "-o") != arguments.end();
  int result = 0;
  for (const std::string& source : sources) {
    Words words = compiler;
    for (std::string& flag : flags_before(compiler)) words.push_back(std::move(flag));
    for (const std::string& argument : arguments)
      // One name for several objects is for the compiler to complain about.
      if (named || argument == source || std::find(sources.begin(), sources.end(), argument) == sources.end())
        words.push_back(argument);
    for (std::string& flag : instrumenting(compiler)) words.push_back(std::move(flag));
    if (has_section_functions(source)) words.emplace_back(kNoInline);
    for (std::string& flag : flags_behind(compiler)) words.push_back(std::move(flag));
    // clang writes an object to standard output by itself only.
    const auto output = std::find(words.begin(), words.end(), "-o");
    const bool to_output = named && is_clang(compiler) && output + 1 != words.end() && output[1] == "-";
    if (to_output) output[1] = folder + "/output.o";
    const int status = compile(compiler, words);
    if (to_output && status == 0) std::cout << file_text(folder + "/output.o") << std::flush;
    result = result == 0 ? status : result;
    if (named) break;
  }
  return result;
}

}  // namespace

CompilerCommand analyse(const Words& arguments) {
  CompilerCommand command;
  bool inputs = false;
  bool stops_early = false;
  bool explicit_language = false;
  bool makes_objects = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty()) continue;
    if (argument == "-c" || argument == "-S" || argument == "-E" || argument == "-M" || argument == "-MM" ||
        argument == "-fsyntax-only" || argument == "--precompile") {
      stops_early = true;
      makes_objects = makes_objects && argument == "-c";
    }
    if (argument == "-shared" || argument == "--shared" || argument == "-r")
      command.shared = true;
    else if (argument == "-static" || argument == "--static" || argument == "-static-pie")
      command.is_static = true;
    else if (argument == "-x" && i + 1 < arguments.size())
      explicit_language = arguments[i + 1] != "none";
    if (takes_value(argument)) {
      if (argument == "-l") inputs = true;
      ++i;
    } else if (argument[0] != '-' || argument == "-") {
      inputs = true;
      if (explicit_language || is_source(argument)) command.sources.push_back(argument);
    }
  }
  command.links = inputs && !stops_early;
  command.assembles = inputs && makes_objects;
  return command;
}

Words chosen_compiler(Language language) {
  const char* variable = std::getenv(language == Language::C ? "MAZURKA_CC" : "MAZURKA_CXX");
  if (variable == nullptr || *variable == 0) return {language == Language::C ? "cc" : "c++"};
  // A path with blanks is one word; `ccache gcc` is two.
  if (fs::exists(variable)) return {variable};
  Words words = split_words(variable);
  if (words.empty()) throw InputError("MAZURKA_CC and MAZURKA_CXX must name a compiler");
  return words;
}

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

int run_compiler(Language language, const Words& given) { return launch_compiler(chosen_compiler(language), given); }

int launch_compiler(const Words& compiler, const Words& given) {
  const Words arguments = expand(given);
  const CompilerCommand command = analyse(arguments);
  const auto with = [&](const Words& first, const Words& last) {
    Words words = compiler;
    words.insert(words.end(), first.begin(), first.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), last.begin(), last.end());
    return words;
  };
  // Questions such as --version.
  if (!command.links && command.sources.empty()) return run_command(with({}, {}));
  if (!command.assembles) return run_command(with({}, instrumenting(compiler)));
  TemporaryFolder folder;
  keep_standard_input(command.sources, folder.path());
  if (!command.links) return compile_each(compiler, arguments, command.sources, folder.path());
  if (command.is_static)
    throw InputError("a program under test cannot be linked statically: its calls to the C library must be caught");
  const bool with_runtime = !command.shared;
  if (std::any_of(arguments.begin(), arguments.end(),
                  [](const std::string& word) { return word.starts_with("-flto"); }))
    fmt::print(stderr, "mazurka: note: -flto is left out: code must be instrumented before it is linked\n");

  Words objects;
  for (const std::string& source : command.sources) {
    objects.push_back(fmt::format("{}/{}.o", folder.path(), objects.size()));
    if (const int status = compile(compiler, compile_words(compiler, arguments, source, objects.back())); status != 0)
      return status;
  }
  return link_and_record(compiler, link_words(compiler, arguments, command.sources, objects, with_runtime),
                         folder.path());
}

std::string compile_program(const std::string& source, const Words& flags, const std::string& directory) {
  if (!fs::exists(source)) throw InputError(fmt::format("{}: no such file", source));
  const std::string ending = fs::path(source).extension();
  const Language language = ending == ".c" || ending == ".i" ? Language::C : Language::Cxx;
  std::string binary = (fs::path(directory) / fs::path(source).stem()).string();
  // Without optimisation: the compilers remove loads and stores, of shared variables too, before they instrument the
  // rest, and a race or an interleaving goes with them.
  Words arguments{"-g", "-O0"};
  if (language == Language::Cxx) arguments.emplace_back("-std=c++20");
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  for (const std::string& word : {std::string("-pthread"), source, std::string("-o"), binary})
    arguments.push_back(word);
  if (run_compiler(language, arguments) != 0) throw InputError(fmt::format("{}: cannot be compiled", source));
  return binary;
}

}  // namespace mazurka::program
