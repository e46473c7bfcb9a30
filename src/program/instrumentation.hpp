// The commands that build a program under test: compile with -fsanitize=thread through our assembler, link with our
// runtime.
#pragma once

#include <string>
#include <vector>

namespace mazurka::program {

/// The directory of the runtime: from the environment (MAZURKA_RUNTIME), or relative to the running binary, installed
/// or in a build tree. Throws InputError if it does not exist.
std::string runtime_directory();

/// The contents of a file; empty if it cannot be read.
std::string read_text(const std::string& file);

bool is_clang(const std::vector<std::string>& compiler);

/// The compiler options for instrumentation.
std::vector<std::string> instrumenting(const std::vector<std::string>& compiler);

/// The command for one source's object, from a command that creates objects. With `named` all sources stay: it is up to
/// the compiler to reject one name for several objects.
std::vector<std::string> object_words(const std::vector<std::string>& compiler,
                                      const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& sources, const std::string& source, bool named);

/// The command for one compilation, from a command that also links.
std::vector<std::string> compile_words(const std::vector<std::string>& compiler,
                                       const std::vector<std::string>& arguments, const std::string& source,
                                       const std::string& object);

/// The link command, with the sources replaced by their objects.
std::vector<std::string> link_words(const std::vector<std::string>& compiler, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& sources, const std::vector<std::string>& objects,
                                    bool with_runtime);

}  // namespace mazurka::program
