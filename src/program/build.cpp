// Builds the sources given to `mazurka check`: one program, without optimisation, in a directory of its own.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "core/error.hpp"
#include "program/compiler.hpp"
#include "program/compiler_arguments.hpp"

namespace mazurka::program {
namespace {

/// The words for the compiler, by purpose.
struct BuildWords {
  std::vector<std::string> sources;
  std::vector<std::string> options;
  std::vector<std::string> linked;  ///< objects and libraries, in order

  BuildWords(const std::string& first, const std::vector<std::string>& words) : sources{first} {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "-o" || word == "-c" || word == "-S" || word == "-E" || word == "-shared" || word == "-x")
        throw InputError(fmt::format("check compiles, links and runs a program; remove {}", word));
      const bool is_linked = word.starts_with("-l") || word.starts_with("-L") || word.starts_with("-Wl,") ||
                             word == "-Xlinker" || (word[0] != '-' && !is_source(word));
      std::vector<std::string>& place = is_linked ? linked : (is_source(word) ? sources : options);
      place.push_back(word);
      if (takes_value(word) && i + 1 < words.size()) place.push_back(words[++i]);
    }
  }
};

Language language_of(const std::string& source) {
  const std::string ending = std::filesystem::path(source).extension();
  return ending == ".c" || ending == ".i" ? Language::C : Language::Cxx;
}

/// Without optimisation: compilers remove loads and stores, also of shared variables, before they instrument the rest,
/// and with them races and interleavings. The user's options come later and take precedence.
std::vector<std::string> compiling_words(const BuildWords& words, Language language, bool mixed) {
  std::vector<std::string> result{"-g", "-O0", "-pthread"};
  const auto is_standard = [](const std::string& word) { return word.starts_with("-std="); };
  const auto is_for_cxx = [](const std::string& word) { return word.find("++") != std::string::npos; };
  const auto concerns = [&](const std::string& word) {
    return !is_standard(word) || !mixed || is_for_cxx(word) == (language == Language::Cxx);
  };
  const bool chosen = std::any_of(words.options.begin(), words.options.end(),
                                  [&](const std::string& word) { return is_standard(word) && concerns(word); });
  if (language == Language::Cxx && !chosen) result.emplace_back("-std=c++20");
  std::copy_if(words.options.begin(), words.options.end(), std::back_inserter(result), concerns);
  return result;
}

}  // namespace

std::vector<std::string> sources_of(const std::string& first, const std::vector<std::string>& words) {
  return BuildWords(first, words).sources;
}

std::string compile_program(const std::string& source, const std::vector<std::string>& words,
                            const std::string& directory) {
  const BuildWords build(source, words);
  for (const std::string& file : build.sources)
    if (!std::filesystem::exists(file)) throw InputError(fmt::format("{}: no such file", file));
  const auto is_in = [](Language language) {
    return [language](const std::string& file) { return language_of(file) == language; };
  };
  const bool any_cxx = std::any_of(build.sources.begin(), build.sources.end(), is_in(Language::Cxx));
  const bool mixed = any_cxx && std::any_of(build.sources.begin(), build.sources.end(), is_in(Language::C));
  const Language language = any_cxx ? Language::Cxx : Language::C;
  const auto run = [](Language compiler, const std::vector<std::string>& arguments, const std::string& what) {
    if (run_compiler(compiler, arguments) != 0) throw InputError(fmt::format("{}: cannot be compiled", what));
  };
  std::vector<std::string> arguments = compiling_words(build, language, mixed);
  std::size_t objects = 0;
  for (const std::string& file : build.sources) {
    if (language_of(file) == language) {
      arguments.push_back(file);
      continue;
    }
    // C beside C++: the C++ compiler would compile it as C++.
    const std::string object = fmt::format("{}/c-{}.o", directory, objects++);
    std::vector<std::string> compile = compiling_words(build, Language::C, mixed);
    for (const std::string& word : {std::string("-c"), file, std::string("-o"), object}) compile.push_back(word);
    run(Language::C, compile, file);
    arguments.push_back(object);
  }
  arguments.insert(arguments.end(), build.linked.begin(), build.linked.end());
  std::string binary = (std::filesystem::path(directory) / std::filesystem::path(source).stem()).string();
  arguments.emplace_back("-o");
  arguments.push_back(binary);
  run(language, arguments, source);
  return binary;
}

}  // namespace mazurka::program
