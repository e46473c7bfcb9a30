#include "program/compiler.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "assembly/assembler.hpp"
#include "assembly/records.hpp"
#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "program/command_line.hpp"
#include "program/compiler_arguments.hpp"
#include "program/instrumentation.hpp"
#include "program/link_map.hpp"

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The preprocessing command for what `words` compile.
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

/// Runs a command that creates one object, with our assembler in place of the compiler's.
int compile(const Words& compiler, const Words& words) {
  Words question = compiler;
  question.emplace_back("-print-prog-name=as");
  std::string assembler = output_of(question);
  while (!assembler.empty() && assembler.back() == '\n') assembler.pop_back();
  setenv(assembly::kAssembler, assembler.empty() ? "as" : assembler.c_str(), 1);
  setenv(assembly::kPreprocessor, assembly::join_command(preprocessing(words)).c_str(), 1);
  // ccache must not return objects made by another version of our assembler.
  const char* const files = std::getenv("CCACHE_EXTRAFILES");
  const std::string own = runtime_directory() + "/tools/as";
  if (files == nullptr || std::string_view(files).find(own) == std::string_view::npos)
    setenv("CCACHE_EXTRAFILES", files == nullptr || *files == 0 ? own.c_str() : (own + ":" + files).c_str(), 1);
  return run_command(words);
}

/// The names of the user's assembly sources, separated by commas.
std::string assembly_sources(const Words& words) {
  std::string result;
  for (const std::string& word : words)
    if (word[0] != '-' && (word.ends_with(".s") || word.ends_with(".S") || word.ends_with(".sx")))
      result += (result.empty() ? "" : ", ") + word;
  return result.empty() ? "an object that is gone" : result;
}

/// Links; if some code is not seen, links again with a record of it.
int link_and_record(const Words& compiler, Words words, const std::string& folder) {
  std::string map = map_file(words);
  if (map.empty()) {
    map = folder + "/map";
    words.push_back("-Wl,-Map=" + map);
  }
  if (const int status = run_command(words); status != 0) return status;
  std::vector<assembly::Unseen> unseen =
      unseen_files(linked_files(read_text(map)), runtime_directory() + "/libmazurka_runtime.a");
  if (unseen.empty()) return 0;
  // Objects that no longer exist were made from assembly among the words.
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

/// Saves a source that is read from standard input, since it may be needed twice.
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

/// Creates the object of each source by its own command.
int compile_each(const Words& compiler, const Words& arguments, const Words& sources, const std::string& folder) {
  const bool named = std::find(arguments.begin(), arguments.end(), "-o") != arguments.end();
  int result = 0;
  for (const std::string& source : sources) {
    Words words = object_words(compiler, arguments, sources, source, named);
    // With an external assembler, clang cannot write an object to standard output.
    const auto output = std::find(words.begin(), words.end(), "-o");
    const bool to_output = named && is_clang(compiler) && output + 1 != words.end() && output[1] == "-";
    if (to_output) output[1] = folder + "/output.o";
    const int status = compile(compiler, words);
    if (to_output && status == 0) std::cout << read_text(folder + "/output.o") << std::flush;
    result = result == 0 ? status : result;
    if (named) break;
  }
  return result;
}

}  // namespace

Words chosen_compiler(Language language) {
  const char* variable = std::getenv(language == Language::C ? "MAZURKA_CC" : "MAZURKA_CXX");
  if (variable == nullptr || *variable == 0) return {language == Language::C ? "cc" : "c++"};
  // A path with blanks is one word; `ccache gcc` is two.
  if (fs::exists(variable)) return {variable};
  Words words = split_words(variable);
  if (words.empty()) throw InputError("MAZURKA_CC and MAZURKA_CXX must name a compiler");
  return words;
}

int run_compiler(Language language, const Words& given) { return launch_compiler(chosen_compiler(language), given); }

int launch_compiler(const Words& compiler, const Words& given) {
  const Words arguments = expand_files(given);
  const CompilerCommand command = analyse(arguments);
  const auto with = [&](const Words& last) {
    Words words = compiler;
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), last.begin(), last.end());
    return words;
  };
  // Queries such as --version.
  if (!command.links && command.sources.empty()) return run_command(with({}));
  if (!command.assembles) return run_command(with(instrumenting(compiler)));
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  keep_standard_input(command.sources, folder);
  if (!command.links) return compile_each(compiler, arguments, command.sources, folder);
  if (command.is_static)
    throw InputError("a program under test cannot be linked statically: its calls to the C library must be caught");
  const bool with_runtime = !command.shared;
  if (std::any_of(arguments.begin(), arguments.end(),
                  [](const std::string& word) { return word.starts_with("-flto"); }))
    fmt::print(stderr, "mazurka: note: -flto is left out: code must be instrumented before it is linked\n");

  Words objects;
  for (const std::string& source : command.sources) {
    objects.push_back(fmt::format("{}/{}.o", folder, objects.size()));
    if (const int status = compile(compiler, compile_words(compiler, arguments, source, objects.back())); status != 0)
      return status;
  }
  return link_and_record(compiler, link_words(compiler, arguments, command.sources, objects, with_runtime), folder);
}

}  // namespace mazurka::program
