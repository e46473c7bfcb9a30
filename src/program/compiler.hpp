// Compilers for programs under test: the user's own gcc or clang with -fsanitize=thread where it compiles, and our
// runtime instead of the sanitizer's where it links.
//
// The option must not be seen by the compiler driver when it links, or it would add its own runtime. So a command that
// compiles and links at once is carried out as one command per source and one that links.
//
// What is not seen is found on the way: the compiler's assembly is looked through by a program that stands in for the
// assembler (assembly/scanner.hpp), and the linker says which objects have become part of the program (link_map.hpp).
#pragma once

#include <string>
#include <vector>

namespace mazurka::program {

enum class Language { C, Cxx };

/// The compiler that the environment names (MAZURKA_CC, MAZURKA_CXX), or the standard one.
std::vector<std::string> chosen_compiler(Language language);

/// Acts as the compiler: `arguments` as gcc or clang would get them. Returns the exit status.
int run_compiler(Language language, const std::vector<std::string>& arguments);
/// The same with a compiler that the caller has chosen.
int launch_compiler(const std::vector<std::string>& compiler, const std::vector<std::string>& arguments);

/// Compiles and links sources, each as C or C++ by its name, to a program in `directory`, which must exist; returns its
/// path. `words` are options for the compiler, further sources, objects and libraries. Throws InputError where the
/// compiler fails; what it has to say went to standard error.
std::string compile_program(const std::string& source, const std::vector<std::string>& words,
                            const std::string& directory);
/// All sources of such a program.
std::vector<std::string> sources_of(const std::string& source, const std::vector<std::string>& words);

}  // namespace mazurka::program
