// The commands by which a program becomes one under test: compiled with -fsanitize=thread through our assembler, and
// linked with our runtime.
#pragma once

#include <string>
#include <vector>

namespace mazurka::program {

/// The folder of the runtime: from the environment (MAZURKA_RUNTIME), or relative to the running binary, in an
/// installation as in a build. Throws InputError where it is not there.
std::string runtime_directory();

/// The text of a file; empty where it cannot be read.
std::string read_text(const std::string& file);

bool is_clang(const std::vector<std::string>& compiler);

/// The options by which code is instrumented.
std::vector<std::string> instrumenting(const std::vector<std::string>& compiler);

/// The words that make the object of one source, out of a command that makes objects. With `named` all sources stay:
/// one name for several objects is for the compiler to complain about.
std::vector<std::string> object_words(const std::vector<std::string>& compiler,
                                      const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& sources, const std::string& source, bool named);

/// The words of one compilation out of a command that also links.
std::vector<std::string> compile_words(const std::vector<std::string>& compiler,
                                       const std::vector<std::string>& arguments, const std::string& source,
                                       const std::string& object);

/// The words of the link, with the sources replaced by their objects.
std::vector<std::string> link_words(const std::vector<std::string>& compiler, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& sources, const std::vector<std::string>& objects,
                                    bool with_runtime);

}  // namespace mazurka::program
