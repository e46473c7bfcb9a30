// The compiler wrapper for programs under test: the user's own gcc or clang, with -fsanitize=thread when it compiles,
// and with our runtime instead of the sanitizer's when it links.
//
// The compiler driver must not see the option when it links, or it would add its own runtime. So a command that
// compiles and links is split into one command per source and one that links.
//
// Uninstrumented code is detected on the way: a stand-in for the assembler scans the compiler's output
// (assembly/scanner.hpp), and the linker's map tells which objects became part of the program (link_map.hpp).
#pragma once

#include <string>
#include <vector>

namespace mazurka::program {

enum class Language { C, Cxx };

/// The compiler named in the environment (MAZURKA_CC, MAZURKA_CXX), or the default one.
std::vector<std::string> chosen_compiler(Language language);

/// Acts as the compiler: `arguments` are those of gcc or clang. Returns the exit status.
int run_compiler(Language language, const std::vector<std::string>& arguments);
/// The same with a given compiler.
int launch_compiler(const std::vector<std::string>& compiler, const std::vector<std::string>& arguments);

/// Compiles and links sources, each as C or C++ by its suffix, to a program in `directory`, and returns its path.
/// `words` are compiler options, further sources, objects and libraries. \pre The directory exists. Throws InputError
/// if the compiler fails; its messages went to standard error.
std::string compile_program(const std::string& source, const std::vector<std::string>& words,
                            const std::string& directory);
/// All sources of such a program.
std::vector<std::string> sources_of(const std::string& source, const std::vector<std::string>& words);

}  // namespace mazurka::program
