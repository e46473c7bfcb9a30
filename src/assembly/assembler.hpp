// How `mazurka cc` passes parameters, across the compiler, to the program that replaces the assembler (main.cpp):
// through the environment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::assembly {

inline constexpr const char* kAssembler = "MAZURKA_ASSEMBLER";        ///< the real assembler
inline constexpr const char* kPreprocessor = "MAZURKA_PREPROCESSOR";  ///< a command that preprocesses the source
inline constexpr const char* kSource = "MAZURKA_SOURCE";  ///< the file that this command reads from standard input

/// Encodes the words of a command as one string, and back.
std::string join_command(const std::vector<std::string>& words);
std::vector<std::string> split_command(std::string_view text);

}  // namespace mazurka::assembly
